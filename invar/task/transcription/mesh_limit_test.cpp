// Costs made by known laws: their limits, and those that have none.
#include "invar/task/transcription/mesh_limit.h"

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
        const MeshLimit found = mesh_limit(costs(count, limit, 0.1 * limit, order), {2}, solved);
        ASSERT_TRUE(found.value) << order << ": " << found.why_none;
        EXPECT_NEAR(*found.value, limit, 1e-12 * std::abs(limit));
        EXPECT_NEAR(*found.order, order, 1e-9);
      }
}

// c(h) = 1 + h² + 3 h⁴ - h⁶ from four meshes, and 1 + h - h² + h³.
TEST(MeshLimit, RemovesOneTermAfterTheOther) {
  std::vector<double> even, every;
  for (const double h : {0.25, 0.125, 0.0625, 0.03125}) {
    even.push_back(1.0 + h * h + 3.0 * std::pow(h, 4) - std::pow(h, 6));
    every.push_back(1.0 + h - h * h + std::pow(h, 3));
  }
  constexpr double rounding = 1e-13;
  EXPECT_NEAR(mesh_limit(even, {2, true}, solved).value.value(), 1.0, rounding);
  EXPECT_NEAR(mesh_limit(every, {1}, solved).value.value(), 1.0, rounding);
}

// A mesh so coarse that its error has nothing to do with powers of the step says nothing about the limit.
TEST(MeshLimit, IsNotLedAstrayByTheCoarsestMesh) {
  std::vector<double> list = costs(5, 1.0, 0.04, 2.0);
  list.front() = 100.0;
  EXPECT_NEAR(mesh_limit(list, {2, true}, solved).value.value_or(0.0), 1.0, 1e-12);
}

TEST(MeshLimit, OfCostsThatNoLongerChangeIsTheLastCost) {
  const std::vector<double> same = {2.0, 2.0 + 1e-13, 2.0};
  const MeshLimit found = mesh_limit(same, {2}, solved);
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
    const MeshLimit found = mesh_limit(c.costs, {2}, solved);
    EXPECT_FALSE(found.value) << c.reason;
    EXPECT_EQ(found.why_none, c.reason);
  }
}

}  // namespace
}  // namespace invar
