// Many inversions of one flat problem with other values of its parameters, on a GPU: all instants of a case one after
// the other, all cases side by side (invar/device/instant_program.h).
//
// Every case begins at the solution for the values of the problem. What the kernel leaves, a run of its own finds, or
// refuses with its words. Inputs that the kernel finds satisfy the equations to round-off at every instant; they are
// not tried in a simulation, as those of a run are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "invar/device/device.h"
#include "invar/task/batch/run_batch.h"
#include "invar/task/run/prepared.h"

namespace invar {

// As of simulation_batch.h.
std::string refusal_of_inversions(const Prepared& prepared, const std::vector<std::string>& varied);
bool gpu_pays_for_inversions(const Prepared& prepared, std::size_t cases, unsigned cores);
// Those of a run but the condition number. Known are extremes of time, coordinates, velocities, multipliers and inputs.
std::vector<RunBatch::Column> inversion_columns(const Prepared& prepared);
std::unique_ptr<RunBatch> inversion_batch(Device& device, const Prepared& prepared,
                                          const std::vector<std::string>& varied);

}  // namespace invar
