// What became of the parameters of a model while it was read: which numbers follow from them, and which can no longer
// follow.
//
// In the formulas of a system parameters are symbols, so that other values need nothing new. Where a file asks for a
// number (a mass, a time, a gain) a formula of the parameters is evaluated once, and what it gave stays.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "invar/model/problem/overrides.h"

namespace invar {

struct ParameterUse {
  std::map<std::string, std::string> fixed;  // by parameter: where its value was used up, such as `[simulate]: "until"`
  std::map<std::string, std::string> formulas;  // by parameter: what it was given by, in terms of those before it
  std::vector<std::string> q0, v0;              // formulas of start values by coordinate; empty where a number stands
  Overrides of_plant;                           // values that [plant] gives, whatever the model has
};

}  // namespace invar
