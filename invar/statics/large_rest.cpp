// See large_rest.h.
#include "invar/statics/large_rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/math/eigen_pairs.h"
#include "invar/math/linear_solver.h"
#include "invar/program/front_factors.h"
#include "invar/statics/large_descent.h"
#include "invar/statics/slow_motions.h"
#include "invar/tape/term_size.h"

namespace invar {

namespace {

constexpr double least_force = 1e-6;    // of the largest one: less is no force at all
constexpr double least_slope = 1e-3;    // of the largest coordinate: what it would do to a constraint without terms
constexpr double rounds = 1e-14;        // of the sum of all entries of a stiffness
constexpr double least_doubt = 1e-15;   // of the terms of a force, and of a coordinate: what they are known to
constexpr double doubtful = 10.0;       // times what is seen at so few places
constexpr double same_entry = 1e-12;    // of the largest in both rows: entries on both sides of the diagonal
constexpr double least_drag = 1e-9;     // of the largest one
constexpr int longest_basis = 80;       // vectors of the Lanczos method
constexpr double settled_value = 1e-8;  // of an eigenvalue

Vector as_vector(const std::vector<double>& x) {
  return Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size()));
}

// A sparse matrix of formulas and its values at a state.
class Entries {
 public:
  Entries(const System& system, const SparseExprs& m) : pattern_(m.pattern), formulas_(system, m.value) {}

  void evaluate(const State& s) { values_ = formulas_(s); }
  const Pattern& pattern() const { return pattern_; }
  const std::vector<double>& values() const { return values_; }

  template <typename Visit>  // (row, column, value)
  void each(Visit visit) const {
    for (int j = 0; j < pattern_.cols; ++j)
      for (int k = pattern_.start[static_cast<std::size_t>(j)]; k < pattern_.start[static_cast<std::size_t>(j) + 1];
           ++k)
        visit(pattern_.row[static_cast<std::size_t>(k)], j, values_[static_cast<std::size_t>(k)]);
  }
  Vector times(const Vector& x) const {
    Vector y = Vector::Zero(pattern_.rows);
    each([&](int i, int j, double value) { y[i] += value * x[j]; });
    return y;
  }
  Vector sizes_times(const Vector& x) const {
    Vector y = Vector::Zero(pattern_.rows);
    each([&](int i, int j, double value) { y[i] += std::abs(value) * x[j]; });
    return y;
  }
  bool all_finite() const {
    return std::ranges::all_of(values_, [](double x) { return std::isfinite(x); });
  }

 private:
  Pattern pattern_;
  StateFunction formulas_;
  std::vector<double> values_;
};

class LargeRest {
 public:
  LargeRest(const System& system, const State& start)
      : system_(system),
        start_(start),
        e_(equations(system)),
        n_(static_cast<Eigen::Index>(e_.q.size())),
        m_(static_cast<Eigen::Index>(e_.constraint.size())),
        force_(system, e_.dynamics),
        force_size_(system, term_sizes(e_.dynamics)),
        constraint_(system, e_.constraint),
        constraint_size_(system, term_sizes(e_.constraint)),
        K_(system, jacobian(e_.dynamics, e_.q)),
        D_(system, jacobian(e_.dynamics, e_.v)),
        M_(system, e_.mass()),
        G_(system, e_.gradient) {}

  // Does every coordinate have a place that matters?
  bool suits() const {
    for (Eigen::Index j = 0; j < n_; ++j)
      if (column_size(K_, j) == 0 && (m_ == 0 || column_size(G_, j) == 0)) return false;
    return true;
  }

  Rest find(const RestOptions& options) {
    Rest rest;
    if (!follow_path(options, rest) && (options.follow || options.method == RestMethod::path || !go_downhill(rest)))
      return rest;
    evaluate(rest.point.state);
    measure(rest.point);
    rest.found =
        rest.point.is_finite && rest.point.imbalance <= options.tolerance && rest.point.violation <= options.tolerance;
    if (rest.found)
      judge(rest);
    else
      rest.reason = fmt::format("{:.1e} of the forces are left", rest.point.imbalance);
    return rest;
  }

 private:
  static int column_size(const Entries& m, Eigen::Index j) {
    const auto c = static_cast<std::size_t>(j);
    return m.pattern().start[c + 1] - m.pattern().start[c];
  }

  bool follow_path(const RestOptions& options, Rest& rest) {
    const std::optional<LoadPath> path = follow_load_path(system_, start_, options.follow, options.visit);
    expects(path.has_value(), "constraints at position level");
    rest.by = RestMethod::path;
    rest.steps = path->steps;
    rest.turns = path->turns;
    rest.reason = path->reason;
    rest.point.state = path->end;
    return path->complete;
  }
  bool go_downhill(Rest& rest) {
    LargeDescent way = descend_sparsely(system_, start_, row_lengths(start_));
    rest.by = RestMethod::minimum;
    rest.steps = way.steps;
    rest.turns.clear();
    rest.reason = way.reason;
    rest.point.state = std::move(way.end);
    return way.settled;
  }

