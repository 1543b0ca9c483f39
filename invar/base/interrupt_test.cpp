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
  {
    const InterruptScope inner([] { return false; });
    EXPECT_NO_THROW(poll_interrupt());
  }
  EXPECT_THROW(poll_interrupt(), Interrupted);
}

TEST(Interrupt, AScopeInterruptsOnce) {
  const InterruptScope scope([] { return true; });
  EXPECT_FALSE(is_interrupted());
  EXPECT_THROW(poll_interrupt(), Interrupted);
  EXPECT_TRUE(is_interrupted());
  EXPECT_NO_THROW(poll_interrupt());
  {
    const InterruptScope inner([] { return true; });
    heed_interrupt();
    EXPECT_NO_THROW(poll_interrupt());
  }
  const InterruptScope another([] { return true; });
  EXPECT_THROW(poll_interrupt(), Interrupted);
}

TEST(Interrupt, NowAndThenIsWithinAThousandQuestions) {
  const InterruptScope scope([] { return true; });
  const auto ask = [] {
    for (int i = 0; i < 1000; ++i) poll_interrupt_now_and_then();
  };
  EXPECT_THROW(ask(), Interrupted);
}

}  // namespace
}  // namespace invar
