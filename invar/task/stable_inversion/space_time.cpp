// See space_time.h.
#include "invar/task/stable_inversion/space_time.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "invar/base/error.h"
#include "invar/dae/array_rank.h"
#include "invar/math/linear_solver.h"
#include "invar/math/matrix.h"

namespace invar {

namespace {

// By instant (row) and unknown (column).
using Values = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Iteration {
  bool converged;
  int iterations;
};

// The discrete equations on one mesh, for Newton's method: unknown (k, j) of the inner instants k = 1 … N-1.
class Mesh {
 public:
  Mesh(JetEvaluator& evaluator, const Dae& dae, const Offsets& offsets, double first, double h, Eigen::Index intervals)
      : evaluator_(evaluator),
        dae_(dae),
        row_(offsets.partner),
        first_(first),
        h_(h),
        intervals_(intervals),
        size_(evaluator.size()) {
    find_places();
    make_pattern();
  }

  double step() const { return h_; }

  // Solves for the inner rows of x by full Newton steps; the steps of math/newton.h, shortened where they must be,
  // would hide that the motion has been made faster by too much at once. With `inertia` σ < 1 the motion is slowed down
  // by √σ, which makes velocities √σ and accelerations σ as large.
  Iteration solve(double inertia, Values& x) {
    constexpr int max_iterations = 15;
    constexpr double quadratic = 1e-7, converged = 1e-9, stays = 0.5, too_far = 1e3;
    inertia_ = inertia;
    LinearSolver solver(pattern_, LinearSolver::Kind::banded);
    std::vector<double> r(pattern_.rows), jac(pattern_.size());
    double before = too_far;
    for (int n = 1; n <= max_iterations; ++n) {
      fill(x, r, jac);
      if (!solver.factor(jac)) return {false, n};
      for (double& value : r) value = -value;
      solver.solve(r);
      const Eigen::Map<const Values> step(r.data(), intervals_ - 1, x.cols());
      x.middleRows(1, intervals_ - 1) += step;
      const auto largest = x.cwiseAbs().colwise().maxCoeff().array().max(1e-300);
      const double change = (step.cwiseAbs().colwise().maxCoeff().array() / largest).maxCoeff();
      if (!(change < too_far)) return {false, n};
      if (change < quadratic || (change < converged && change > stays * before)) return {true, n};
      before = change;
    }
    return {false, max_iterations};
  }

  // The same from rests: the motion is slowed down until it can be found from them, and then made faster step by step.
  Iteration solve_from_rests(Values& x) {
    constexpr double smallest = 1.0 / 256.0;
    const Values rests = x;
    Iteration all = solve(1.0, x);
    if (all.converged) return all;
    Values before = rests, now = rests;
    double done = 0.0, last = 0.0;
    for (double step = 0.25; done < 1.0 && step >= smallest;) {
      const double next = std::min(1.0, done + step);
      x = now;
      if (last > 0.0) x += (next - done) / last * (now - before);
      const Iteration one = solve(next, x);
      all.iterations += one.iterations;
      if (!one.converged) {
        step /= 2.0;
        continue;
      }
      before = now;
      now = x;
      last = next - done;
      done = next;
      step *= 1.5;
    }
    return {done >= 1.0, all.iterations};
  }

  // The unknowns at instant k with their differences.
  void jet_at(const Values& x, Eigen::Index k, Jet& jet) const {
    jet.t = first_ + static_cast<double>(k) * h_;
    jet.x.resize(size_);
    for (std::size_t j = 0; j < size_; ++j) {
      const auto c = static_cast<Eigen::Index>(j);
      if (dae_.unknowns[j].kind != UnknownKind::coordinate) {
        jet.x[j] = {x(k, c)};
        continue;
      }
      if (k == 0 || k == intervals_) {
        jet.x[j] = {x(k, c), 0.0, 0.0};
        continue;
      }
      const double before = x(k - 1, c), now = x(k, c), after = x(k + 1, c);
      jet.x[j] = {now, std::sqrt(inertia_) * (after - before) / (2.0 * h_),
                  inertia_ * ((after - now) - (now - before)) / (h_ * h_)};
    }
  }

 private:
  // Where the partial ∂f_i/∂x_j^(r) of an instant stands in the columns of x_j one instant earlier, there, and one
  // later.
  struct Place {
    std::size_t unknown;
    int order;
    std::array<int, 3> offset;  // within the rows of that instant; -1 if the column has none
  };

  // Rows of one column, by the instant that they belong to: one before that of the column, the same, one after.
  struct Column {
    std::vector<int> same, next;
  };

