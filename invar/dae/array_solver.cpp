// See array_solver.h.
#include "invar/dae/array_solver.h"

#include <algorithm>
#include <cmath>

#include "invar/math/decompositions.h"

namespace invar {

namespace {

// A row of the null space below this counts as zero: rounding errors over the smallest singular value that counts.
constexpr double free_above = 1e-6;

// Of a sum of a few terms, relative to the largest.
constexpr double rounding = 2e-15;

// Of what the partials themselves are, where their terms cancel, in natural units.
constexpr double natural_rounding = 1e-13;

// Columns are chosen again when the condition has dropped to this part of what it was.
constexpr double much_worse = 1e-3;

// So many solutions are extrapolated, over at most so many of their own steps.
constexpr std::size_t most_past = 6;
constexpr double farthest = 1.5;

// Kept factors serve while each step is so much smaller than the one before, or at the level of rounding.
constexpr double kept_contraction = 0.01, rounding_level = 1e-11;

bool contains(const std::vector<Derivative>& list, const Derivative& z) {
  return std::find(list.begin(), list.end(), z) != list.end();
}

Eigen::ColPivHouseholderQR<Matrix> pivoted(const Matrix& A) {
  Eigen::ColPivHouseholderQR<Matrix> qr;
  qr.setThreshold(array_rank_tolerance);
  qr.compute(A);
  return qr;
}

}  // namespace

ArraySolver::ArraySolver(const Dae& dae, const Offsets& offsets, const ArrayVerdict& verdict)
    : evaluator_(dae),
      offsets_(offsets),
      k_(verdict.k),
      states_(verdict.states),
      shape_(array_shape(offsets, verdict.k, dae.units)),
      roles_(array_roles(shape_, evaluator_, offsets, dae, verdict.k)) {}

void ArraySolver::give_room(const Jet& jet, Jet& room) const {
  room = jet;
  for (std::size_t j = 0; j < room.x.size(); ++j) room.x[j].resize(at_index(offsets_.d[j] + k_ + 1), 0.0);
}

Jet ArraySolver::with_room(const Jet& jet) const {
  Jet room;
  give_room(jet, room);
  return room;
}

bool ArraySolver::choose_columns(const Jet& jet) {
  past_.clear();
  factored_ = false;
  array_ = evaluator_.array(jet, shape_.rows, shape_.columns);
  if (!array_.allFinite()) return false;
  tau_ = array_ranks(array_, shape_, roles_).tau;
  scale_ = array_scale(array_, shape_, tau_);
  std::vector<int> candidates;
  for (std::size_t z = 0; z < shape_.columns.size(); ++z)
    if (!contains(states_, shape_.columns[z])) candidates.push_back(static_cast<int>(z));
  const Matrix scaled =
      scale_.row.asDiagonal() * array_(Eigen::all, candidates) * scale_.column(candidates).asDiagonal();
  const auto qr = pivoted(scaled);
  const Eigen::Index rank = qr.rank(), free = scaled.cols() - rank;
  if (rank == 0) return false;
  columns_.clear();
  for (Eigen::Index i = 0; i < rank; ++i) columns_.push_back(candidates[at_index(qr.colsPermutation().indices()[i])]);

  // The null space is (-R1⁻¹ R2; 1) in this order of columns.
  Matrix dependence = qr.matrixR().topRightCorner(rank, free);
  if (free > 0) qr.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(dependence);
  determined_.assign(shape_.columns.size(), false);
  for (Eigen::Index i = 0; i < rank; ++i)
    determined_[at_index(columns_[at_index(static_cast<int>(i))])] = free == 0 || dependence.row(i).norm() < free_above;
  for (std::size_t z = 0; z < shape_.columns.size(); ++z)
    if (contains(states_, shape_.columns[z])) determined_[z] = true;
  outside_.clear();
  for (const int z : candidates)
    if (std::find(columns_.begin(), columns_.end(), z) == columns_.end()) outside_.push_back(z);

  const Matrix part = scale_.row.asDiagonal() * array_(Eigen::all, columns_) * scale_.column(columns_).asDiagonal();
  const auto by_rows = pivoted(part.transpose());
  rows_.clear();
  for (Eigen::Index i = 0; i < rank; ++i) rows_.push_back(static_cast<int>(by_rows.colsPermutation().indices()[i]));
  if (!factor(jet, 0.0)) return false;
  condition_ = lu_.rcond();
  return true;
}

bool ArraySolver::factor(const Jet& jet, double worst_condition) {
  factored_ = false;
  evaluator_.array(jet, shape_.rows, shape_.columns, array_);
  if (!array_.allFinite()) return false;
  const auto n = static_cast<Eigen::Index>(rows_.size());
  square_.resize(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const int column = columns_[at_index(static_cast<int>(j))];
    for (Eigen::Index i = 0; i < n; ++i) {
      const int row = rows_[at_index(static_cast<int>(i))];
      square_(i, j) = scale_.row[row] * array_(row, column) * scale_.column[column];
    }
  }
  lu_.compute(square_);
  factored_ = lu_.rcond() > worst_condition;
  return factored_;
}

// The polynomial through the last solutions.
void ArraySolver::extrapolate(Jet& jet) const {
  const std::size_t count = past_.size();
  if (count < 2) return;
  const double last = past_.back().t, ahead = jet.t - last;
  if (!(ahead > 0.0 && ahead <= farthest * (last - past_[count - 2].t))) return;
  for (const int column : columns_) entry(jet, shape_.columns[at_index(column)]) = 0.0;
  for (std::size_t a = 0; a < count; ++a) {
    double weight = 1.0;
    for (std::size_t b = 0; b < count; ++b)
      if (b != a) weight *= (jet.t - past_[b].t) / (past_[a].t - past_[b].t);
    for (std::size_t i = 0; i < columns_.size(); ++i)
      entry(jet, shape_.columns[at_index(columns_[i])]) += weight * past_[a].value[static_cast<Eigen::Index>(i)];
  }
}

void ArraySolver::remember(const Jet& jet) {
  if (!states_.empty()) return;
  if (!past_.empty() && !(jet.t > past_.back().t)) past_.clear();
  if (past_.size() < most_past)
    past_.emplace_back();
  else
    std::rotate(past_.begin(), past_.begin() + 1, past_.end());
  Past& now = past_.back();
  now.t = jet.t;
  now.value.resize(static_cast<Eigen::Index>(columns_.size()));
  for (std::size_t i = 0; i < columns_.size(); ++i)
    now.value[static_cast<Eigen::Index>(i)] = entry(jet, shape_.columns[at_index(columns_[i])]);
}

// Largest step of an unknown that the equations contain, in balanced units, relative to the unknown or, where that
// passes through zero, to a part of the largest one: balanced units make their effects on the equations comparable.
double ArraySolver::relative_size(const Jet& jet) {
  constexpr double part_of_largest = 1e-3;
  size_.assign(jet.x.size(), 0.0);
  double overall = 1e-30;
  for (std::size_t z = 0; z < shape_.columns.size(); ++z) {
    const auto j = at_index(shape_.columns[z].index);
    if (shape_.columns[z].order > evaluator_.highest(j)) continue;
    size_[j] =
        std::max(size_[j], std::abs(entry(jet, shape_.columns[z])) / scale_.column[static_cast<Eigen::Index>(z)]);
    overall = std::max(overall, size_[j]);
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Derivative& of = shape_.columns[at_index(columns_[i])];
    const auto j = at_index(of.index);
    if (of.order > evaluator_.highest(j) || !determined_[at_index(columns_[i])]) continue;
    const double balanced = std::abs(step_[static_cast<Eigen::Index>(i)]) / scale_.column[columns_[i]];
    largest = std::max(largest, balanced / std::max(size_[j], part_of_largest * overall));
  }
  return largest;
}

// An iteration of its own, not math/newton.h: the highest derivatives among the unknowns may be arbitrary, so that only
// those which the array determines say when it has converged, and a condition that has become poor ends it, to choose
// columns anew.
JetResult ArraySolver::newton(Jet& jet, double worst_condition) {
  constexpr int max_iterations = 25;
  constexpr double converged = 1e-10;
  // Where rounding errors stop the steps from shrinking; larger only if the array is close to losing rank.
  constexpr double stuck = 1e-7, stagnant = 0.3;
  JetResult result;
  const auto n = static_cast<Eigen::Index>(rows_.size());
  right_.resize(n);
  step_.resize(n);
  double before = 1e300;
  bool polish = false;
  for (result.iterations = 1; result.iterations <= max_iterations; ++result.iterations) {
    const bool kept = factored_ && states_.empty();
    if (!kept && !factor(jet, worst_condition)) {
      result.status = JetResult::Status::singular;
      return result;
    }
    residual_rows(evaluator_, jet, shape_.rows, f_, residual_);
    for (Eigen::Index i = 0; i < n; ++i) {
      const int row = rows_[at_index(static_cast<int>(i))];
      right_[i] = -scale_.row[row] * residual_[row];
    }
    step_.noalias() = lu_.solve(right_);
    for (Eigen::Index i = 0; i < n; ++i) step_[i] *= scale_.column[columns_[at_index(static_cast<int>(i))]];
    if (!step_.allFinite()) {
      factored_ = false;
      return result;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i)
      entry(jet, shape_.columns[at_index(columns_[i])]) += step_[static_cast<Eigen::Index>(i)];
    result.error = relative_size(jet);
    const bool slow = kept && result.error > rounding_level &&
                      result.error > (result.iterations == 1 ? kept_contraction : kept_contraction * before);
    if (polish && !slow) {
      result.status = JetResult::Status::converged;
      return result;
    }
    if (slow) factored_ = false;
    polish = result.error < converged || (!kept && result.error < stuck && result.error > stagnant * before);
    before = result.error;
  }
  factored_ = false;
  return result;
}

// Also the rows outside the square part must hold.
bool ArraySolver::satisfied(const Jet& jet, JetResult& result) {
  constexpr double tolerance = 1e-6;  // of the terms in the row
  residual_rows(evaluator_, jet, shape_.rows, f_, residual_);
  double size = 0.0, largest = 0.0;
  Eigen::Index worst = 0;
  for (Eigen::Index i = 0; i < array_.rows(); ++i) {
    double terms = 0.0;
    for (Eigen::Index j = 0; j < array_.cols(); ++j)
      terms += std::abs(array_(i, j) * entry(jet, shape_.columns[at_index(static_cast<int>(j))]));
    size = std::max(size, scale_.row[i] * terms);
    const double residual = scale_.row[i] * std::abs(residual_[i]);
    if (residual <= largest) continue;
    largest = residual;
    worst = i;
  }
  result.worst_equation = shape_.rows[at_index(static_cast<int>(worst))].index;
  if (!residual_.allFinite() || !(largest <= tolerance * (size + tolerance))) return false;
  result.worst_equation = -1;
  return true;
}

void ArraySolver::trim(Jet& jet) {
  known_.assign(jet.x.size(), -1);
  for (std::size_t z = 0; z < shape_.columns.size(); ++z) {
    const auto [j, order] = shape_.columns[z];
    if (determined_[z] && known_[at_index(j)] == order - 1) known_[at_index(j)] = order;
  }
  for (std::size_t j = 0; j < jet.x.size(); ++j)
    jet.x[j].resize(at_index(std::max(known_[j], evaluator_.highest(j)) + 1));
}

JetResult ArraySolver::solve(Jet& jet) {
  JetResult result;
  give_room(jet, predictor_);
  bool fresh = columns_.empty();
  for (;; fresh = true) {
    if (fresh && !choose_columns(predictor_)) {
      result.status = JetResult::Status::singular;
      return result;
    }
    trial_ = predictor_;
    for (const int z : outside_) entry(trial_, shape_.columns[at_index(z)]) = 0.0;
    extrapolate(trial_);
    result = newton(trial_, fresh ? 0.0 : much_worse * condition_);
    if (result.status == JetResult::Status::converged && !satisfied(trial_, result))
      result.status = JetResult::Status::stalled;
    if (result.status == JetResult::Status::converged) {
      remember(trial_);
      jet = trial_;
      trim(jet);
      return result;
    }
    if (fresh) {
      JetResult ignored = result;
      if (result.worst_equation < 0 && !satisfied(trial_, ignored)) result.worst_equation = ignored.worst_equation;
      columns_.clear();
      return result;
    }
  }
}

SquarePart ArraySolver::square_part(const Jet& jet) {
  if (!choose_columns(with_room(jet))) return {};
  SquarePart part{{}, {}, states_};
  for (const int row : rows_) part.rows.push_back(shape_.rows[at_index(row)]);
  for (const int column : columns_) part.unknowns.push_back(shape_.columns[at_index(column)]);
  return part;
}

Matrix ArraySolver::state_matrix(const Jet& jet, Matrix* error) {
  const auto n = static_cast<Eigen::Index>(states_.size());
  Matrix A = Matrix::Zero(n, n);
  if (error) *error = A;
  const Jet room = with_room(jet);
  if (n == 0 || ((columns_.empty() || !factor(room, much_worse * condition_)) && !choose_columns(room))) return A;
  std::vector<int> state_columns;
  for (const Derivative& y : states_)
    for (std::size_t z = 0; z < shape_.columns.size(); ++z)
      if (shape_.columns[z] == y) state_columns.push_back(static_cast<int>(z));
  const Matrix right = scale_.row(rows_).asDiagonal() * array_(rows_, state_columns);
  const Matrix change = lu_.solve(-right);
  // |S⁻¹| (|S| |X| + |R|) for S X = -R [Higham, Accuracy and Stability of Numerical Algorithms, sec. 7.2]
  Matrix bound;
  if (error) {
    const Matrix S = scale_.row(rows_).asDiagonal() * array_(rows_, columns_) * scale_.column(columns_).asDiagonal();
    bound = rounding * (lu_.inverse().cwiseAbs() * (S.cwiseAbs() * change.cwiseAbs() + right.cwiseAbs()));
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    const Derivative rate{states_[at_index(static_cast<int>(i))].index,
                          states_[at_index(static_cast<int>(i))].order + 1};
    for (Eigen::Index j = 0; j < n; ++j)
      if (states_[at_index(static_cast<int>(j))] == rate) A(i, j) = 1.0;
    for (std::size_t z = 0; z < columns_.size(); ++z) {
      if (!(shape_.columns[at_index(columns_[z])] == rate)) continue;
      A.row(i) = scale_.column[columns_[z]] * change.row(static_cast<Eigen::Index>(z));
      for (Eigen::Index j = 0; error && j < n; ++j) {
        const Derivative& y = states_[at_index(static_cast<int>(j))];
        const double natural =
            shape_.units.unknown(at_index(rate.index), rate.order) / shape_.units.unknown(at_index(y.index), y.order);
        (*error)(i, j) =
            std::max(scale_.column[columns_[z]] * bound(static_cast<Eigen::Index>(z), j), natural_rounding * natural);
      }
    }
  }
  return A;
}

// Gauss-Newton on the rows of a window, which need not determine all its unknowns (math/newton.h asks for that). They
// are linear in them unless a product of two appears.
bool ArraySolver::solve_window(const ArrayShape& window, Jet& jet, Matrix& N) {
  constexpr int max_passes = 8;
  constexpr double small_step = 1e-8;  // the pass after that leaves rounding errors only
  Matrix A_before;
  ArrayScale scale;
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(array_rank_tolerance);
  bool last = false;
  for (int pass = 0; pass < max_passes; ++pass) {
    const Matrix A = evaluator_.array(jet, window.rows, window.columns);
    if (!A.allFinite()) return false;
    const bool linear = pass > 0 && A == A_before;
    if (!linear) {
      scale = array_scale(A, window, tau_);
      decomposition.compute(scale.row.asDiagonal() * A * scale.column.asDiagonal());
      A_before = A;
    }
    const Vector y = decomposition.solve(-scale.row.cwiseProduct(residual_rows(evaluator_, jet, window.rows)));
    double size = 0.0;
    for (std::size_t z = 0; z < window.columns.size(); ++z) {
      const auto i = static_cast<Eigen::Index>(z);
      entry(jet, window.columns[z]) += scale.column[i] * y[i];
      size = std::max(size, std::abs(entry(jet, window.columns[z]) / scale.column[i]));
    }
    if (linear || last) break;
    last = y.norm() <= small_step * size;
  }
  // A P = Q (T 0; 0 0) Z: what Z maps to zero in its first rows.
  const Eigen::Index free = A_before.cols() - decomposition.rank();
  N = decomposition.colsPermutation() * decomposition.matrixZ().transpose().rightCols(free);
  return true;
}

void ArraySolver::lengthen(Jet& jet, int orders) {
  for (int p = 1; p <= orders; ++p) {
    ArrayShape window{{}, {}, shape_.units};
    for (std::size_t i = 0; i < offsets_.c.size(); ++i)
      for (int m = p; m <= offsets_.c[i] + k_ + p; ++m) window.rows.push_back({static_cast<int>(i), m});
    Jet longer = jet;
    for (std::size_t j = 0; j < jet.x.size(); ++j) {
      for (int n = static_cast<int>(jet.x[j].size()); n <= offsets_.d[j] + k_ + p; ++n)
        window.columns.push_back({static_cast<int>(j), n});
      longer.x[j].resize(std::max(jet.x[j].size(), at_index(offsets_.d[j] + k_ + p + 1)), 0.0);
    }
    if (window.columns.empty()) continue;
    Matrix N;
    if (!solve_window(window, longer, N)) return;
    for (std::size_t z = 0; z < window.columns.size(); ++z) {
      const Derivative& of = window.columns[z];
      Derivatives& x = jet.x[at_index(of.index)];
      const bool known = N.cols() == 0 || N.row(static_cast<Eigen::Index>(z)).norm() < free_above;
      if (known && x.size() == at_index(of.order)) x.push_back(entry(longer, of));
    }
  }
}

}  // namespace invar
