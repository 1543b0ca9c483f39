// Closed-loop control: a controller that knows the model and a plant that differs from it, simulated together.
#pragma once

#include "invar/model/problem/problem.h"
#include "invar/record/summary.h"
#include "invar/record/trajectory.h"
#include "invar/task/control/control_settings.h"
#include "invar/task/control/control_summary.h"
#include "invar/task/simulate/simulate.h"

namespace invar {

struct ControlRun {
  Trajectory trajectory;  // of the plant, at the samples, with references and errors of the outputs
  Trajectory inputs;      // that were held
  Summary summary;
};

// What can be said about the loop before it runs: stability around rest, inputs at rest, where the references begin.
ControlSummary check_loop(const Problem& problem, std::vector<std::string>& warnings);

// Throws InputError if the controller does not fit or cannot start; a loop that breaks down is a status.
ControlRun control(const Problem& problem, const RunOptions& options = {});

}  // namespace invar