  void find_places() {
    columns_.resize(size_);
    const std::vector<Partial>& list = evaluator_.partial_list();
    for (const Partial& p : list) {
      Column& column = columns_[at_index(p.unknown)];
      column.same.push_back(row_[at_index(p.equation)]);
      if (p.order > 0) column.next.push_back(row_[at_index(p.equation)]);
    }
    for (Column& column : columns_)
      for (std::vector<int>* rows : {&column.same, &column.next}) {
        std::sort(rows->begin(), rows->end());
        rows->erase(std::unique(rows->begin(), rows->end()), rows->end());
      }
    const auto offset = [this](const std::vector<int>& rows, int equation) {
      const int row = row_[at_index(equation)];
      const auto found = std::lower_bound(rows.begin(), rows.end(), row);
      return found != rows.end() && *found == row ? static_cast<int>(found - rows.begin()) : -1;
    };
    for (const Partial& p : list) {
      const Column& column = columns_[at_index(p.unknown)];
      const int near = offset(column.same, p.equation), far = offset(column.next, p.equation);
      if (p.order == 0)
        places_.push_back({at_index(p.unknown), p.order, {-1, near, -1}});
      else
        places_.push_back({at_index(p.unknown), p.order, {far, near, far}});
    }
  }

  void make_pattern() {
    const auto inner = static_cast<int>(intervals_) - 1, n = static_cast<int>(size_);
    pattern_.rows = pattern_.cols = inner * n;
    for (int k = 0; k < inner; ++k)
      for (const Column& column : columns_) {
        if (k > 0)
          for (const int i : column.next) pattern_.row.push_back((k - 1) * n + i);
        for (const int i : column.same) pattern_.row.push_back(k * n + i);
        if (k + 1 < inner)
          for (const int i : column.next) pattern_.row.push_back((k + 1) * n + i);
        pattern_.start.push_back(static_cast<int>(pattern_.row.size()));
      }
  }

  // Where the rows of instant `row` begin in column (k, j); all counted from the first inner instant.
  std::size_t begin(std::size_t k, std::size_t j, std::size_t row) const {
    auto place = at_index(pattern_.start[k * size_ + j]);
    if (row + 1 > k && k > 0) place += columns_[j].next.size();
    if (row > k) place += columns_[j].same.size();
    return place;
  }

  void fill(const Values& x, std::span<double> r, std::span<double> jac) {
    std::fill(jac.begin(), jac.end(), 0.0);
    const double first = 0.5 * std::sqrt(inertia_) / h_, second = inertia_ / (h_ * h_);
    const std::array<std::array<double, 3>, 3> factor = {
        {{0.0, 1.0, 0.0}, {-first, 0.0, first}, {second, -2.0 * second, second}}};
    const auto inner = static_cast<std::size_t>(intervals_) - 1;
    for (std::size_t k = 0; k < inner; ++k) {
      jet_at(x, static_cast<Eigen::Index>(k) + 1, jet_);
      const std::span<const double> f = evaluator_.series(jet_, 0);
      for (std::size_t i = 0; i < size_; ++i) r[k * size_ + at_index(row_[i])] = f[i];
      const std::span<const double> varying = evaluator_.varying_series();
      for (std::size_t p = 0; p < places_.size(); ++p) {
        const Place& place = places_[p];
        const int where = evaluator_.varying_place(p);
        const double value =
            where == JetEvaluator::constant_partial ? evaluator_.constant_value(p) : varying[at_index(where)];
        for (std::size_t s = 0; s < 3; ++s) {
          if (place.offset[s] < 0 || (s == 0 && k == 0) || (s == 2 && k + 1 == inner)) continue;
          jac[begin(k + s - 1, place.unknown, k) + at_index(place.offset[s])] +=
              factor[at_index(place.order)][s] * value;
        }
      }
    }
  }

  JetEvaluator& evaluator_;
  const Dae& dae_;
  std::vector<int> row_;  // of each equation: that of its partner, so that the diagonal has no structural zero
  double first_, h_, inertia_ = 1.0;
  Eigen::Index intervals_;
  std::size_t size_;
  std::vector<Column> columns_;
  std::vector<Place> places_;
  Pattern pattern_;
  Jet jet_;
};

// On a mesh of half the step: new instants from the cubic through their neighbours.
Values halved(const Values& x) {
  const Eigen::Index n = x.rows();
  Values fine(2 * n - 1, x.cols());
  for (Eigen::Index k = 0; k < n; ++k) fine.row(2 * k) = x.row(k);
  for (Eigen::Index k = 0; k + 1 < n; ++k) {
    fine.row(2 * k + 1) = 0.5 * (x.row(k) + x.row(k + 1));
    if (k > 0 && k + 2 < n) fine.row(2 * k + 1) += (x.row(k) + x.row(k + 1) - x.row(k - 1) - x.row(k + 2)) / 16.0;
  }
  return fine;
}

// One more term of the error removed: `fine` and `coarse` have lost m terms already.
std::vector<Jet> extrapolated(std::vector<Jet> fine, const std::vector<Jet>& coarse, int m) {
  const double ratio = std::pow(4.0, m + 1) - 1.0;
  for (std::size_t k = 0; k < fine.size(); ++k)
    for (std::size_t j = 0; j < fine[k].x.size(); ++j)
      for (std::size_t r = 0; r < fine[k].x[j].size(); ++r)
        fine[k].x[j][r] += (fine[k].x[j][r] - coarse[k].x[j][r]) / ratio;
  return fine;
}

// Largest difference of the inputs, relative to the largest of all; that of one input is compared with its own size.
double difference(const Dae& dae, const std::vector<Jet>& a, const std::vector<Jet>& b) {
  double worst = 0.0;
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j) {
    if (dae.unknowns[j].kind != UnknownKind::input) continue;
    double largest = 1e-300, change = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      largest = std::max(largest, std::abs(a[k].x[j][0]));
      change = std::max(change, std::abs(a[k].x[j][0] - b[k].x[j][0]));
    }
    worst = std::max(worst, change / largest);
  }
  return worst;
}

