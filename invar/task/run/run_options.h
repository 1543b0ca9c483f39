// What a run tells whoever started it, and what it may use.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "invar/record/row_sink.h"
#include "invar/tape/function.h"

namespace invar {

struct RunOptions {
  std::function<bool(double t)> keep_going;              // asked after every step; false interrupts
  std::function<void(const std::string& state)> tell;    // what a task that cannot know how far it is has reached
  std::function<void(const std::string& warning)> warn;  // what must be known before the run
  std::optional<Compiler> compiler;                      // where it pays; without one all is interpreted
  // Where rows go as they come, of tasks that can be long. The table that such a run returns is then a sample of them,
  // see row_sample.h, of at most so many numbers.
  RowSink* rows = nullptr;
  std::size_t kept_numbers = std::size_t{1} << 21;
};

}  // namespace invar
