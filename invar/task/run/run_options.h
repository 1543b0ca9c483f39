// What a run tells whoever started it, and what it may use.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "invar/record/row_sink.h"
#include "invar/tape/function.h"

namespace invar {

// Of a run that is to be gone on with by another process. A state is good for the same program only, with the same
// model and settings.
struct Checkpoints {
  double every = 60.0;                                 // seconds between two of them
  std::function<void(const std::string& state)> keep;  // also when the run is interrupted
  std::string from = {};                               // the state to go on with; empty: from the start
};

struct RunOptions {
  std::function<bool(double t)> keep_going;              // asked after every step; false interrupts
  std::function<void(const std::string& state)> tell;    // what a task that cannot know how far it is has reached
  std::function<void(const std::string& warning)> warn;  // what must be known before the run
  std::optional<Compiler> compiler;                      // where it pays; without one all is interpreted
  // Where rows go as they come, of tasks that can be long. The table that such a run returns is then a sample of them,
  // see row_sample.h, of at most so many numbers.
  RowSink* rows = nullptr;
  std::size_t kept_numbers = std::size_t{1} << 21;
  std::optional<Checkpoints> checkpoints = {};  // of tasks that can go on, see Task::goes_on
  std::uint64_t clean_after = 0;                // steps between clean nodes (clean_node.h); zero: as usual
};

}  // namespace invar
