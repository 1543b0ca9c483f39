// Second-order conditions at a stationary point x* of a nonlinear program: a local minimum has no direction d that
// keeps the active rows and bounds, A d = 0, and along which the Lagrangian curves down,
//
//   dᵀ H d ≥ 0 for all d with A d = 0   (necessary),    > 0 for d ≠ 0   (sufficient, with strictly active bounds)
//
// [J. Nocedal, S. J. Wright, Numerical Optimization, 2006, theorems 12.5, 12.6]. H + σD has this property on the null
// space of A if and only if K(σ) = (H + σD, Aᵀ; A, 0) has as many negative eigenvalues as A has rows [N. I. M. Gould,
// Math. Program. 32 (1985) 90]: a factorisation counts them. The direction of most negative curvature is found by
// inverse iteration with the smallest such σ.
#pragma once

#include <span>
#include <vector>

#include "invar/program/nonlinear_program.h"

namespace invar {

enum class SecondOrder {
  minimum,  // the sufficient conditions hold
  flat,     // no direction of negative curvature, but some of none, or bounds that hold without a force
  saddle,   // a direction of negative curvature
  unknown   // no factors
};

const char* name_of(SecondOrder kind);

struct Curvature {
  SecondOrder kind = SecondOrder::unknown;
  std::vector<double> direction;  // of negative curvature, in the program's variables; empty if there is none
  double value = 0.0;             // dᵀHd of the direction
};

// `measured` tells the variables that measure the length of a direction (D): all others must follow from them.
Curvature curvature(const NonlinearProgram& program, const Solution& solution, const std::vector<bool>& measured);

}  // namespace invar
