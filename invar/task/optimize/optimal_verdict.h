// The verdict on an optimal motion by other means than those that found it: finer steps, and limits between the nodes.
#pragma once

#include "invar/record/summary.h"
#include "invar/task/optimize/optimal_task.h"

namespace invar {

// Of a motion that a solver calls solved: fills in measures, warns, and decides whether it has failed.
void judge(const OptimalTask& task, const OptimalMotion& found, Summary& summary);

// Where a solver met a formula without a finite value, the message names the first such formula and its time.
void name_what_is_not_finite(const OptimalTask& task, Transcription& form, const OptimalMotion& found,
                             Summary& summary);

}  // namespace invar
