// Costs made by known laws: their limits, and those that have none.
#include "invar/task/optimize/mesh_limit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace invar {
namespace {

constexpr double solved = 1e-10;

std::vector<double> costs(int count, double limit, double factor, double order) {
  std::vector<double> list;
  for (int i = 0; i < count; ++i) list.push_back(limit + factor * std::pow(0.5, order * i));
  return list;
}

TEST(MeshLimit, IsExactForOnePowerOfTheStepWhateverItsOrder) {
  for (const double order : {0.75, 1.0, 1.5, 2.0, 2.5})
    for (const double limit : {-3.0, 0.8, 1e6})
      for (const int count : {3, 4, 6}) {
        const MeshLimit found = mesh_limit(costs(count, limit, 0.1 * limit, order), 2, solved);
        ASSERT_TRUE(found.value) << order << ": " << found.why_none;
        EXPECT_NEAR(*found.value, limit, 1e-12 * std::abs(limit));
        EXPECT_NEAR(*found.order, order, 1e-9);
      }
}

TEST(MeshLimit, OfCostsThatNoLongerChangeIsTheLastCost) {
  const std::vector<double> same = {2.0, 2.0 + 1e-13, 2.0};
  const MeshLimit found = mesh_limit(same, 2, solved);
  EXPECT_EQ(found.value, 2.0);
  EXPECT_FALSE(found.order);
}

TEST(MeshLimit, IsRefusedWithTheReasonWhereTheCostsShowNone) {
  struct Case {
    std::vector<double> costs;
    const char* reason;
  };
  const Case cases[] = {
      {{1.0, 0.9}, "two meshes do not show with which order the cost changes; refine 3 or more"},
      {{1.0, 0.9, 0.95}, "the costs of the last three meshes do not go in one direction"},
      {{1.0, 0.9, 0.6}, "the cost does not settle: observed order -1.58"},
      {{1.0, 0.5, 0.49}, "the observed order 5.64 is none that this scheme can have: the meshes are too coarse"},
      {{1.0, 0.7, 0.6, 0.58}, "the order has not settled: 1.58 and then 2.32"},
      {{1.0, 1.1, 0.9, 0.85}, "the order has not settled: none and then 2.00"},
  };
  for (const Case& c : cases) {
    const MeshLimit found = mesh_limit(c.costs, 2, solved);
    EXPECT_FALSE(found.value) << c.reason;
    EXPECT_EQ(found.why_none, c.reason);
  }
}

}  // namespace
}  // namespace invar
