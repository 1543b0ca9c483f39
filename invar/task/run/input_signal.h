// An input over time: a formula of t, signals and parameters, or samples joined by straight lines (held beyond the
// ends), or a function of a program.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "invar/expr/expr.h"

namespace invar {

struct InputSignal {
  std::string input;  // name
  std::optional<Expr> formula;
  std::vector<double> time;  // ascending
  std::vector<double> value;
  // Called with any t, in any order and as often as a step asks; copies of it may be called in several threads at a
  // time. What depends on the state is a controller: control_law.h.
  std::function<double(double t)> function = {};
};

}  // namespace invar
