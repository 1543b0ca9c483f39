// The mass matrix as a measure of changes of a start, and what is wrong with it.
#pragma once

#include <string>
#include <vector>

#include "invar/math/matrix.h"
#include "invar/system/system.h"

namespace invar {

// The mass matrix, with massless directions given a small weight and negative masses their size, so that it is positive
// definite.
Matrix metric(Matrix mass);

// Coordinates with a negative mass of their own. Of directors only sums of moments mean something.
std::vector<std::string> negative_masses(const System& system, const std::vector<double>& diagonal);
// These, or else the one that moves most in a motion of negative kinetic energy that the constraints allow.
std::vector<std::string> negative_masses(const System& system, const Matrix& mass, const Matrix& gradient);

}  // namespace invar
