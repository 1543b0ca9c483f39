// See derivative_array.h.
#include "invar/dae/derivative_array.h"

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/math/decompositions.h"
#include "invar/math/svd.h"

namespace invar {

namespace {

constexpr double machine = 2.3e-16;
constexpr int max_array_iterations = 40;

struct Factors {
  ArrayScale scale;
  Svd svd;
  Eigen::Index rank;
};

Factors factors(const Matrix& A, const ArrayShape& shape, double tau) {
  Factors f{array_scale(A, shape, tau), {}, 0};
  f.svd = svd(scaled(A, f.scale));
  const Vector& s = f.svd.values;
  while (f.rank < s.size() && s[f.rank] > array_rank_tolerance * s[0]) ++f.rank;
  return f;
}

void make_room(Jet& jet, const ArrayShape& shape) {
  for (const Derivative& z : shape.columns) {
    Derivatives& x = jet.x[static_cast<std::size_t>(z.index)];
    if (static_cast<int>(x.size()) <= z.order) x.resize(static_cast<std::size_t>(z.order) + 1, 0.0);
  }
}

// Adds as much of the step as does not enlarge the residual grossly; far from the solution a full step may.
void take_step(JetEvaluator& evaluator, const ArrayShape& shape, const Vector& weight, double before, Vector step,
               Jet& jet) {
  constexpr int halvings = 6;
  constexpr double tolerated = 2.0;
  for (int k = 0;; ++k) {
    Jet trial = jet;
    for (Eigen::Index j = 0; j < step.size(); ++j) entry(trial, shape.columns[static_cast<std::size_t>(j)]) += step[j];
    const double after = weight.cwiseProduct(residual_rows(evaluator, trial, shape.rows)).norm();
    if (k == halvings || after <= tolerated * before) {
      jet = std::move(trial);
      return;
    }
    step *= 0.5;
  }
}

enum class Outcome { solved, contradiction, stalled };

// Gauss-Newton with the shortest step; at the end r (scaled) is what no step can remove. Not math/newton.h, which needs
// as many independent equations as unknowns: here the rank is what is sought, and equations may contradict each other.
Outcome solve_array(JetEvaluator& evaluator, const ArrayShape& shape, Jet& jet, std::vector<int>& contradicting) {
  constexpr double small_step = 1e-9, unreachable_part = 1e-6, reachable_share = 1e-2, named_share = 0.1;
  double tau = 0.0;
  bool polished = false;
  for (int iteration = 0; iteration < max_array_iterations; ++iteration) {
    const Matrix A = evaluator.array(jet, shape.rows, shape.columns);
    if (!A.allFinite()) return Outcome::stalled;
    if (tau == 0.0) tau = time_scale(A, shape);
    const Factors f = factors(A, shape, tau);
    const Vector r = f.scale.row.cwiseProduct(residual_rows(evaluator, jet, shape.rows));
    if (!r.allFinite()) return Outcome::stalled;
    const Vector along = f.svd.U.leftCols(f.rank).transpose() * r;
    const Vector y = -f.svd.V.leftCols(f.rank) * along.cwiseQuotient(f.svd.values.head(f.rank));
    Vector x(y.size());
    for (Eigen::Index j = 0; j < x.size(); ++j)
      x[j] = entry(jet, shape.columns[static_cast<std::size_t>(j)]) / f.scale.column[j];
    const bool still = y.norm() <= small_step * (x.norm() + machine);
    const bool last = polished || iteration + 1 == max_array_iterations;
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

// What of the wanted changes along null vectors N that leave the state as it is.
std::vector<Derivative> open_ones(const Matrix& N, const Matrix& fixed_state, const ArrayShape& shape,
                                  const ArrayRoles& roles) {
  constexpr double visible = 1e-3;  // of the largest
  const Matrix change = N(roles.wanted, Eigen::all) * fixed_state;
  const double largest = change.size() > 0 ? change.rowwise().norm().maxCoeff() : 0.0;
  std::vector<Derivative> open;
  for (std::size_t z = 0; z < roles.wanted.size(); ++z)
    if (change.row(static_cast<Eigen::Index>(z)).norm() >= visible * largest)
      open.push_back(shape.columns[static_cast<std::size_t>(roles.wanted[z])]);
  return open;
}

}  // namespace

ArrayVerdict judge_array(JetEvaluator& evaluator, const Offsets& offsets, const Dae& dae, const Jet& jet, int k) {
  const ArrayShape shape = array_shape(offsets, k, evaluator.units());
  const ArrayRoles roles = array_roles(shape, evaluator, offsets, dae, k);
  const Matrix A = evaluator.array(jet, shape.rows, shape.columns);
  const ArrayRanks ranks = array_ranks(A, shape, roles);
  ArrayVerdict verdict;
  verdict.status = ranks.determined ? ArrayVerdict::Status::determined : ArrayVerdict::Status::not_invertible;
  verdict.k = k;
  verdict.index = offsets.index + k;
  verdict.degrees_of_freedom = ranks.degrees_of_freedom;
  if (ranks.determined && ranks.degrees_of_freedom == 0) return verdict;

  const Factors f = factors(A, shape, ranks.tau);
  const Matrix N = f.svd.V.rightCols(f.svd.V.cols() - ranks.rank);
  const Matrix N0 = N(roles.state, Eigen::all);
  const Eigen::ColPivHouseholderQR<Matrix> qr(N0.transpose());
  for (int i = 0; i < verdict.degrees_of_freedom; ++i) {
    const int state = qr.colsPermutation().indices()[i];
    verdict.states.push_back(shape.columns[static_cast<std::size_t>(roles.state[static_cast<std::size_t>(state)])]);
  }
  if (!ranks.determined)
    verdict.undetermined = open_ones(N, svd(N0).V.rightCols(N.cols() - verdict.degrees_of_freedom), shape, roles);
  return verdict;
}

ArrayVerdict analyse_array(JetEvaluator& evaluator, const Offsets& offsets, const Dae& dae, Jet& guess, int max_k) {
  expects(offsets.regular, "offsets of a structurally regular system");
  const auto solve = [&](int k, Jet& jet, std::vector<int>& contradicting) {
    const ArrayShape shape = array_shape(offsets, k, evaluator.units());
    make_room(jet, shape);
    return solve_array(evaluator, shape, jet, contradicting);
  };
  // One more differentiation that fails numerically does not take back what is determined already.
  const auto final_freedom = [&](const ArrayVerdict& verdict) {
    Jet ahead = guess;
    std::vector<int> ignored;
    if (verdict.k == max_k || solve(verdict.k + 1, ahead, ignored) != Outcome::solved) return true;
    return judge_array(evaluator, offsets, dae, ahead, verdict.k + 1).degrees_of_freedom == verdict.degrees_of_freedom;
  };
  ArrayVerdict verdict;
  for (int k = 0; k <= max_k; ++k) {
    std::vector<int> contradicting;
    const Outcome outcome = solve(k, guess, contradicting);
    if (outcome != Outcome::solved) {
      ArrayVerdict failure;
      failure.k = k;
      failure.index = offsets.index + k;
      failure.contradicting_equations = std::move(contradicting);
      if (outcome == Outcome::contradiction) failure.status = ArrayVerdict::Status::inconsistent;
      return failure;
    }
    verdict = judge_array(evaluator, offsets, dae, guess, k);
    if (verdict.status == ArrayVerdict::Status::determined && final_freedom(verdict)) return verdict;
  }
  return verdict;
}

}  // namespace invar