  void evaluate(const State& s) {
    for (Entries* part : {&K_, &D_, &M_, &G_}) part->evaluate(s);
    terms_ = as_vector(force_size_(s)) + K_.sizes_times(as_vector(s.q).cwiseAbs());
  }

  // Of L, for the mass matrix L Lᵀ.
  Vector row_lengths(const State& s) {
    M_.evaluate(s);
    Vector mass = Vector::Zero(n_);
    M_.each([&](int i, int j, double value) {
      if (i == j) mass[i] = value;
    });
    const double filler = mass.maxCoeff() > 0.0 ? 1e-3 * mass.maxCoeff() : 1.0;
    return (mass.array() > 0.0).select(mass, filler).cwiseSqrt();
  }

  // As of the dense ones.
  void measure(StaticPoint& p) {
    p.unit = row_lengths(p.state);
    const Vector q = as_vector(p.state.q), r = as_vector(force_(p.state));
    p.size = std::max(p.unit.cwiseProduct(q).norm(), p.unit.cwiseProduct(as_vector(start_.q)).norm());
    p.is_finite = r.allFinite() && p.unit.allFinite() && K_.all_finite() && G_.all_finite() && D_.all_finite();
    if (!p.is_finite) return;
    p.force_scale = terms_.cwiseQuotient(p.unit).maxCoeff();
    for (Eigen::Index i = 0; i < n_; ++i)
      if (r[i] != 0.0)
        p.imbalance = std::max(p.imbalance, std::abs(r[i]) / (terms_[i] + least_force * p.force_scale * p.unit[i]));
    const Vector value = as_vector(constraint_(p.state));
    limits_ = as_vector(constraint_size_(p.state)) +
              least_slope * G_.sizes_times(Vector::Constant(n_, q.cwiseAbs().maxCoeff()));
    for (Eigen::Index c = 0; c < m_; ++c)
      if (value[c] != 0.0) p.violation = std::max(p.violation, std::abs(value[c]) / limits_[c]);
  }

  static std::vector<double> mirrored(const Entries& m) {
    const auto rows = by_rows(m.pattern());
    std::vector<double> values;
    m.each([&](int i, int j, double) {
      const auto& row = rows[static_cast<std::size_t>(j)];
      const auto found = std::ranges::lower_bound(row, i, {}, &PatternEntry::col);
      values.push_back(found == row.end() || found->col != i ? 0.0 : m.values()[found->place]);
    });
    return values;
  }

  bool has_potential() const {
    Vector largest = Vector::Zero(n_);  // by rows
    K_.each([&](int i, int, double value) { largest[i] = std::max(largest[i], std::abs(value)); });
    const std::vector<double> other = mirrored(K_);
    std::size_t place = 0;
    bool symmetric = true;
    K_.each([&](int i, int j, double value) {
      symmetric = symmetric && std::abs(value - other[place++]) <= same_entry * std::sqrt(largest[i] * largest[j]);
    });
    return symmetric;
  }

  // Does resistance take energy, whatever moves?
  bool is_dissipative(const Vector& unit) const {
    double largest = 0.0;
    D_.each([&](int i, int j, double value) { largest = std::max(largest, std::abs(value) / (unit[i] * unit[j])); });
    if (largest == 0.0) return true;
    const std::vector<double> other = mirrored(D_);
    std::vector<SymmetricEntry> entries;
    std::vector<double> values;
    for (int i = 0; i < n_; ++i) {
      entries.push_back({i, i});
      values.push_back(least_drag * largest * unit[i] * unit[i]);
    }
    bool symmetric = true;
    D_.each([&](int i, int j, double value) {
      const double beyond = other[values.size() - static_cast<std::size_t>(n_)];
      symmetric = symmetric && std::abs(value - beyond) <= same_entry * largest * unit[i] * unit[j];
      entries.push_back({i, j});
      values.push_back(i == j ? value : 0.5 * value);
    });
    FrontFactors factors(static_cast<std::size_t>(n_), entries);
    return symmetric && factors.factor(values) && factors.negative_eigenvalues() == 0;
  }

