// Where a motion is to end: a configuration on the constraints with the wanted coordinates, and which of its
// coordinates can be prescribed independently of each other.
#pragma once

#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/task/transcription/transcription.h"

namespace invar {

struct Goal {
  std::vector<double> q;  // on the constraints; coordinates that nobody asked for as near to the start as can be
  std::vector<bool> independent;  // as many as degrees of freedom, those that are given first
  std::vector<Range> ranges;      // of q and v at the end
};

// InputError if the wanted values contradict each other or the constraints.
Goal find_goal(const System& system, const OptimizeSettings& settings, const std::vector<double>& q0,
               std::span<const Reference> references = {});

// Configurations on the constraints from q0 to the goal, along a straight line in the independent coordinates; bodies
// turn evenly. What floats moves so that its momenta stay zero, and begins and ends slowly.
std::vector<std::vector<double>> line_to(const System& system, const Goal& goal, const std::vector<double>& q0,
                                         std::size_t intervals, double horizon,
                                         std::span<const Reference> references = {});

}  // namespace invar
