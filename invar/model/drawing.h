// How a system of formulas is drawn: things between places that are formulas of the coordinates. For pictures only.
#pragma once

#include <string>
#include <vector>

#include "invar/expr/expr.h"

namespace invar {

struct Drawn {
  enum class Kind { point, line, link, cable, spring, circle, fixed, trace };
  std::string name;
  Kind kind = Kind::line;
  std::vector<Exprs> places;  // each with two or three formulas; of a circle the centre
  Expr radius = 0.0;          // of a circle
};

}  // namespace invar
