// See second_order.h.
#include "invar/program/second_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "invar/program/equilibration.h"
#include "invar/program/symmetric_factors.h"

namespace invar {

namespace {

constexpr double negligible = 1e-9;  // curvature, of the largest entry of H, all in natural sizes
constexpr double slight = 1e-6;      // force of a limit, or distance from it, in natural sizes

enum class Hold { free, firm, slack };  // firm: a force holds it; slack: at the limit, with hardly a force

// A limit at this distance that presses with this force.
Hold hold(double distance, double force) {
  if (distance > std::max(slight, force)) return Hold::free;
  return force > slight ? Hold::firm : Hold::slack;
}

// The program at its stationary point in natural sizes.
class StationaryPoint {
 public:
  StationaryPoint(const NonlinearProgram& program, const Solution& solution, const std::vector<bool>& measured)
      : program_(program), x_(solution.x), size_(equilibrate(program, solution.x)), measured_(measured) {
    jacobian_.resize(program.jacobian.size());
    program.jacobian_values(x_, jacobian_);
    hessian_.resize(program.hessian.size());
    program.hessian_values(x_, 1.0, solution.weight, hessian_);
    slope_.resize(x_.size());
    program.cost_gradient(x_, slope_);
    scale(solution.weight);
    find_active(solution.weight);
  }

  bool finite() const { return std::isfinite(std::accumulate(hessian_.begin(), hessian_.end(), 0.0)); }
  bool any_slack() const { return any_slack_; }
  Curvature lowest(bool slack_too) const;

 private:
  struct Matrix;

  void scale(const std::vector<double>& weight) {
    for (std::size_t i = 0; i < jacobian_.size(); ++i)
      jacobian_[i] *= row_size(i) * column_size(program_.jacobian[i].col);
    double largest = 0.0;
    for (std::size_t i = 0; i < hessian_.size(); ++i) {
      hessian_[i] *= column_size(program_.hessian[i].row) * column_size(program_.hessian[i].col);
      largest = std::max(largest, std::abs(hessian_[i]));
    }
    unit_ = largest > 0.0 ? largest : 1.0;
    for (double& h : hessian_) h /= unit_;
    // What the rows press on the variables, against which the limits hold.
    double steepest = 0.0;
    for (std::size_t i = 0; i < slope_.size(); ++i)
      steepest = std::max(steepest, std::abs(slope_[i] *= size_.column[i]));
    for (std::size_t i = 0; i < weight.size(); ++i) steepest = std::max(steepest, std::abs(weight[i] / size_.row[i]));
    force_unit_ = steepest > 0.0 ? steepest : 1.0;
    for (std::size_t i = 0; i < jacobian_.size(); ++i) {
      const auto r = static_cast<std::size_t>(program_.jacobian[i].row);
      slope_[static_cast<std::size_t>(program_.jacobian[i].col)] += jacobian_[i] * weight[r] / size_.row[r];
    }
  }

  double column_size(int i) const { return size_.column[static_cast<std::size_t>(i)]; }
  double row_size(std::size_t entry) const { return size_.row[static_cast<std::size_t>(program_.jacobian[entry].row)]; }

  void find_active(const std::vector<double>& weight) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double room = std::min(x_[i] - program_.lower[i], program_.upper[i] - x_[i]) / size_.column[i];
      variable_.push_back(program_.lower[i] == program_.upper[i] ? Hold::firm
                                                                 : hold(room, std::abs(slope_[i]) / force_unit_));
    }
    std::vector<double> g(program_.row_lower.size());
    program_.rows(x_, g);
    for (std::size_t i = 0; i < g.size(); ++i) {
      const double room = std::min(g[i] - program_.row_lower[i], program_.row_upper[i] - g[i]) * size_.row[i];
      row_.push_back(program_.row_lower[i] == program_.row_upper[i]
                         ? Hold::firm
                         : hold(room, std::abs(weight[i]) / size_.row[i] / force_unit_));
    }
    const auto slack = [](const std::vector<Hold>& h) { return std::find(h.begin(), h.end(), Hold::slack) != h.end(); };
    any_slack_ = slack(variable_) || slack(row_);
  }

  const NonlinearProgram& program_;
  const std::vector<double>& x_;
  Equilibration size_;
  const std::vector<bool>& measured_;
  std::vector<double> jacobian_, hessian_, slope_;
  double unit_ = 1.0, force_unit_ = 1.0;
  std::vector<Hold> variable_, row_;
  bool any_slack_ = false;
};

// K(σ) of the free variables and the rows that hold.
struct StationaryPoint::Matrix {
  Matrix(const StationaryPoint& p, bool slack_too) : point(p) {
    const auto holds = [&](Hold h) { return h == Hold::firm || (slack_too && h == Hold::slack); };
    for (const Hold h : p.variable_) column.push_back(holds(h) ? -1 : static_cast<int>(columns++));
    for (const Hold h : p.row_) row.push_back(holds(h) ? static_cast<int>(columns + rows++) : -1);
    constexpr double regular = 1e-13;  // of rows that depend on others
    for (std::size_t i = 0; i < column.size(); ++i)
      if (column[i] >= 0) {
        if (p.measured_[i]) shifted.push_back(values.size());
        add(column[i], column[i], 0.0);
      }
    for (const int r : row)
      if (r >= 0) add(r, r, -regular);
    for (std::size_t i = 0; i < p.hessian_.size(); ++i) {
      const int a = at(column, p.program_.hessian[i].row), b = at(column, p.program_.hessian[i].col);
      if (a >= 0 && b >= 0) add(a, b, p.hessian_[i]);
    }
    for (std::size_t i = 0; i < p.jacobian_.size(); ++i) {
      const int r = at(row, p.program_.jacobian[i].row), c = at(column, p.program_.jacobian[i].col);
      if (r >= 0 && c >= 0) add(r, c, p.jacobian_[i]);
    }
    factors.emplace(columns + rows, entries, SymmetricFactors::Values::alike);
  }