// Compared with the steady speeds of the states of rest.
double speed_next_to_ends(const Dae& dae, const std::vector<Jet>& jets, const std::vector<Jet>& rest) {
  double worst = 0.0;
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j) {
    if (jets[1].x[j].size() < 2) continue;
    double largest = 1e-300;
    for (const Jet& jet : jets) largest = std::max(largest, std::abs(jet.x[j][1]));
    const auto steady = [&](const Jet& jet) { return jet.x[j].size() > 1 ? jet.x[j][1] : 0.0; };
    const double first = jets[1].x[j][1] - steady(rest.front()),
                 last = jets[jets.size() - 2].x[j][1] - steady(rest.back());
    worst = std::max({worst, std::abs(first) / largest, std::abs(last) / largest});
  }
  return worst;
}

}  // namespace

bool suits_space_time(const JetEvaluator& evaluator, const Dae& dae) {
  for (const Partial& p : evaluator.partial_list()) {
    const bool dynamics = dae.equations[at_index(p.equation)].kind == EquationKind::dynamics;
    const bool coordinate = dae.unknowns[at_index(p.unknown)].kind == UnknownKind::coordinate;
    if (p.order > (dynamics && coordinate ? 2 : 0)) return false;
  }
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j)
    if (evaluator.highest(j) == 1) return false;
  return true;
}

std::vector<double> instants(const SpaceTimeSettings& settings) {
  const double h = settings.step;
  const auto from = static_cast<long>(std::floor((settings.first - settings.origin) / h + 1e-9)),
             to = static_cast<long>(std::ceil((settings.last - settings.origin) / h - 1e-9));
  std::vector<double> t;
  for (long k = from; k <= to; ++k) t.push_back(settings.origin + static_cast<double>(k) * h);
  return t;
}

SpaceTimeMotion space_time(JetEvaluator& evaluator, const Dae& dae, const Offsets& offsets,
                           const SpaceTimeSettings& settings, const std::vector<Jet>& guess) {
  expects(guess.size() > 3, "some instants between the ends");
  const auto coarse = static_cast<Eigen::Index>(guess.size());
  Values x(coarse, static_cast<Eigen::Index>(evaluator.size()));
  for (Eigen::Index k = 0; k < coarse; ++k)
    for (Eigen::Index j = 0; j < x.cols(); ++j)
      x(k, j) = guess[static_cast<std::size_t>(k)].x[static_cast<std::size_t>(j)][0];
  SpaceTimeMotion motion;
  // table[m]: the last solution with m terms of the error removed
  std::vector<std::vector<Jet>> table;
  for (int level = 0; level <= settings.halvings; ++level) {
    const Eigen::Index parts = Eigen::Index{1} << level;
    if (level > 0) x = halved(x);
    Mesh mesh(evaluator, dae, offsets, guess.front().t, settings.step / static_cast<double>(parts), x.rows() - 1);
    const Iteration result = level == 0 ? mesh.solve_from_rests(x) : mesh.solve(1.0, x);
    motion.iterations += result.iterations;
    if (!result.converged) {
      if (level < 2) return motion;
      break;
    }
    std::vector<std::vector<Jet>> row(1);
    for (Eigen::Index k = 0; k < coarse; ++k) mesh.jet_at(x, k * parts, row[0].emplace_back());
    for (std::size_t m = 0; m < table.size(); ++m)
      row.push_back(extrapolated(row.back(), table[m], static_cast<int>(m)));
    if (level > 0) {
      const double error = difference(dae, row.back(), table.back());
      if (level > 1 && error > motion.error) break;  // rounding has taken over
      motion.error = error;
    }
    table = std::move(row);
    if (level > 0 && motion.error < settings.tolerance) break;
  }
  motion.jets = table.back();
  motion.loose_ends = speed_next_to_ends(dae, motion.jets, guess);
  motion.converged = true;
  return motion;
}

}  // namespace invar
