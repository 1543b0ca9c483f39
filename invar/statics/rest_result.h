// What is asked of a search for rest, and what is known of the place that was found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/statics/load_path.h"
#include "invar/statics/rest_kinds.h"
#include "invar/statics/stability.h"

namespace invar {

struct RestOptions {
  RestMethod method = RestMethod::automatic;
  double tolerance = 1e-10;  // of forces and constraints, relative to their terms
  // Along which the path goes, and who sees every equilibrium on it; see load_path.h.
  std::optional<FollowedParameter> follow = {};
  PathVisitor visit = {};
};

struct Rest {
  bool found = false;
  std::string reason;  // why nothing was found
  RestMethod by = RestMethod::newton;
  StaticPoint point;
  Stability stability;
  SteadyCoordinates steady;
  std::vector<std::string> free;     // coordinates in which it could as well be elsewhere: it is one of a family
  std::vector<std::string> flat;     // directions in which only terms of higher order hold or push it
  bool singular = false;             // constraints are dependent there
  std::optional<StaticPoint> lower;  // a stable one downhill of an unstable one
  int iterations = 0, steps = 0;     // of Newton's method, downhill or along the path
  std::vector<double> turns;         // limit points of the path
};

}  // namespace invar
