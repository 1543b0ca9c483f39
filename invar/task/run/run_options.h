// What a run tells whoever started it, and what it may use.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "invar/tape/function.h"

namespace invar {

struct RunOptions {
  std::function<bool(double t)> keep_going;              // asked after every step; false interrupts
  std::function<void(const std::string& state)> tell;    // what a task that cannot know how far it is has reached
  std::function<void(const std::string& warning)> warn;  // what must be known before the run
  std::optional<Compiler> compiler;                      // for long runs
};

}  // namespace invar
