// Law of the suggestion for a mistyped name: a few slips lead back to it, and nothing else does.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "invar/base/nearest.h"

namespace invar {
namespace {

TEST(Nearest, NameIsAFewSlipsAway) {
  const std::vector<std::string> known = {"boom", "bridge", "trolley", "load.x", "load.y", "J", "Mass"};
  EXPECT_EQ(nearest("bom", known), "boom");
  EXPECT_EQ(nearest("obom", known), "boom");  // a swap is one slip
  EXPECT_EQ(nearest("brigde", known), "bridge");
  EXPECT_EQ(nearest("BRIDGE", known), "bridge");  // case is no slip
  EXPECT_EQ(nearest("trolly", known), "trolley");
  EXPECT_EQ(nearest("troley2", known), "trolley");
  EXPECT_EQ(nearest("load.z", known), "load.x");  // the first of equals
  EXPECT_EQ(nearest("j", known), "J");
  EXPECT_EQ(nearest("mass", known), "Mass");
  EXPECT_EQ(nearest("k", known), std::nullopt);  // short names have no neighbours
  EXPECT_EQ(nearest("wheel", known), std::nullopt);
  EXPECT_EQ(nearest("", known), std::nullopt);
  EXPECT_EQ(nearest("boom", {}), std::nullopt);
  EXPECT_EQ(nearest("Ab", {"aB", "Ab"}), "Ab");  // of names that differ in case only, the closer one
}

}  // namespace
}  // namespace invar
