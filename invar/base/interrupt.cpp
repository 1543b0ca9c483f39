// See interrupt.h.
#include "invar/base/interrupt.h"

#include <utility>

namespace invar {

namespace {

thread_local InterruptScope* innermost = nullptr;

}  // namespace

InterruptScope::InterruptScope(std::function<bool()> stop) : stop_(std::move(stop)), outer_(innermost) {
  innermost = this;
}

InterruptScope::~InterruptScope() { innermost = outer_; }

void poll_interrupt() {
  if (innermost == nullptr || innermost->heeded_ || !innermost->stop_()) return;
  innermost->heeded_ = true;
  throw Interrupted();
}

void poll_interrupt_now_and_then() {
  constexpr unsigned seldom = 256;
  thread_local unsigned asked = 0;
  if (++asked % seldom == 0) poll_interrupt();
}

bool is_interrupted() { return innermost != nullptr && innermost->heeded_; }

void heed_interrupt() {
  if (innermost != nullptr) innermost->heeded_ = true;
}

}  // namespace invar
