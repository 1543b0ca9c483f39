// See space_time.h.
#include "invar/task/space_time.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "invar/expr/error.h"
#include "invar/math/matrix.h"
#include "invar/math/newton.h"

namespace invar {

namespace {

std::size_t at_index(int i) { return static_cast<std::size_t>(i); }

// By instant (row) and unknown (column).
using Values = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

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

  // Solves for the inner rows of x.
  NewtonResult solve(Values& x) {
    std::vector<int> group;
    for (Eigen::Index k = 1; k < intervals_; ++k)
      for (std::size_t j = 0; j < size_; ++j) group.push_back(static_cast<int>(j));
    NewtonOptions options;
    options.tolerance = 1e-11;  // of rows whose terms are 1/h² larger than the accelerations in them
    Newton newton(pattern_, options, std::move(group), LinearSolver::Kind::banded);
    x_ = x;
    const Newton::Evaluate evaluate = [&](std::span<const double> inner, std::span<double> r, std::span<double> jac) {
      std::copy(inner.begin(), inner.end(), x_.data() + size_);
      fill(r, jac);
    };
    return newton.solve(evaluate, {x.data() + size_, (static_cast<std::size_t>(intervals_) - 1) * size_});
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
      jet.x[j] = {now, (after - before) / (2.0 * h_), ((after - now) - (now - before)) / (h_ * h_)};
    }
  }

 private:
  // Where the partial ∂f_i/∂x_j^(r) of an instant stands in the columns of x_j one instant earlier, there, and one later.
  struct Place {
    std::size_t unknown;
    std::array<int, 3> offset;  // within the rows of that instant; -1 if the column has none
    std::array<double, 3> factor;
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
    const double first = 0.5 / h_, second = 1.0 / (h_ * h_);
    for (const Partial& p : list) {
      const Column& column = columns_[at_index(p.unknown)];
      const int near = offset(column.same, p.equation), far = offset(column.next, p.equation);
      Place place{at_index(p.unknown), {far, near, far}, {0.0, 1.0, 0.0}};
      if (p.order == 1) place.factor = {-first, 0.0, first};
      if (p.order == 2) place.factor = {second, -2.0 * second, second};
      if (p.order == 0) place.offset = {-1, near, -1};
      places_.push_back(place);
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

  void fill(std::span<double> r, std::span<double> jac) {
    std::fill(jac.begin(), jac.end(), 0.0);
    const auto inner = static_cast<std::size_t>(intervals_) - 1;
    for (std::size_t k = 0; k < inner; ++k) {
      jet_at(x_, static_cast<Eigen::Index>(k) + 1, jet_);
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
          jac[begin(k + s - 1, place.unknown, k) + at_index(place.offset[s])] += place.factor[s] * value;
        }
      }
    }
  }

  JetEvaluator& evaluator_;
  const Dae& dae_;
  std::vector<int> row_;  // of each equation: that of its partner, so that the diagonal has no structural zero
  double first_, h_;
  Eigen::Index intervals_;
  std::size_t size_;
  std::vector<Column> columns_;
  std::vector<Place> places_;
  Pattern pattern_;
  Values x_;
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

// All numbers of jets that correspond.
template <class Combine>
void combine(std::vector<Jet>& jets, const std::vector<Jet>& others, const Combine& f) {
  for (std::size_t k = 0; k < jets.size(); ++k)
    for (std::size_t j = 0; j < jets[k].x.size(); ++j)
      for (std::size_t r = 0; r < jets[k].x[j].size(); ++r) f(jets[k].x[j][r], others[k].x[j][r]);
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
    const NewtonResult result = mesh.solve(x);
    motion.iterations += result.iterations;
    if (result.status != NewtonStatus::converged) {
      if (level < 2) return motion;
      break;
    }
    std::vector<std::vector<Jet>> row(1);
    for (Eigen::Index k = 0; k < coarse; ++k) mesh.jet_at(x, k * parts, row[0].emplace_back());
    double power = 1.0;
    for (const std::vector<Jet>& before : table) {
      power *= 4.0;
      row.push_back(row.back());
      combine(row.back(), before, [&](double& fine, double other) { fine += (fine - other) / (power - 1.0); });
    }
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
