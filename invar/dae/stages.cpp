// See stages.h.
#include "invar/dae/stages.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/base/error.h"
#include "invar/dae/array_rank.h"
#include "invar/math/decompositions.h"
#include "invar/math/rank.h"

namespace invar {

namespace {

constexpr int max_stage_iterations = 60;
// A correction this small, relative to the derivatives of its order, ends a stage; one more is always made, because
// differentiation in later stages magnifies what an earlier one leaves.
constexpr double converged_step = 1e-10;
constexpr double smallest_length = 1.0 / 256.0;

// Rows brought to a largest entry of one, so that the rank does not depend on the units of the equations.
struct Scaled {
  Matrix a;
  Vector b;
};

Scaled scaled_rows(Matrix a, Vector b) {
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    const double size = a.row(i).cwiseAbs().maxCoeff();
    if (size > 0.0) {
      a.row(i) /= size;
      b[i] /= size;
    }
  }
  return {std::move(a), std::move(b)};
}

// Δ with a Δ = b: by LU if square, the shortest one otherwise, Δ in natural units. Not finite if singular.
Vector solution(const Matrix& a, const Vector& b) {
  const Scaled s = scaled_rows(a, b);
  if (a.rows() != a.cols()) return least_norm(s.a, s.b, 1e-12);
  return Eigen::PartialPivLU<Matrix>(s.a).solve(s.b);
}

}  // namespace

StagedSolver::StagedSolver(JetEvaluator& evaluator, const Offsets& offsets) : evaluator_(evaluator), offsets_(offsets) {
  expects(offsets.regular, "a structure with a transversal");
  const std::vector<Partial>& list = evaluator.partial_list();
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto i = static_cast<std::size_t>(list[k].equation), j = static_cast<std::size_t>(list[k].unknown);
    if (list[k].order == offsets_.d[j] - offsets_.c[i]) entry_.push_back(static_cast<int>(k));
  }
  for (int c : offsets_.c) highest_c_ = std::max(highest_c_, c);
  if (offsets_.degrees_of_freedom == 0) at_once_.emplace(evaluator, offsets);
}

StagedSolver::Stage StagedSolver::stage(int k) const {
  Stage s{k, {}, {}, false};
  for (std::size_t i = 0; i < offsets_.c.size(); ++i) {
    if (k + offsets_.c[i] >= 0) s.equations.push_back(static_cast<int>(i));
    if (k + offsets_.d[i] >= 0) s.unknowns.push_back(static_cast<int>(i));
    s.nonlinear = s.nonlinear || k + offsets_.c[i] == 0;
  }
  return s;
}

double StagedSolver::condition(const Jet& jet) {
  Matrix J = system_jacobian(jet);
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    J.row(i) *= evaluator_.units().equation(at, offsets_.c[at]);
    J.col(i) *= evaluator_.units().unknown(at, offsets_.d[at]);
  }
  // Balancing hides a row or a column that vanishes as a whole.
  const double row = J.cwiseAbs().rowwise().maxCoeff().minCoeff(),
               column = J.cwiseAbs().colwise().maxCoeff().minCoeff();
  return reciprocal_condition(J) * std::min({1.0, row, column});
}

Matrix StagedSolver::system_jacobian(const Jet& jet) {
  evaluator_.partials(jet, 0, p_);
  const auto n = static_cast<Eigen::Index>(offsets_.c.size());
  Matrix j = Matrix::Zero(n, n);
  for (int k : entry_) {
    const Partial& p = evaluator_.partial_list()[static_cast<std::size_t>(k)];
    j(p.equation, p.unknown) = p_(k, 0);
  }
  return j;
}

// The residuals of a stage, and the largest of them relative to its own row.
double StagedSolver::residual(const Stage& stage, const Jet& jet, Vector& r) {
  evaluator_.residuals(jet, std::max(0, stage.k + highest_c_), f_);
  r.resize(static_cast<Eigen::Index>(stage.equations.size()));
  double sum = 0.0;
  for (std::size_t i = 0; i < stage.equations.size(); ++i) {
    const int e = stage.equations[i];
    r[static_cast<Eigen::Index>(i)] = f_(e, stage.k + offsets_.c[static_cast<std::size_t>(e)]);
    sum = std::max(sum, std::abs(r[static_cast<Eigen::Index>(i)]));
  }
  return r.allFinite() ? sum : std::numeric_limits<double>::infinity();
}

