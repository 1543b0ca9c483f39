// Where a run forgets what it has learned, so that another process can go on from there to the last bit.
//
// What decides the last bits of a step is not only the node that it begins at: also which factors Newton's method
// keeps, the order of its pivots, where the last steps seem to lead, which way of solving has turned out to be
// cheapest. Much of it stands in libraries that cannot write it down. So every run forgets it after certain numbers of
// steps, whether it is interrupted or not; one that goes on begins at the last such node and repeats, without
// recording, the steps that were done from there. Numbers of steps and not times, which are never the same twice.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/record/summary.h"
#include "invar/scheme/steps/adaptive.h"
#include "invar/scheme/steps/stepper.h"

namespace invar {

struct CleanNode {
  std::uint64_t step = 0;  // of the loop
  Stepper::Memory memory = {};
  Adaptive::Progress sizes = {};
  std::uint64_t factorisations = 0, mended = 0;  // by earlier steppers
  std::uint64_t steps = 0, substeps = 0, iterations = 0, most_iterations = 0;

  void note(std::uint64_t now, const Stepper& stepper, const Summary& summary);
  void tell(Summary& summary) const;

  template <class Archive>
  void store(Archive& archive) {
    archive(step, memory, sizes, factorisations, mended, steps, substeps, iterations, most_iterations);
  }
};

// So many take the order of half a minute: to learn anew costs nothing then, and to repeat them little.
std::uint64_t steps_between_clean_nodes(const Stepper& stepper);

// What a run follows from, in so far as it has numbers and texts: two runs of which this is the same are the same.
// Functions of time that are given by programs or files are compared at many instants.
std::string identity_of(const Problem& problem, const State& start, const std::vector<std::string>& columns);

}  // namespace invar
