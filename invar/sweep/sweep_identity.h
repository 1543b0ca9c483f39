// What a sweep is, letter by letter: runs that answer the same question, and only these, can be put together.
#pragma once

#include <string>

#include "invar/sample/design.h"
#include "invar/sweep/case_runner.h"
#include "invar/task/sweep/sweep_settings.h"

namespace invar {

// Version, task, model, the contents of files that it names, values and settings. What only says how runs are made
// (threads, parts, limits) is no part of it.
std::string identity_of(const SweptModel& model, const SweepSettings& settings, const Design& design);

}  // namespace invar
