// What a batch of simulations runs on a GPU.
#pragma once

#include <string>
#include <vector>

#include "invar/device/step_program.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/task/run/prepared.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {

inline const SimulateSettings& simulation_settings(const Prepared& prepared) {
  return prepared.problem().settings.of<SimulateSettings>();
}

// Why runs that differ in these parameters are not for a GPU, in words; empty if they are.
std::string refusal_of_batch(const Prepared& prepared, const std::vector<std::string>& varied);

// Do these runs take less time there, with the kernel still to be built, than on so many cores? As measured
// (docs/gpu.md).
bool gpu_pays(const Prepared& prepared, std::size_t cases, unsigned cores);

// InputError with the words of refusal_of_batch.
StepProgram simulation_program(const Prepared& prepared, const std::vector<std::string>& varied,
                               const KernelParameters& parameters);

// About how many seconds a step of a point takes there, if many points share it.
double seconds_on_gpu(const Stepper& stepper);

}  // namespace invar
