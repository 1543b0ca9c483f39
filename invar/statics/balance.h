// A place of rest near a given one, by Newton's method on the constraints:
//
//   Zᵀ L⁻¹ r(q, w) = 0,   Φ(q, w) = 0,   Z: the motions that constraints allow, w: unknown rates of steady coordinates
//
// Equilibria often come in families (a ball on a plane), and then the Jacobian has no full rank. Every step is
// therefore the shortest one in the metric of the masses, so that what the forces leave open stays as it is; this is
// why the iteration is not the one of math/newton.
#pragma once

#include "invar/statics/statics.h"
#include "invar/statics/steady.h"

namespace invar {

struct Balance {
  bool found = false;
  StaticPoint point;  // the best one met
  int iterations = 0;
};

// `tolerance` is that of forces and constraints, relative to their terms.
Balance find_balance(Statics& statics, const SteadyCoordinates& steady, const State& from, double tolerance);

}  // namespace invar
