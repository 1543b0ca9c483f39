// See derivative_array.h.
#include "invar/system/derivative_array.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "invar/expr/error.h"
#include "invar/math/svd.h"

namespace invar {

namespace {

constexpr double noise = 1e-13;  // entries below this part of their row are rounding errors of larger terms
constexpr double machine = 2.3e-16;
constexpr int max_iterations = 40;

Matrix without_noise(Matrix A) {
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double smallest = noise * A.row(i).cwiseAbs().maxCoeff();
    for (Eigen::Index j = 0; j < A.cols(); ++j)
      if (std::abs(A(i, j)) < smallest) A(i, j) = 0.0;
  }
  return A;
}

double inverse_root(double x) { return x > 0.0 ? 1.0 / std::sqrt(x) : 1.0; }

// Rows and columns to a largest entry near one [D. Ruiz, RAL-TR-2001-034].
ArrayScale balance(Matrix B) {
  constexpr int sweeps = 20;  // each halves the logarithm of what is left
  ArrayScale scale{Vector::Ones(B.rows()), Vector::Ones(B.cols())};
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const Vector row = B.cwiseAbs().rowwise().maxCoeff().unaryExpr(&inverse_root);
    const Vector column = B.cwiseAbs().colwise().maxCoeff().transpose().unaryExpr(&inverse_root);
    B = row.asDiagonal() * B * column.asDiagonal();
    scale.row = scale.row.cwiseProduct(row);
    scale.column = scale.column.cwiseProduct(column);
  }
  return scale;
}

double time_factor(int order, double tau) {  // τ^l/l!
  double factor = 1.0;
  for (int l = 1; l <= order; ++l) factor *= tau / l;
  return factor;
}

Matrix scaled(const Matrix& A, const ArrayScale& scale) {
  return without_noise(scale.row.asDiagonal() * A * scale.column.asDiagonal());
}

struct Factors {
  double tau;
  ArrayScale scale;
  Svd svd;
  Eigen::Index rank;
  double gap;  // last counted singular value over the first dropped one
};

Factors factors(const Matrix& A, const ArrayShape& shape, double tau) {
  Factors f{tau, array_scale(A, shape, tau), {}, 0, 0.0};
  f.svd = svd(scaled(A, f.scale));
  const Vector& s = f.svd.values;
  while (f.rank < s.size() && s[f.rank] > array_rank_tolerance * s[0]) ++f.rank;
  if (f.rank == 0) return f;
  const double dropped = f.rank < s.size() ? s[f.rank] : 0.0;
  f.gap = s[f.rank - 1] / std::max(dropped, machine * s[0]);
  return f;
}

Factors best_factors(const Matrix& A, const ArrayShape& shape) {
  Factors best = factors(A, shape, 1.0);
  for (const double tau : {0.03, 0.1, 0.3, 0.6, 1.8, 3.0, 10.0, 30.0}) {
    Factors other = factors(A, shape, tau);
    if (other.gap > best.gap) best = std::move(other);
  }
  return best;
}

void make_room(Jet& jet, const ArrayShape& shape) {
  for (const Derivative& z : shape.columns) {
    std::vector<double>& x = jet.x[static_cast<std::size_t>(z.index)];
    if (static_cast<int>(x.size()) <= z.order) x.resize(static_cast<std::size_t>(z.order) + 1, 0.0);
  }
}

double& entry(Jet& jet, const Derivative& z) {
  return jet.x[static_cast<std::size_t>(z.index)][static_cast<std::size_t>(z.order)];
}

Vector residual(JetEvaluator& evaluator, const Jet& jet, const ArrayShape& shape) {
  int order = 0;
  for (const Derivative& row : shape.rows) order = std::max(order, row.order);
  Matrix f;
  evaluator.residuals(jet, order, f);
  Vector r(static_cast<Eigen::Index>(shape.rows.size()));
  for (Eigen::Index i = 0; i < r.size(); ++i) {
    const Derivative& row = shape.rows[static_cast<std::size_t>(i)];
    r[i] = f(row.index, row.order);
  }
  return r;
}

// Adds as much of the step as does not enlarge the residual grossly; far from the solution a full step may.
void take_step(JetEvaluator& evaluator, const ArrayShape& shape, const Vector& weight, double before, Vector step,
               Jet& jet) {
  constexpr int halvings = 6;
  constexpr double tolerated = 2.0;
  for (int k = 0;; ++k) {
    Jet trial = jet;
    for (Eigen::Index j = 0; j < step.size(); ++j) entry(trial, shape.columns[static_cast<std::size_t>(j)]) += step[j];
    const double after = weight.cwiseProduct(residual(evaluator, trial, shape)).norm();
    if (k == halvings || after <= tolerated * before) {
      jet = std::move(trial);
      return;
    }
    step *= 0.5;
  }
}

