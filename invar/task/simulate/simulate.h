// Forward dynamics: from a problem to its motion.
#pragma once

#include <optional>

#include "invar/model/problem/problem.h"
#include "invar/record/summary.h"
#include "invar/record/trajectory.h"
#include "invar/task/run/prepared.h"
#include "invar/task/run/run_options.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {

// What was computed, and in summary.status whether that is all: done, failed or interrupted.
struct Simulation {
  Trajectory trajectory;
  Summary summary;
};

// Throws InputError if the problem is wrong; numerical failure is a status.
Simulation simulate(const Problem& problem, const RunOptions& options = {});

// With other values of parameters, see with_parameters.h. The first run derives what all need; later ones derive
// nothing, whatever the values, unless these change which constraints are redundant: such a run derives for itself.
// Several threads may call at a time.
Simulation simulate(const Prepared& prepared, const Overrides& parameters = {}, const RunOptions& options = {});
// Nothing in place of such a run.
std::optional<Simulation> simulate_alike(const Prepared& prepared, const Overrides& parameters,
                                         const RunOptions& options = {});

}  // namespace invar
