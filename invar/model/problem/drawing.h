// How a system of formulas is drawn: things between places that are formulas of the coordinates. For pictures only.
#pragma once

#include <string>
#include <vector>

#include "invar/expr/expr.h"

namespace invar {

struct Drawn {
  enum class Kind { point, line, link, cable, spring, circle, fixed, trace, box, arrow };
  std::string name;
  Kind kind = Kind::line;
  std::vector<Exprs> places;  // each with two or three formulas; of a circle or box the centre, of an arrow the foot
  Exprs details = {};         // radius of a circle, angle of a box in the plane, vector of an arrow
  std::vector<double> size = {};  // of a box
};

}  // namespace invar
