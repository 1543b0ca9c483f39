// Many simulations of one problem with other values of its parameters, on a GPU.
//
//   const std::vector<Overrides> cases = {{{"m", 80.0}}, {{"m", 120.0}}};
//   if (refusal_of_batch(prepared, cases).empty()) BatchEnds ends = simulate_batch(*cuda_device(), prepared, cases);
//
// Starts are made consistent and ends are observed by the processor, as in a run of its own. What the kernel leaves,
// the processor simulates from the beginning, so that what fails does so with the same words; likewise where energy
// that is conserved is another one at the end. Otherwise motions that the kernel ends are not judged.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "invar/device/device.h"
#include "invar/task/batch/run_batch.h"
#include "invar/task/batch/simulation_program.h"
#include "invar/task/run/prepared.h"
#include "invar/task/run/run_options.h"

namespace invar {

// As of simulation_program.h.
std::string refusal_of_batch(const Prepared& prepared, std::span<const Overrides> cases);

// Of the rows, and of which the extremes are known.
std::vector<RunBatch::Column> simulation_columns(const Prepared& prepared);

// InputError with the words of refusal_of_batch. Known are extremes of coordinates, velocities, inputs and time.
std::unique_ptr<RunBatch> simulation_batch(Device& device, const Prepared& prepared,
                                           const std::vector<std::string>& varied);

struct BatchEnds {
  std::vector<std::string> columns;  // as of a simulation
  struct Case {
    std::vector<double> end;  // the last row; empty if the run failed
    std::string failure;      // why
    bool by_processor = false;
    // Of coordinates and velocities over all rows, in the order of their columns; empty if the processor ran it.
    std::vector<double> least, greatest;
  };
  std::vector<Case> cases;
  std::vector<std::string> watched;  // the columns of least and greatest
};

// InputError with the words of refusal_of_batch.
BatchEnds simulate_batch(Device& device, const Prepared& prepared, std::span<const Overrides> cases,
                         const RunOptions& options = {});

}  // namespace invar
