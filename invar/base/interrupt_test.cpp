// A poll throws exactly while the innermost scope wants to stop.
#include "invar/base/interrupt.h"

#include <gtest/gtest.h>

namespace invar {
namespace {

TEST(Interrupt, NobodyAskedMeansGoOn) { EXPECT_NO_THROW(poll_interrupt()); }

TEST(Interrupt, TheInnermostScopeDecidesAndGivesWayAgain) {
  bool stop = false;
  const InterruptScope scope([&] { return stop; });
  EXPECT_NO_THROW(poll_interrupt());
  stop = true;
  EXPECT_THROW(poll_interrupt(), Interrupted);
  {
    const InterruptScope inner([] { return false; });
    EXPECT_NO_THROW(poll_interrupt());
  }
  EXPECT_THROW(poll_interrupt(), Interrupted);
}

}  // namespace
}  // namespace invar
