// What the error of the samples of a trajectory does to the inputs: they are computed once more, from samples that are
// off by their error.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/record/trajectory.h"

namespace invar {

struct SampleEffect {
  std::string words;      // a sentence without its full stop; nothing if no trajectory comes from samples
  bool doubtful = false;  // is an input uncertain by more than a stated part of its largest value?
};

// `again` inverts another problem and returns its inputs, or an empty table if it cannot.
SampleEffect sample_effect(const Problem& problem, const Trajectory& inputs,
                           const std::function<Trajectory(const Problem&)>& again);

}  // namespace invar