enum class Outcome { solved, contradiction, stalled };

// Gauss-Newton with the shortest step; at the end r (scaled) is what no step can remove.
Outcome solve_array(JetEvaluator& evaluator, const ArrayShape& shape, Jet& jet, std::vector<int>& contradicting) {
  constexpr double small_step = 1e-9, unreachable_part = 1e-6, reachable_share = 1e-2, named_share = 0.1;
  double tau = 0.0;
  bool polished = false;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    const Matrix A = evaluator.array(jet, shape.rows, shape.columns);
    if (!A.allFinite()) return Outcome::stalled;
    const Factors f = tau > 0.0 ? factors(A, shape, tau) : best_factors(A, shape);
    tau = f.tau;
    const Vector r = f.scale.row.cwiseProduct(residual(evaluator, jet, shape));
    if (!r.allFinite()) return Outcome::stalled;
    const Vector along = f.svd.U.leftCols(f.rank).transpose() * r;
    const Vector y = -f.svd.V.leftCols(f.rank) * along.cwiseQuotient(f.svd.values.head(f.rank));
    Vector x(y.size());
    for (Eigen::Index j = 0; j < x.size(); ++j)
      x[j] = entry(jet, shape.columns[static_cast<std::size_t>(j)]) / f.scale.column[j];
    const bool still = y.norm() <= small_step * (x.norm() + machine);
    const bool last = polished || iteration + 1 == max_iterations;
    if (last) {
      const double size = (scaled(A, f.scale).cwiseAbs() * x.cwiseAbs()).maxCoeff();
      const Vector rest = r - f.svd.U.leftCols(f.rank) * along;
      if (rest.norm() > unreachable_part * size && (still || along.norm() < reachable_share * r.norm())) {
        const double largest = rest.cwiseAbs().maxCoeff();
        for (Eigen::Index i = 0; i < rest.size(); ++i) {
          const int equation = shape.rows[static_cast<std::size_t>(i)].index;
          if (std::abs(rest[i]) >= named_share * largest &&
              std::find(contradicting.begin(), contradicting.end(), equation) == contradicting.end())
            contradicting.push_back(equation);
        }
        return Outcome::contradiction;
      }
      if (!polished) return Outcome::stalled;
    }
    take_step(evaluator, shape, f.scale.row, r.norm(), f.scale.column.cwiseProduct(y), jet);
    if (polished) return Outcome::solved;
    polished = still;
  }
  return Outcome::stalled;
}

Matrix rows_of(const Matrix& N, const std::vector<Eigen::Index>& which) {
  Matrix part(static_cast<Eigen::Index>(which.size()), N.cols());
  for (std::size_t i = 0; i < which.size(); ++i) part.row(static_cast<Eigen::Index>(i)) = N.row(which[i]);
  return part;
}

// Positions of (q,q') whose next derivative is in the array too, and of (q'',u). A coordinate that appears without
// acceleration or without velocity counts with its own highest order.
struct Roles {
  std::vector<Eigen::Index> state, wanted;
};

Roles roles(const ArrayShape& shape, const JetEvaluator& evaluator, const Offsets& offsets, const Dae& dae, int k) {
  Roles result;
  for (std::size_t z = 0; z < shape.columns.size(); ++z) {
    const int order = shape.columns[z].order;
    const auto j = static_cast<std::size_t>(shape.columns[z].index);
    const auto position = static_cast<Eigen::Index>(z);
    if (dae.unknowns[j].kind == UnknownKind::input && order == 0) result.wanted.push_back(position);
    if (dae.unknowns[j].kind != UnknownKind::coordinate) continue;
    const int top = std::max(evaluator.highest(j), 1);
    if (order < top && order < offsets.d[j] + k) result.state.push_back(position);
    if (order == top) result.wanted.push_back(position);
  }
  return result;
}

}  // namespace

double reciprocal_condition(const Matrix& J) {
  if (J.size() == 0 || !J.allFinite()) return 0.0;
  const Matrix clean = without_noise(J);
  const ArrayScale scale = balance(clean);
  const Matrix balanced = scale.row.asDiagonal() * clean * scale.column.asDiagonal();
  const Vector s = svd(balanced).values;
  return s[0] > 0.0 ? s[s.size() - 1] / s[0] : 0.0;
}

ArrayShape array_shape(const Offsets& offsets, int k) {
  ArrayShape shape;
  for (std::size_t i = 0; i < offsets.c.size(); ++i)
    for (int m = 0; m <= offsets.c[i] + k; ++m) shape.rows.push_back({static_cast<int>(i), m});
  for (std::size_t j = 0; j < offsets.d.size(); ++j)
    for (int n = 0; n <= offsets.d[j] + k; ++n) shape.columns.push_back({static_cast<int>(j), n});
  return shape;
}