  void judge(Rest& rest) {
    Stability& s = rest.stability;
    s.kind = StabilityKind::not_judged;
    if (!has_potential() || !is_dissipative(rest.point.unit)) return judge_by_slow_motions(rest.point.unit, s);
    s.by_energy = true;
    std::vector<SymmetricEntry> entries;
    std::vector<double> values;
    K_.each([&](int i, int j, double value) {
      if (i < j) return;
      entries.push_back({i, j});
      values.push_back(value);
    });
    G_.each([&](int c, int j, double value) {
      entries.push_back({static_cast<int>(n_) + c, j});
      values.push_back(value);
    });
    FrontFactors factors(static_cast<std::size_t>(n_ + m_), entries);
    s.kind = StabilityKind::indifferent;
    if (!factors.factor(values)) return;
    const auto downhill = static_cast<Eigen::Index>(factors.negative_eigenvalues()) - m_;
    if (downhill < 0) {
      rest.singular = true;
      return;
    }
    find_slow_motions(factors, downhill);
    const Entries there = stiffness_elsewhere(rest.point, factors);
    bool open = false;
    for (const Slow& slow : slow_) {
      const bool nothing = std::abs(slow.value) <= blur(slow.shape, there);
      open = open || nothing;
      const std::complex<double> root = nothing ? 0.0 : std::sqrt(std::complex<double>(-slow.value, 0.0));
      s.eigenvalues.insert(s.eigenvalues.end(), {root, -root});
      s.growth = std::max(s.growth, root.real());
      const double f = root.imag() / (2.0 * std::numbers::pi);
      if (f > 0.0 && (s.lowest_frequency == 0.0 || f < s.lowest_frequency)) s.lowest_frequency = f;
    }
    const bool falls = s.growth > 0.0 || (downhill > 0 && !open);
    s.kind = falls ? StabilityKind::unstable : open ? StabilityKind::indifferent : StabilityKind::stable;
    std::ranges::sort(s.eigenvalues, [](const auto& a, const auto& b) {
      return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
    });
  }

  // One that grows is enough; that none of the slowest does says nothing of the others.
  void judge_by_slow_motions(const Vector& unit, Stability& s) {
    LinearSolver factors(matrix_pattern(), LinearSolver::Kind::any_pivots);
    if (!factors.factor(matrix_values())) return;
    SmallMotions motions;
    motions.push = [&](const Vector& force) -> Vector {
      Vector b = Vector::Zero(n_ + m_);
      b.head(n_) = force;
      factors.solve({b.data(), static_cast<std::size_t>(b.size())});
      return b.head(n_);
    };
    motions.mass = [&](const Vector& x) { return M_.times(x); };
    motions.damping = [&](const Vector& x) { return D_.times(x); };
    motions.unit = unit.cwiseInverse();
    const SlowMotions slowest = slowest_motions(motions);
    for (std::size_t k = 0; k < slowest.values.size(); ++k) {
      const std::complex<double> root = slowest.values[k];
      if (root.real() > 3.0 * slowest.uncertainty[k]) s.growth = std::max(s.growth, root.real());
      const double f = std::abs(root.imag()) / (2.0 * std::numbers::pi);
      if (std::abs(root.imag()) > slowest.uncertainty[k] && (s.lowest_frequency == 0.0 || f < s.lowest_frequency))
        s.lowest_frequency = f;
    }
    s.eigenvalues = slowest.values;
    std::ranges::sort(s.eigenvalues, [](const auto& a, const auto& b) {
      return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
    });
    if (s.growth > 0.0) s.kind = StabilityKind::unstable;
  }

  // [K Gᵀ; G 0] by columns.
  Pattern matrix_pattern() const {
    Pattern p;
    p.rows = p.cols = static_cast<int>(n_ + m_);
    each_of_matrix([&](int row, double) { p.row.push_back(row); },
                   [&] { p.start.push_back(static_cast<int>(p.row.size())); });
    return p;
  }
  std::vector<double> matrix_values() const {
    std::vector<double> values;
    each_of_matrix([&](int, double value) { values.push_back(value); }, [] {});
    return values;
  }
  template <typename Visit, typename Close>
  void each_of_matrix(Visit visit, Close close) const {
    const auto n = static_cast<int>(n_);
    const auto column = [&](const Entries& m, int j, int first_row) {
      const Pattern& p = m.pattern();
      for (int k = p.start[static_cast<std::size_t>(j)]; k < p.start[static_cast<std::size_t>(j) + 1]; ++k)
        visit(first_row + p.row[static_cast<std::size_t>(k)], m.values()[static_cast<std::size_t>(k)]);
    };
    for (int j = 0; j < n; ++j) {
      column(K_, j, 0);
      if (m_ > 0) column(G_, j, n);
      close();
    }
    if (m_ == 0) return;
    for (const std::vector<PatternEntry>& row : by_rows(G_.pattern())) {
      for (const PatternEntry& e : row) visit(e.col, G_.values()[e.place]);
      close();
    }
  }

  Vector solved(FrontFactors& factors, const Vector& top, const Vector& bottom) const {
    std::vector<double> b(static_cast<std::size_t>(n_ + m_));
    std::ranges::copy(top, b.begin());
    std::ranges::copy(bottom, b.begin() + n_);
    factors.solve(b);
    return as_vector(b);
  }

