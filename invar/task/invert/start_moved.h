// Trajectories that begin elsewhere than the model file says: the motion begins on the trajectory, and the user is
// told.
#pragma once

#include <string>
#include <vector>

#include "invar/task/inverse_structure/inverse_structure.h"
#include "invar/task/run/prepared.h"

namespace invar {

// A sentence for each output whose trajectory begins away from where [initial] puts it.
std::vector<std::string> moved_starts(const Prepared& prepared, const InverseStructure& structure);

}  // namespace invar
