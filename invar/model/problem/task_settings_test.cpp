// Settings of tasks: those that were given, the defaults where none were, and copies of their own.
#include "invar/model/problem/task_settings.h"

#include <gtest/gtest.h>

namespace invar {
namespace {

struct Walk {
  double speed = 1.0;
};
struct Fly {
  static constexpr bool finds_inputs = true;
  double height = 2.0;
};

TEST(TaskSettings, AreTheDefaultsUntilTheyAreGiven) {
  TaskSettings settings;
  EXPECT_EQ(std::as_const(settings).of<Walk>().speed, 1.0);
  EXPECT_FALSE(settings.has<Walk>()) << "asking gives nothing";
  settings.of<Walk>().speed = 3.0;
  EXPECT_TRUE(settings.has<Walk>());
  EXPECT_EQ(std::as_const(settings).of<Walk>().speed, 3.0);
  EXPECT_FALSE(settings.has<Fly>());
  settings.remove<Walk>();
  EXPECT_FALSE(settings.has<Walk>());
}

TEST(TaskSettings, OfACopyAreItsOwn) {
  TaskSettings settings;
  settings.of<Walk>().speed = 3.0;
  TaskSettings copy = settings;
  copy.of<Walk>().speed = 4.0;
  EXPECT_EQ(settings.of<Walk>().speed, 3.0);
}

TEST(TaskSettings, TellWhetherATaskFindsTheInputs) {
  TaskSettings settings;
  settings.of<Walk>();
  EXPECT_FALSE(settings.find_inputs());
  settings.of<Fly>();
  EXPECT_TRUE(settings.find_inputs());
  settings.remove<Fly>();
  EXPECT_FALSE(settings.find_inputs());
}

}  // namespace
}  // namespace invar
