// The indirect method as a task: the direct method's motion becomes an extremal that keeps the control Hamiltonian.
#pragma once

#include "invar/task/optimize/optimal_task.h"
#include "invar/task/simulate/simulate.h"

namespace invar {

// From an optimum of the direct method on the same mesh. InputError if the problem does not fit the method.
OptimalMotion to_extremal(const OptimalTask& task, Transcription& form, const OptimalMotion& direct,
                          const RunOptions& options);

}  // namespace invar
