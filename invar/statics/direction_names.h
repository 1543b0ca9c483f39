// Directions in words: the coordinates that move most in them.
#pragma once

#include <string>
#include <vector>

#include "invar/statics/statics.h"

namespace invar {

// Coordinates that tell the directions y (columns) apart. A director of a body stands for its rotation.
std::vector<std::string> direction_names(const System& system, const StaticPoint& p, const Matrix& directions);

// "x", "x and y", "x, y and z"
std::string in_a_list(const std::vector<std::string>& names);

}  // namespace invar
