// An input over time: a formula of t, signals and parameters, or samples joined by straight lines (held beyond the
// ends).
#pragma once

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
};

}  // namespace invar
