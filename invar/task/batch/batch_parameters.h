// The parameters that differ between the runs of a batch: those that are varied and those that follow from them.
#pragma once

#include <string>
#include <vector>

#include "invar/device/step_program.h"
#include "invar/model/problem/problem.h"

namespace invar {

// Values are those of the problem.
KernelParameters batch_parameters(const Problem& problem, const std::vector<std::string>& varied);

// The names in any of these cases.
std::vector<std::string> names_in(std::span<const Overrides> cases);

}  // namespace invar
