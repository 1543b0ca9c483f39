// Oscillations of the internal dynamics that have no growing partner, and how a motion is closed where there are some.
//
// Positions at rest at both ends bind a stable and an unstable direction of each pair. An oscillation that neither
// grows nor decays, or only decays, has two directions that belong to the start: bound half and half it is in resonance
// with the time between the ends whenever that is a multiple of half its period. So it begins at rest and is free at
// the end, with one equation and one unknown p per oscillation,
//
//   ψᵀ ∂f/∂q'' (q_1 - q_rest(t_1)) = 0,   q_N = q_rest + φ p,   P(s) φ = 0,   ψᵀ P(s) = 0,   P(s) = Σ_r s^r ∂f/∂x^(r)
//
// at rest. ψᵀ ∂f/∂q'' is orthogonal to all other oscillations and directions of a system without damping. Central
// differences of step h keep an oscillation with |s| h < 2; faster ones become pairs that grow and decay with
// alternating signs, and positions at both ends are right for them.
#pragma once

#include <complex>
#include <vector>

#include "invar/dae/jet.h"
#include "invar/dae/zero_dynamics.h"
#include "invar/math/matrix.h"

namespace invar {

struct EndShapes {
  Matrix start;             // rows ψᵀ ∂f/∂q'', by unknown
  Matrix end;               // columns φ, by unknown
  Eigen::RowVectorXd rest;  // at t_1, by unknown

  Eigen::Index count() const { return start.rows(); }
};

// Zeros in the upper half plane that oscillate and do not grow, less one for each that does, slowest first. What grows
// less than tenfold in `time` counts as not growing.
std::vector<std::complex<double>> free_oscillations(const ZeroDynamics& zero, double time);

inline constexpr double kept_cycle = 2.0;  // |s| h, see above

// Real rows ψᵀ ∂f/∂q'' for the zeros, which may be multiple, at a point of rest.
Matrix start_shapes(JetEvaluator& evaluator, const std::vector<std::complex<double>>& zeros, const Jet& rest);
// Real columns φ.
Matrix end_shapes(JetEvaluator& evaluator, const std::vector<std::complex<double>>& zeros, const Jet& rest);

}  // namespace invar
