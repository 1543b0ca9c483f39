// Names of kinds are found both ways.
#include "invar/base/kind_names.h"

#include <gtest/gtest.h>

namespace invar {
namespace {

enum class Fruit { apple, pear, plum };
constexpr KindName<Fruit> fruits[] = {{Fruit::apple, "apple"}, {Fruit::pear, "pear"}};

TEST(KindNames, AreFoundBothWays) {
  EXPECT_EQ(name_in(fruits, Fruit::pear), "pear");
  EXPECT_EQ(kind_in(fruits, "pear"), Fruit::pear);
  EXPECT_EQ(kind_in(fruits, "Pear"), std::nullopt);
  EXPECT_EQ(kind_in(fruits, ""), std::nullopt);
  EXPECT_EQ(names_in(fruits), (std::vector<std::string>{"apple", "pear"}));
  EXPECT_THROW(name_in(fruits, Fruit::plum), ContractViolation) << "a kind without a row is a bug";
}

}  // namespace
}  // namespace invar
