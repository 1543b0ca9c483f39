// From a start to an equilibrium along a path of equilibria: loads grow, weight W and applied forces f, while what else
// is out of balance at the start is let go; or a parameter goes from one value to another.
//
//   r = ∂(V − W)/∂q + Gᵀλ + p (∂W/∂q − f) − (1 − p) ∂(V − W)/∂q at q₀ = 0,   Φ(q) = 0,   p from 0 to 1
//   r = ∂V/∂q + Gᵀλ − f = 0 for a value of the parameter,                    Φ(q) = 0,   value from … to …
//
// Steps are taken in arc length, measured by the masses and by p together, with tangents as predictors, so that the
// path goes on where it turns back in p: past limit points, where a structure snaps. Nothing is dense.
// [E. Riks, Int. J. Solids Struct. 15 (1979) 529; E. L. Allgower, K. Georg, Numerical Continuation Methods, Springer
// 1990, ch. 6]
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "invar/system/state_function.h"
#include "invar/system/system.h"

namespace invar {

struct FollowedParameter {
  std::string name;
  double from = 0.0, to = 1.0;
};

using PathVisitor = std::function<void(double value, const State&)>;

struct LoadPath {
  bool complete = false;
  std::string reason;  // why not
  State end;           // with λ
  int steps = 0;
  std::vector<double> turns;  // p, or values of the parameter, at limit points
};

// Of a held system whose constraints all stand at position level; nothing if they do not. `visit` sees every
// equilibrium on the path of a parameter, its first one included.
std::optional<LoadPath> follow_load_path(const System& system, const State& start,
                                         const std::optional<FollowedParameter>& parameter = {},
                                         const PathVisitor& visit = {});

}  // namespace invar
