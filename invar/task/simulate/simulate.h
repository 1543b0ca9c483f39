// Forward dynamics: from a problem to its motion.
#pragma once

#include "invar/model/problem/problem.h"
#include "invar/record/summary.h"
#include "invar/record/trajectory.h"
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

}  // namespace invar
