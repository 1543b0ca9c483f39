// Optimal control: from a model, its start and a goal to the inputs that get there at the least cost.
#pragma once

#include "invar/model/problem/problem.h"
#include "invar/task/optimize/optimization_summary.h"
#include "invar/task/run/prepared.h"
#include "invar/task/run/run_options.h"
#include "invar/task/transcription/optimize_settings.h"

namespace invar {

// Throws InputError if the wish is impossible or the problem wrong; a solver that finds nothing is a status.
// `keep_going` is told the fraction of the iterations that may be needed at most.
Optimum optimize(const Problem& problem, const RunOptions& options = {});

// With other values of parameters, see with_parameters.h. Nothing is read again, but the equations of the intervals are
// derived in every run. Several threads may call at a time; in the solver they take turns.
Optimum optimize(const Prepared& prepared, const Overrides& parameters = {}, const RunOptions& options = {});

}  // namespace invar
