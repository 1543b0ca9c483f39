// Warnings about what a model bears only up to a limit: the worst value of each subject in a motion.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "invar/record/trajectory.h"
#include "invar/system/reference_values.h"
#include "invar/system/system.h"

namespace invar {

// The trajectory begins with the columns of an Observer of the system.
std::vector<std::string> watch(const System& system, std::span<const Reference> signals, const Trajectory& trajectory);

}  // namespace invar
