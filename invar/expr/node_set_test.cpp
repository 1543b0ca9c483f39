// Laws of sets of nodes: those of std::set, few among many and many among few.
#include "invar/expr/node_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace invar {
namespace {

TEST(NodeSet, is_a_set) {
  for (const std::uint32_t range : {100U, 10000U, 100000000U}) {
    std::mt19937_64 random(5);
    NodeSet set;
    std::set<std::uint32_t> same;
    for (int k = 0; k < 3000; ++k) {
      const auto id = static_cast<std::uint32_t>(random() % range);
      EXPECT_EQ(set.insert(id), same.insert(id).second);
      EXPECT_TRUE(set.contains(id));
      const auto other = static_cast<std::uint32_t>(random() % range);
      EXPECT_EQ(set.contains(other), same.contains(other));
    }
    EXPECT_EQ(set.ascending(), std::vector<std::uint32_t>(same.begin(), same.end()));
  }
}

}  // namespace
}  // namespace invar
