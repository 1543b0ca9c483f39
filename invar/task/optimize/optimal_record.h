// What a user is told about an optimal motion: tables, measures of its quality, and doubts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/record/trajectory.h"
#include "invar/task/optimize/optimal_task.h"
#include "invar/task/optimize/optimization_summary.h"

namespace invar {

Trajectory motion_table(const OptimalTask& task, const OptimalMotion& found);  // at the nodes
// At the middle of the intervals, where a simulation with the same scheme and step asks for inputs.
Trajectory input_table(const OptimalTask& task, const OptimalMotion& found);
// Also there: the control Hamiltonian and the costates, named after the equations whose multipliers they are.
Trajectory costate_table(const OptimalMotion& found);

OptimizationSummary measures(const OptimalTask& task, const OptimalMotion& found);

// Is it a motion of the system, or one that only this mesh allows?
struct Doubt {
  std::optional<double>
      replay;  // largest difference to a simulation with the inputs and the same steps, relative to the largest entry
  std::string warning;  // empty if nothing is wrong
};
Doubt doubt(const OptimalTask& task, const OptimalMotion& found);

}  // namespace invar
