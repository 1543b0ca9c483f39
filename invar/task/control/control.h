// Closed-loop control: a controller that knows the model and a plant that differs from it, simulated together.
#pragma once

#include "invar/model/problem/problem.h"
#include "invar/record/summary.h"
#include "invar/record/trajectory.h"
#include "invar/task/control/control_law.h"
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

// Throws InputError if the controller does not fit or cannot start; a loop that breaks down is a status. The controller
// is the one that [control] names.
ControlRun control(const Problem& problem, const RunOptions& options = {});

// With other values of parameters, see with_parameters.h; both model and plant have them, unless [plant] says
// otherwise. Nothing is read again, but controller and plant are derived in every run. Several threads may call at a
// time.
ControlRun control(const Prepared& prepared, const Overrides& parameters = {}, const RunOptions& options = {});

// With a controller of one's own, a class or a function; nothing is said about its stability.
ControlRun control(const Problem& problem, Controller& controller, const RunOptions& options = {});
ControlRun control(const Problem& problem, const ControlLaw& law, const RunOptions& options = {});

}  // namespace invar