  static int at(const std::vector<int>& places, int i) { return places[static_cast<std::size_t>(i)]; }
  void add(int r, int c, double value) {
    entries.push_back({r, c});
    values.push_back(value);
  }

  // How many directions of negative curvature H + σD has; nothing if there are no factors.
  std::optional<std::size_t> negative(double shift) {
    std::vector<double> v = values;
    for (const std::size_t i : shifted) v[i] = shift;
    if (!factors->factor(v)) return std::nullopt;
    return std::max(factors->negative_eigenvalues(), rows) - rows;
  }

  // Inverse iteration from a vector that has something of all directions.
  std::vector<double> direction() {
    std::vector<double> d(columns + rows, 0.0);
    for (std::size_t i = 0; i < columns; ++i) d[i] = std::cos(static_cast<double>(3 * i + 1));
    constexpr int iterations = 12;
    for (int k = 0; k < iterations; ++k) {
      std::vector<double> b(d.size(), 0.0);
      double length = 0.0;
      for (const std::size_t e : shifted) {
        const auto i = static_cast<std::size_t>(entries[e].row);
        b[i] = d[i];
        length += d[i] * d[i];
      }
      if (!(length > 0.0)) return {};
      for (double& value : b) value /= std::sqrt(length);
      factors->solve(b);
      d = std::move(b);
    }
    d.resize(columns);
    return d;
  }

  // dᵀHd, and the sum of the sizes of its terms.
  std::pair<double, double> along(const std::vector<double>& d) const {
    double sum = 0.0, sizes = 0.0;
    for (std::size_t i = 0; i < point.hessian_.size(); ++i) {
      const int a = at(column, point.program_.hessian[i].row), b = at(column, point.program_.hessian[i].col);
      if (a < 0 || b < 0) continue;
      const double term =
          (a == b ? 1.0 : 2.0) * point.hessian_[i] * d[static_cast<std::size_t>(a)] * d[static_cast<std::size_t>(b)];
      sum += term;
      sizes += std::abs(term);
    }
    return {sum, sizes};
  }

  const StationaryPoint& point;
  std::size_t columns = 0, rows = 0;
  std::vector<int> column, row;  // places in K, or -1
  std::vector<SymmetricFactors::Entry> entries;
  std::vector<double> values;
  std::vector<std::size_t> shifted;  // entries
  std::optional<SymmetricFactors> factors;
};

Curvature StationaryPoint::lowest(bool slack_too) const {
  Curvature result;
  Matrix k(*this, slack_too);
  if (k.columns == 0 || k.shifted.empty()) return {SecondOrder::minimum, {}, 0.0};
  const auto none = [&](double shift) { return k.negative(shift) == 0; };
  // Curvatures grow with the shift: what is positive with the lower one is so with all.
  if (none(-negligible)) return {SecondOrder::minimum, {}, 0.0};
  if (none(negligible)) return {SecondOrder::flat, {}, 0.0};
  // The shift that makes all curvatures positive, within a factor of two.
  double low = negligible, high = 10.0 * negligible;
  constexpr double most = 1e8;
  for (; high < most && !none(high); high *= 10.0) low = high;
  if (high >= most) return result;
  while (high > 2.0 * low) (none(std::sqrt(low * high)) ? high : low) = std::sqrt(low * high);
  if (!none(high)) return result;
  const std::vector<double> d = k.direction();
  if (d.empty()) return result;
  const auto [value, sizes] = k.along(d);
  constexpr double noise = 1e-9;  // of the terms that cancel
  if (!(value < -noise * sizes)) return result;
  result.kind = SecondOrder::saddle;
  result.value = value * unit_;
  result.direction.assign(x_.size(), 0.0);
  for (std::size_t i = 0; i < x_.size(); ++i)
    if (k.column[i] >= 0) result.direction[i] = d[static_cast<std::size_t>(k.column[i])] * size_.column[i];
  return result;
}

}  // namespace

const char* name_of(SecondOrder kind) {
  switch (kind) {
    case SecondOrder::minimum: return "minimum";
    case SecondOrder::flat: return "flat";
    case SecondOrder::saddle: return "saddle";
    default: return "unknown";
  }
}

Curvature curvature(const NonlinearProgram& program, const Solution& solution, const std::vector<bool>& measured) {
  const StationaryPoint point(program, solution, measured);
  if (!point.finite()) return {};
  const auto lock = lock_mumps();
  Curvature result = point.lowest(true);
  if (result.kind == SecondOrder::minimum && point.any_slack() && point.lowest(false).kind != SecondOrder::minimum)
    result.kind = SecondOrder::flat;
  return result;
}

}  // namespace invar
