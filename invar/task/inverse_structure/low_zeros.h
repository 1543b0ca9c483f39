// The slow part of the internal dynamics at rest without eliminating anything: the zeros of the linearised equations.
//
//   P(s) x = 0,   P(s) = Σ_r s^r ∂f/∂x^(r),   x = (q, λ, u)
//
// With y = s x this is A z = s E z, and shift and invert, K = (A - σE)⁻¹ E, turns zeros near σ into large eigenvalues
// 1/(s - σ) of K and those at infinity, which belong to constraints and inputs, into small ones. Elimination by
// relative degree needs the gain from inputs to outputs at high frequency, which vanishes exponentially with the
// elements of a chain; the zeros near σ do not. Those that come out alike for two of several shifts are taken, the
// others are rounding or too fast to matter. Of a large K only the largest eigenvalues are sought, as many as it takes.
#pragma once

#include "invar/dae/jet.h"
#include "invar/dae/zero_dynamics.h"

namespace invar {

// Zeros of the equations at a point of rest, slowest first: all up to the size `fastest`, and others; `time` is the
// scale of the motion. Kind `none` if there are none.
ZeroDynamics low_zeros(JetEvaluator& evaluator, const NaturalUnits& units, const Jet& rest, double time,
                       double fastest);

}  // namespace invar
