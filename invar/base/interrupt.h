// How long computations are stopped: whoever starts one says how to find out that it is no longer wanted, and its loops
// ask.
//
//   const InterruptScope scope([] { return stop_was_pressed; });
//   solve();  // asks with poll_interrupt() in every iteration, and throws Interrupted when the answer is yes
#pragma once

#include <functional>

#include "invar/base/error.h"

namespace invar {

class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

// While it exists, polls of this thread ask `stop`. A scope inside another takes its place until it ends.
class InterruptScope {
 public:
  explicit InterruptScope(std::function<bool()> stop);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  friend void poll_interrupt();
  std::function<bool()> stop_;
  const InterruptScope* outer_;
};

// Throws Interrupted if the innermost scope says so; does nothing without one. Cheap: for every iteration of a solver.
void poll_interrupt();

}  // namespace invar
