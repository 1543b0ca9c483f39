// How runs approach the one with the finest step.
#pragma once

#include <string>
#include <vector>

#include "invar/record/trajectory.h"

namespace invar {

// The largest difference of any coordinate among these columns, that is one with a velocity, to that of a reference, at
// the times of the motion that both have.
double largest_difference(const Trajectory& motion, const Trajectory& reference,
                          const std::vector<std::string>& columns);

struct SteppedRun {
  std::string method;
  double step = 0.0;
  const Trajectory* motion = nullptr;
};

struct ConvergenceSeries {
  std::string method;
  std::vector<double> step, error;  // ascending; the largest difference of any coordinate to the finest run
  double order = 0.0;               // as the two finest steps show it
};

// One series for each method with at least two steps that differ from the finest run.
std::vector<ConvergenceSeries> convergence(const std::vector<SteppedRun>& runs,
                                           const std::vector<std::string>& columns);

}  // namespace invar