// An iteration of its own, not math/newton.h: a stage may have fewer equations than unknowns, of which the nearest
// solution is taken, and its matrix is dense and small.
JetResult StagedSolver::solve_stage(const Stage& stage, Jet& jet) {
  JetResult result;
  const auto rows = static_cast<Eigen::Index>(stage.equations.size()),
             cols = static_cast<Eigen::Index>(stage.unknowns.size());
  result.status = JetResult::Status::converged;
  if (rows == 0) return result;
  auto unknown = [&](Eigen::Index j) -> double& {
    const auto index = static_cast<std::size_t>(stage.unknowns[static_cast<std::size_t>(j)]);
    return jet.x[index][static_cast<std::size_t>(stage.k + offsets_.d[index])];
  };
  const NaturalUnits& units = evaluator_.units();
  Vector r, trial_r, unit(cols);
  Matrix a(rows, cols);
  for (Eigen::Index col = 0; col < cols; ++col) {
    const auto j = static_cast<std::size_t>(stage.unknowns[static_cast<std::size_t>(col)]);
    unit[col] = units.unknown(j, stage.k + offsets_.d[j]);
  }
  residual(stage, jet, r);
  // Rates at rest consist of rounding: only the sizes of the unknowns themselves say what is small.
  double extent = std::numeric_limits<double>::min();
  for (std::size_t j = 0; j < jet.x.size(); ++j) extent = std::max(extent, std::abs(jet.x[j][0]) / units.unknown(j));
  const double negligible = 4.0 * std::numeric_limits<double>::epsilon() * extent, small = 1e-8 * extent;
  bool polish = false;
  for (int iteration = 1; iteration <= max_stage_iterations; ++iteration) {
    const Matrix j = system_jacobian(jet);
    for (Eigen::Index row = 0; row < rows; ++row)
      for (Eigen::Index col = 0; col < cols; ++col)
        a(row, col) = j(stage.equations[static_cast<std::size_t>(row)], stage.unknowns[static_cast<std::size_t>(col)]) *
                      unit[col];
    const Vector step = solution(a, -r);
    result.iterations = iteration;
    if (!step.allFinite()) {
      result.status = JetResult::Status::singular;
      return result;
    }
    Vector before(cols);
    double typical = 0.0;
    for (Eigen::Index col = 0; col < cols; ++col) {
      before[col] = unknown(col) / unit[col];
      typical = std::max(typical, std::abs(before[col]));
    }
    // Steps of a nonlinear stage are shortened until the residual, weighted by the linear model, decreases.
    constexpr double nothing = 1e-100;  // of rows without any terms; squares of quotients by it stay finite
    const Vector weight = (a.cwiseAbs() * (before.cwiseAbs() + step.cwiseAbs()).cwiseMax(small)).cwiseMax(nothing);
    const double now = r.cwiseQuotient(weight).norm();
    double length = 1.0, after = now;
    for (;; length *= 0.5) {
      for (Eigen::Index col = 0; col < cols; ++col) unknown(col) = (before[col] + length * step[col]) * unit[col];
      const bool finite = std::isfinite(residual(stage, jet, trial_r));
      after = finite ? trial_r.cwiseQuotient(weight).norm() : std::numeric_limits<double>::infinity();
      if (!stage.nonlinear || polish || after <= (1.0 - 0.25 * length) * now || after < 1e-9 ||
          length < smallest_length)
        break;
    }
    r = trial_r;
    result.error = after;
    double largest = 0.0;
    for (Eigen::Index col = 0; col < cols; ++col)
      largest = std::max(largest, std::abs(length * step[col]) / (std::abs(before[col]) + 1e-3 * typical + 1e-12));
    Eigen::Index worst = 0;
    r.cwiseQuotient(weight).cwiseAbs().maxCoeff(&worst);
    result.worst_equation = stage.equations[static_cast<std::size_t>(worst)];
    if (polish) return result;
    if (!std::isfinite(after)) break;
    polish = !stage.nonlinear || largest < converged_step || (after < 1e-13 && largest < 1e-6) ||
             step.cwiseAbs().maxCoeff() < negligible;
  }
  result.status = JetResult::Status::stalled;
  return result;
}

JetResult StagedSolver::solve(Jet& jet, int extra) {
  int highest_d = 0;
  bool predicted = true;  // a first guess does not hold all derivatives yet
  for (std::size_t j = 0; j < offsets_.d.size(); ++j) {
    predicted = predicted && jet.x[j].size() > static_cast<std::size_t>(offsets_.d[j]);
    highest_d = std::max(highest_d, offsets_.d[j]);
    jet.x[j].resize(static_cast<std::size_t>(offsets_.d[j] + extra + 1), 0.0);
  }
  JetResult total;
  if (at_once_ && predicted) {
    total = at_once_->solve(jet, extra);
    if (total.status == JetResult::Status::converged) return total;
    total = {};
  }
  total.status = JetResult::Status::converged;
  for (int k = -highest_d; k <= extra; ++k) {
    const JetResult r = solve_stage(stage(k), jet);
    total.iterations += r.iterations;
    total.error = std::max(total.error, r.error);
    if (r.status != JetResult::Status::converged) {
      total.status = r.status;
      total.worst_equation = r.worst_equation;
      total.error = r.error;
      return total;
    }
  }
  return total;
}

}  // namespace invar