  struct Slow {
    double value;  // ω²
    Vector shape;  // of which xᵀ M x = 1
  };

  // Those nearest to ω² = 0, and so many that all `downhill` ones are among them, if the basis is long enough.
  void find_slow_motions(FrontFactors& factors, Eigen::Index downhill) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    const Vector nothing = Vector::Zero(m_);
    const auto apply = [&](const Vector& Mx) -> Vector { return solved(factors, Mx, nothing).head(n_); };
    Vector x(n_);
    for (double& value : x) value = normal(random);
    x = apply(M_.times(apply(M_.times(x))));
    Matrix V(n_, longest_basis + 1), MV(n_, longest_basis + 1);
    std::vector<double> diagonal, beside;
    Vector Mx = M_.times(x);
    double length = std::sqrt(x.dot(Mx));
    for (Eigen::Index k = 0; k < longest_basis && length > 0.0 && std::isfinite(length); ++k) {
      poll_interrupt();
      V.col(k) = x / length, MV.col(k) = Mx / length;
      x = apply(MV.col(k));
      diagonal.push_back(MV.col(k).dot(x));
      for (int pass = 0; pass < 2; ++pass) x -= V.leftCols(k + 1) * (MV.leftCols(k + 1).transpose() * x);
      Mx = M_.times(x);
      length = std::sqrt(std::max(0.0, x.dot(Mx)));
      beside.push_back(length);
      const bool look = (k + 1) % 10 == 0 || k + 1 == std::min<Eigen::Index>(longest_basis, n_) || length == 0.0;
      if (look && read_basis(V, diagonal, beside, downhill)) return;
    }
  }

  // The eigenvalues that the basis has found; whether these are enough.
  bool read_basis(const Matrix& V, const std::vector<double>& diagonal, const std::vector<double>& beside,
                  Eigen::Index downhill) {
    const auto k = static_cast<Eigen::Index>(diagonal.size());
    Matrix T = Matrix::Zero(k, k);
    for (Eigen::Index i = 0; i < k; ++i) {
      T(i, i) = diagonal[static_cast<std::size_t>(i)];
      if (i + 1 < k) T(i, i + 1) = T(i + 1, i) = beside[static_cast<std::size_t>(i)];
    }
    const SymmetricEigen parts = symmetric_eigen(T);
    slow_.clear();
    Eigen::Index falling = 0;
    bool rises = false;
    for (Eigen::Index i = 0; i < k; ++i) {
      const double theta = parts.values[i];
      if (std::abs(beside.back() * parts.vectors(k - 1, i)) > settled_value * std::abs(theta)) continue;
      slow_.push_back({1.0 / theta, V.leftCols(k) * parts.vectors.col(i)});
      falling += theta < 0.0;
      rises = rises || theta > 0.0;
    }
    return rises && falling >= downhill;
  }

  // The stiffness where the forces that are left, or rounding of their terms, could as well have led.
  Entries stiffness_elsewhere(const StaticPoint& p, FrontFactors& factors) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    Vector force = std::max(least_doubt, p.imbalance) * terms_;
    Vector gap = std::max(least_doubt, p.violation) * limits_;
    for (double& value : force) value *= normal(random);
    for (double& value : gap) value *= normal(random);
    const Vector off = solved(factors, force, gap);
    State s = p.state;
    for (std::size_t i = 0; i < s.q.size(); ++i)
      s.q[i] += off[static_cast<Eigen::Index>(i)] + least_doubt * s.q[i] * normal(random);
    for (std::size_t c = 0; c < s.lambda.size(); ++c) s.lambda[c] += off[n_ + static_cast<Eigen::Index>(c)];
    Entries there = K_;
    there.evaluate(s);
    return there;
  }

  double blur(const Vector& x, const Entries& there) const {
    const Vector size = x.cwiseAbs();
    return rounds * size.dot(K_.sizes_times(size)) + doubtful * std::abs(x.dot(there.times(x) - K_.times(x)));
  }

  const System& system_;
  State start_;
  Equations e_;
  Eigen::Index n_, m_;
  StateFunction force_, force_size_, constraint_, constraint_size_;
  Entries K_, D_, M_, G_;
  Vector terms_, limits_;  // what forces and constraints are made of
  std::vector<Slow> slow_;
};

}  // namespace

std::optional<Rest> find_large_rest(const System& system, const State& start, const RestOptions& options) {
  const auto at_positions = [](const Constraint& c) { return c.level == Level::position; };
  if (options.method != RestMethod::automatic && options.method != RestMethod::path && !options.follow)
    return std::nullopt;
  if (!std::ranges::all_of(system.constraints, at_positions)) return std::nullopt;
  LargeRest search(system, start);
  if (!search.suits()) return std::nullopt;
  return search.find(options);
}

}  // namespace invar
