// Damped Newton iteration for r(x) = 0 with a convergence test that needs no units
// [Deuflhard, Newton Methods for Nonlinear Problems, sec. 2.1 and 3.3: natural monotonicity, simplified corrections].
//
// With the correction J Δx = −r, every equation and every unknown gets its natural size from the Jacobian:
//   s_i = Σ_j |J_ij| (|x_j| + |Δx_j|)   what the terms of equation i amount to,
//   z_j = min_i s_i / |J_ij|            the change of unknown j that matters to some equation (never below |x_j|).
// After a step to x the factors at hand give the simplified correction J c = −r(x) for the price of a solve; c is also
// the error of x, up to the contraction θ = |c| / |Δx|. The iteration ends in one of two ways.
//   Small:     |r_i| ≤ tolerance · s_i for all i, and θ |c_j| ≤ tolerance · z_j for all j. Then c is added to x as a
//              last improvement (its error θ c is negligible), so x is usually exact to round-off.
//   Round-off: the residual no longer decreases, and every row that is not small is noise in one of two senses.
//              (1) A full step leaves at most 1e3 ε of the largest s_i of this solve.
//              (2) However short the step, 2⁻¹⁰ … 2⁻⁵⁰ of Δx, the row either does not change at all or is thrown about.
//              In both the change of J along the step must not explain the row, as it would for a smooth function. (2)
//              is for rows whose terms cancel among constants (previous state, preloads), unknown to s_i.
// A start is accepted without a step only if it is at round-off, |r_i| ≤ 8 ε s_i.
//
// A step is accepted if |c| ≤ (1 − α/2) |Δx| in the norm scaled by z, with α = 1, 1/2, … 2⁻¹⁰.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "invar/expr/pattern.h"
#include "invar/math/linear_solver.h"

namespace invar {

struct NewtonOptions {
  double tolerance = 1e-12;
  int max_iterations = 30;

  void check() const;  // InputError that names the bad field
};

enum class NewtonStatus {
  converged,
  stalled,   // no decrease along the Newton direction, iteration limit, or no finite value at the start
  singular,  // the Jacobian does not determine all unknowns
};

struct NewtonResult {
  NewtonStatus status;
  int iterations;        // Newton steps, one factorisation each
  double error;          // max_i |r_i| / s_i at the last residual evaluated (before the last improvement)
  int worst_equation;    // where that maximum is; -1 if there are no equations
  int singular_unknown;  // an unknown that the Jacobian leaves undetermined; -1 if the status is not singular
};

class Newton {
 public:
  // Writes the residual and the values of the Jacobian (parallel to pattern.row) at x.
  using Evaluate =
      std::function<void(std::span<const double> x, std::span<double> residual, std::span<double> jacobian)>;

  explicit Newton(const Pattern& pattern, NewtonOptions options = {},
                  LinearSolver::Kind kind = LinearSolver::Kind::automatic);

  // From the start x to the solution x. On failure x is the best iterate. Allocates nothing once the pivot order is
  // found.
  NewtonResult solve(const Evaluate& evaluate, std::span<double> x);

 private:
  // A place with its residual and Jacobian.
  struct Iterate {
    std::vector<double> x, residual, jacobian;
    std::vector<double> size;  // s_i
    bool finite = false;
    double error = 0;  // max_i |r_i| / s_i
    int worst = -1;
  };
  enum class Step { accepted, converged, failed };

  void visit(const Evaluate& evaluate, Iterate& at, double alpha);
  void try_step(const Evaluate& evaluate, double alpha);
  Step advance(const Evaluate& evaluate);
  void set_unknown_weights();
  double norm(std::span<const double> v) const;
  void correction(const Iterate& at, std::vector<double>& c);
  bool is_small(const Iterate& at, double contraction) const;
  void set_curvature(double alpha);
  bool is_unexplained(std::size_t row, double alpha) const;
  bool is_at_floor();
  bool is_erratic(const Evaluate& evaluate);
  NewtonResult result(NewtonStatus status, int iterations, std::span<double> x) const;

  Pattern pattern_;
  NewtonOptions options_;
  LinearSolver solver_;
  Iterate current_, trial_;
  std::vector<double> step_;        // Δx
  std::vector<double> simplified_;  // c
  std::vector<double> weight_;      // 1 / z_j
  std::vector<double> largest_;     // the largest s_i of this solve, at least the first |r_i|
  std::vector<double> curvature_;   // |(J(trial) − J(current)) α Δx|_i
};

}  // namespace invar
