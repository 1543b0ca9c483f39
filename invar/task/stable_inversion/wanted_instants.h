// A motion on a mesh with further instants in between.
#pragma once

#include <vector>

#include "invar/dae/jet.h"

namespace invar {

// The jets and those at wanted times that the mesh does not hold, from polynomials through six neighbours. A wanted
// time that differs from an instant of the mesh by rounding takes its place.
std::vector<Jet> with_wanted(const std::vector<Jet>& jets, const std::vector<double>& wanted);

}  // namespace invar
