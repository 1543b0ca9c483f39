// Downhill to a place of rest as in descent.h, with sparse matrices: the motion without inertia
//
//   w q' = −r(q, λ),   Φ = 0,   w: what the masses are along each coordinate
//
// by implicit Euler steps that grow as long as they succeed and lead downhill, the last one of no end. So what has no
// stiffness at the start gets it on the way, as a string that nothing pulls yet.
#pragma once

#include <string>

#include "invar/math/matrix.h"
#include "invar/system/state_function.h"
#include "invar/system/system.h"

namespace invar {

struct LargeDescent {
  bool settled = false;
  std::string reason;  // why not
  State end;           // with λ
  int steps = 0;
};

// Of a held system whose constraints all stand at position level; `unit` are the roots of w.
LargeDescent descend_sparsely(const System& system, const State& start, const Vector& unit);

}  // namespace invar
