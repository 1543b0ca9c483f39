// Inverse dynamics: from a model and the trajectories of its outputs to the inputs that make it follow them exactly.
#pragma once

#include "invar/model/problem/problem.h"
#include "invar/record/summary.h"
#include "invar/record/trajectory.h"
#include "invar/task/inverse_structure/invert_settings.h"
#include "invar/task/invert/inversion_summary.h"
#include "invar/task/run/prepared.h"
#include "invar/task/run/run_options.h"

namespace invar {

struct Inversion {
  Trajectory trajectory;
  Trajectory inputs;  // t and the inputs alone, for `simulate` or a controller
  Summary summary;
};

// Throws InputError if the wish is impossible or the problem wrong; numerical failure is a status.
Inversion invert(const Problem& problem, const RunOptions& options = {});

// With other values of parameters, see with_parameters.h. Nothing is read again, but the equations are analysed for
// these values in every run. Several threads may call at a time.
Inversion invert(const Prepared& prepared, const Overrides& parameters = {}, const RunOptions& options = {});

}  // namespace invar
