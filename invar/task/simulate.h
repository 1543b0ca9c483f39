// Forward dynamics: from a problem to its motion.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "invar/expr/function.h"
#include "invar/model/problem.h"
#include "invar/record/summary.h"
#include "invar/record/trajectory.h"
#include "invar/scheme/scheme.h"

namespace invar {

struct RunOptions {
  std::function<bool(double t)> keep_going;              // asked after every step; false interrupts
  std::function<void(const std::string& state)> tell;    // what a task that cannot know how far it is has reached
  std::function<void(const std::string& warning)> warn;  // what must be known before the run
  std::optional<Compiler> compiler;                      // for long runs
};

// What was computed, and in summary.status whether that is all: "done", "failed" or "interrupted".
struct Simulation {
  Trajectory trajectory;
  Summary summary;
};

// Throws InputError if the problem is wrong; numerical failure is a status.
Simulation simulate(const Problem& problem, const RunOptions& options = {});

// The scheme of this name; "auto" takes what suits the system.
const Scheme& choose_scheme(const System& system, const std::string& name);

}  // namespace invar