ArrayScale array_scale(const Matrix& A, const ArrayShape& shape, double tau) {
  ArrayScale scale{Vector(A.rows()), Vector(A.cols())};
  int equations = 0, unknowns = 0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const Derivative& row = shape.rows[static_cast<std::size_t>(i)];
    scale.row[i] = time_factor(row.order, tau);
    equations = std::max(equations, row.index + 1);
  }
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    const Derivative& column = shape.columns[static_cast<std::size_t>(j)];
    scale.column[j] = 1.0 / time_factor(column.order, tau);
    unknowns = std::max(unknowns, column.index + 1);
  }
  Matrix largest = Matrix::Zero(equations, unknowns);
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      double& block =
          largest(shape.rows[static_cast<std::size_t>(i)].index, shape.columns[static_cast<std::size_t>(j)].index);
      block = std::max(block, scale.row[i] * std::abs(A(i, j)) * scale.column[j]);
    }
  const ArrayScale blocks = balance(without_noise(largest));
  for (Eigen::Index i = 0; i < A.rows(); ++i) scale.row[i] *= blocks.row[shape.rows[static_cast<std::size_t>(i)].index];
  for (Eigen::Index j = 0; j < A.cols(); ++j)
    scale.column[j] *= blocks.column[shape.columns[static_cast<std::size_t>(j)].index];
  return scale;
}

double time_scale(const Matrix& A, const ArrayShape& shape) { return best_factors(A, shape).tau; }

ArrayVerdict judge_array(JetEvaluator& evaluator, const Offsets& offsets, const Dae& dae, const Jet& jet, int k) {
  const ArrayShape shape = array_shape(offsets, k);
  const Factors f = best_factors(evaluator.array(jet, shape.rows, shape.columns), shape);
  ArrayVerdict verdict;
  verdict.k = k;
  verdict.index = offsets.index + k;
  const Matrix N = f.svd.V.rightCols(f.svd.V.cols() - f.rank);
  const Roles role = roles(shape, evaluator, offsets, dae, k);
  // The null space is known to the rounding error over the smallest counted singular value.
  const Vector& s = f.svd.values;
  const double known = f.rank > 0 ? 1e4 * machine * s[0] / s[f.rank - 1] : 1.0;
  const double tolerance = std::clamp(known, 1e-9, 1e-4);
  const Matrix N0 = rows_of(N, role.state);
  Matrix rest = Matrix::Identity(N.cols(), N.cols());  // combinations of N that leave (q,q') as they are
  if (N0.size() > 0) {
    const Svd parts = svd(N0);
    verdict.degrees_of_freedom = static_cast<int>((parts.values.array() > tolerance).count());
    rest = parts.V.rightCols(N.cols() - verdict.degrees_of_freedom);
    const Eigen::ColPivHouseholderQR<Matrix> qr(N0.transpose());
    for (int i = 0; i < verdict.degrees_of_freedom; ++i)
      verdict.states.push_back(shape.columns[static_cast<std::size_t>(
          role.state[static_cast<std::size_t>(qr.colsPermutation().indices()[i])])]);
  }
  for (const Eigen::Index z : role.wanted)
    if ((N.row(z) * rest).norm() > tolerance)
      verdict.undetermined.push_back(shape.columns[static_cast<std::size_t>(z)]);
  verdict.status =
      verdict.undetermined.empty() ? ArrayVerdict::Status::determined : ArrayVerdict::Status::not_invertible;
  return verdict;
}

ArrayVerdict analyse_array(JetEvaluator& evaluator, const Offsets& offsets, const Dae& dae, Jet& guess, int max_k) {
  expects(offsets.regular, "offsets of a structurally regular system");
  ArrayVerdict verdict;
  for (int k = 0; k <= max_k; ++k) {
    const ArrayShape shape = array_shape(offsets, k);
    make_room(guess, shape);
    std::vector<int> contradicting;
    const Outcome outcome = solve_array(evaluator, shape, guess, contradicting);
    verdict = judge_array(evaluator, offsets, dae, guess, k);
    if (outcome == Outcome::solved && verdict.status == ArrayVerdict::Status::not_invertible) continue;
    verdict.contradicting_equations = std::move(contradicting);
    if (outcome == Outcome::contradiction) verdict.status = ArrayVerdict::Status::inconsistent;
    if (outcome == Outcome::stalled) verdict.status = ArrayVerdict::Status::stalled;
    return verdict;
  }
  return verdict;
}

}  // namespace invar
