// The curves of a run as one still picture for a paper: by what they are, and by their units.
#pragma once

#include <string>

#include "invar/model/problem/problem.h"
#include "invar/record/summary.h"
#include "invar/record/trajectory.h"

namespace invar {

// `costates` of optimal control, with the Hamiltonian, may be missing.
std::string paper_plot(const Problem& problem, const Summary& summary, const Trajectory& motion,
                       const Trajectory* costates = nullptr);

}  // namespace invar
