// Laws: read(name(d)) = d; a formula measures what its terms do.
#include "invar/model/columns/dimension.h"

#include <gtest/gtest.h>

#include "invar/expr/expr.h"

namespace invar {
namespace {

TEST(Dimension, NamesAreReadAsWhatTheyName) {
  for (int kg = -1; kg <= 1; ++kg)
    for (int m = -3; m <= 3; ++m)
      for (int s = -3; s <= 3; ++s) {
        const Dimension d = {kg, m, s};
        const std::string name = unit_name(d);
        EXPECT_TRUE(name.find('(') != std::string::npos || read_dimension(name) == d) << name;
      }
  EXPECT_EQ(unit_name(joule), "N m");
  EXPECT_EQ(unit_name({1, 2, -1}), "kg m²/s");
  EXPECT_EQ(read_dimension("kg m²/s"), (Dimension{1, 2, -1}));
  EXPECT_FALSE(read_dimension("parsec"));
  EXPECT_FALSE(read_dimension(""));
}

TEST(Dimension, OfFormulas) {
  Graph g;
  const Expr x = at(g.variable("x")), y = at(g.variable("y")), phi = at(g.variable("phi")), l = g.parameter("l");
  const auto symbol = [&](const Expr& e) -> std::optional<Dimension> {
    if (e == x || e == y) return Dimension{0, 1, 0};
    if (e == phi) return Dimension{};
    return std::nullopt;
  };
  const Dimension metre = {0, 1, 0}, area = {0, 2, 0};
  EXPECT_EQ(dimension_of((x * x + y * y - 1.0) / 2.0, symbol), area);
  EXPECT_EQ(dimension_of(x - l * sin(phi), symbol), metre);
  EXPECT_EQ(dimension_of(l * sin(phi) - x, symbol), metre);
  EXPECT_EQ(dimension_of(0.5 * sin(phi) - x, symbol), metre) << "a number may be a length";
  EXPECT_EQ(dimension_of(sqrt(x * x + y * y) - l, symbol), metre);
  EXPECT_EQ(dimension_of(cos(phi) - 0.3, symbol), Dimension{});
  EXPECT_EQ(dimension_of(pow(x * x + y * y, 1.5), symbol), (Dimension{0, 3, 0}));
  EXPECT_FALSE(dimension_of(l * sin(phi), symbol)) << "nobody knows";
  EXPECT_FALSE(dimension_of(Expr(1.0), symbol));
}

}  // namespace
}  // namespace invar
