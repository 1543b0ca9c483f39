// C99 text of the functions that <math.h> lacks, for generated sources. Every name begins with the given prefix.
#pragma once

#include <string>

namespace invar {

std::string c_helper_sign(const std::string& prefix);
std::string c_helper_stumpff(const std::string& prefix);
std::string c_helper_lerch(const std::string& prefix);

}  // namespace invar
