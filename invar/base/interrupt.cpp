// See interrupt.h.
#include "invar/base/interrupt.h"

#include <utility>

namespace invar {

namespace {

thread_local const InterruptScope* innermost = nullptr;

}  // namespace

InterruptScope::InterruptScope(std::function<bool()> stop) : stop_(std::move(stop)), outer_(innermost) {
  innermost = this;
}

InterruptScope::~InterruptScope() { innermost = outer_; }

void poll_interrupt() {
  if (innermost != nullptr && innermost->stop_()) throw Interrupted();
}

}  // namespace invar
