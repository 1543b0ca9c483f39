// Values of parameters in place of those in a model file.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace invar {

// From the command line, `--set m=120`; they count before anything else is read.
using Overrides = std::vector<std::pair<std::string, double>>;

}  // namespace invar
