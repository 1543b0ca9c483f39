// Downhill to a place of rest: the motion without inertia, in which the masses only resist,
//
//   W q' = −r(q, λ),   Φ = 0,   W: the mass matrix
//
// ends where the potential has a minimum among all places that the constraints allow. It is followed by implicit Euler
// steps, each solved by Newton's method, that grow as long as they succeed; what matters is the end, not the way. Steps
// that would lead uphill are shortened, so that large ones do not end on a saddle.
#pragma once

#include "invar/statics/balance.h"

namespace invar {

struct Descent {
  enum class End { settled, runs_away, stalled };
  End end = End::stalled;
  StaticPoint point;  // where it ended
  int steps = 0;
  Vector direction;  // of the last step, in y
};

// Until Newton's method finds a place of rest close by. Rates stay as they are.
Descent descend(Statics& statics, const SteadyCoordinates& steady, const State& from, double tolerance);

}  // namespace invar
