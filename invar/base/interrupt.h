// How long computations are stopped: whoever starts one says how to find out that it is no longer wanted, and its loops
// ask.
//
//   const InterruptScope scope([] { return stop_was_pressed; });
//   solve();  // asks with poll_interrupt() in every iteration, and throws Interrupted when the answer is yes
//
// A scope interrupts once: whoever catches Interrupted in order to keep what was found is not disturbed at that.
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
  friend void heed_interrupt();
  friend bool is_interrupted();
  std::function<bool()> stop_;
  InterruptScope* outer_;
  bool heeded_ = false;
};

// Throws Interrupted if the innermost scope says so; does nothing without one. Cheap: for every iteration of a solver.
void poll_interrupt();

// The same for what is done millions of times in a second: asks now and then.
void poll_interrupt_now_and_then();

// The innermost scope does not interrupt any more: this thread was told otherwise that it has to end, and does so.
void heed_interrupt();

// Has the innermost scope interrupted, or was it heeded? For those through whom no exception may pass.
bool is_interrupted();

}  // namespace invar
