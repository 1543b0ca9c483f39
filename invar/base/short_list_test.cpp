// A short list behaves as a vector does, whether its numbers stand inside or outside.
#include "invar/base/short_list.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

namespace invar {
namespace {

using Numbers = ShortList<double, 3>;

std::vector<double> all(const Numbers& list) { return {list.begin(), list.end()}; }

TEST(ShortList, ChangesLikeAVector) {
  std::mt19937 random(1);
  Numbers list;
  std::vector<double> vector;
  for (int k = 0; k < 2000; ++k) {
    const std::size_t count = random() % 9;
    const double value = static_cast<double>(random());
    switch (random() % 4) {
      case 0: list.resize(count, value), vector.resize(count, value); break;
      case 1: list.push_back(value), vector.push_back(value); break;
      case 2: list.assign(count, value), vector.assign(count, value); break;
      default: {
        std::vector<double> other(count);
        std::iota(other.begin(), other.end(), value);
        list.assign(other.begin(), other.end());
        vector = other;
      }
    }
    ASSERT_EQ(all(list), vector);
    ASSERT_EQ(list.empty(), vector.empty());
    if (!vector.empty()) {
      ASSERT_EQ(list.back(), vector.back());
    }
  }
}

TEST(ShortList, CopiesAndMovesOfAnyLength) {
  for (const std::size_t count : {0U, 1U, 3U, 4U, 10U}) {
    Numbers list(count, 2.5);
    const Numbers copy = list;
    EXPECT_EQ(copy, list);
    Numbers moved = std::move(list);
    EXPECT_EQ(moved, copy);
    for (const std::size_t before : {0U, 2U, 7U}) {
      Numbers to(before, 1.0), other = copy;
      to = copy;
      EXPECT_EQ(to, copy);
      to.assign(before, 1.0);
      to = std::move(other);
      EXPECT_EQ(to, copy);
    }
  }
}

}  // namespace
}  // namespace invar
