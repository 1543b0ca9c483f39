// Laws of the graph: equal formulas are one node, simplification keeps values, nothing depends on depth.
#include "invar/expr/expr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/expr/expr_test_support.h"
#include "invar/expr/random_expr.h"

namespace invar {
namespace {

class ExprTest : public ::testing::Test {
 protected:
  Graph g;
  Expr x = at(g.variable("x")), y = at(g.variable("y")), z = at(g.variable("z"));
};

TEST_F(ExprTest, EqualFormulasAreOneNode) {
  EXPECT_EQ(x + y, y + x);
  EXPECT_EQ(x * y, y * x);
  EXPECT_EQ(sin(x * y) + z, z + sin(y * x));
  EXPECT_FALSE(x - y == y - x);
  EXPECT_FALSE(pow(x, y) == pow(y, x));
}

TEST_F(ExprTest, TrivialOperationsDisappear) {
  EXPECT_EQ(0.0 * x, Expr(0.0));
  EXPECT_EQ(1.0 * x, x);
  EXPECT_EQ(x + 0.0, x);
  EXPECT_EQ(x - x, Expr(0.0));
  EXPECT_EQ(x / x, Expr(1.0));
  EXPECT_EQ(-(-x), x);
  EXPECT_EQ(-(-(x + 3.0)), x + 3.0);
  EXPECT_EQ(-(-(3.0 - x)), 3.0 - x);
  EXPECT_EQ(x / 1.0, x);
  EXPECT_EQ(0.0 / x, Expr(0.0));
  EXPECT_EQ(pow(x, 0.0), Expr(1.0));
  EXPECT_EQ(pow(x, 1.0), x);
}

TEST_F(ExprTest, NumbersAndSignsCollectInFront) {
  EXPECT_EQ(2.0 * (3.0 * x), 6.0 * x);
  EXPECT_EQ((2.0 * x) * (3.0 * y), 6.0 * (x * y));
  EXPECT_EQ((-x) * y, -(x * y));
  EXPECT_EQ((-x) * (-y), x * y);
  EXPECT_EQ(x + (-y), x - y);
  EXPECT_EQ(x - (-y), x + y);
  EXPECT_EQ(-(x - y), y - x);
  EXPECT_EQ(x + x, 2.0 * x);
  EXPECT_EQ(2.0 * x + 3.0 * x, 5.0 * x);
  EXPECT_EQ((x + 1.0) + 2.0, x + 3.0);
  EXPECT_EQ((1.0 - x) + 2.0, 3.0 - x);
  EXPECT_EQ(x / 4.0, 0.25 * x);
  EXPECT_EQ((6.0 * x) / (2.0 * y), 3.0 * (x / y));
}

TEST_F(ExprTest, PowersCollect) {
  EXPECT_EQ(x * x, pow(x, 2.0));
  EXPECT_EQ(x * pow(x, 2.0), pow(x, 3.0));
  EXPECT_EQ(pow(x, 3.0) / x, pow(x, 2.0));
  EXPECT_EQ(pow(pow(x, 2.0), 3.0), pow(x, 6.0));
  EXPECT_EQ(pow(sqrt(x), 2.0), x);
  EXPECT_EQ(pow(x, 0.5), sqrt(x));
  EXPECT_EQ(pow(x, -2.0), 1.0 / pow(x, 2.0));
  EXPECT_EQ(pow(-x, 2.0), pow(x, 2.0));
  EXPECT_EQ(pow(2.0 * x, 3.0), 8.0 * pow(x, 3.0));
}

TEST_F(ExprTest, ParityIsUsed) {
  EXPECT_EQ(sin(-x), -sin(x));
  EXPECT_EQ(cos(-x), cos(x));
  EXPECT_EQ(abs(-2.0 * x), abs(2.0 * x));
  EXPECT_EQ(atan(y - x), atan(y - x));
}

TEST_F(ExprTest, SimplificationKeepsTheValue) {
  // Every operation is applied to numbers and to symbols with these values; rounding may differ by a few units.
  std::mt19937_64 random(11);
  const Exprs symbols = {x, y, z};
  for (int k = 0; k < 2000; ++k) {
    const std::vector<double> point = {0.3 + 0.01 * (k % 7), 1.1 - 0.02 * (k % 11), -0.7};
    const std::uint64_t seed = random();
    std::mt19937_64 as_symbols(seed), as_numbers(seed);
    const Expr formula = test::random_expr(as_symbols, symbols, 25);
    const Exprs numbers = {point[0], point[1], point[2]};
    const double expected = test::random_expr(as_numbers, numbers, 25).value();
    const double got = test::value_at(formula, symbols, point);
    constexpr double reordering = 1e-9;  // 25 operations whose order of rounding differs, some of them cancelling
    EXPECT_NEAR(got, expected, reordering * std::max(1.0, std::abs(expected))) << "formula " << k;
  }
}

TEST_F(ExprTest, SymbolsKnowTheirFunction) {
  const Variable s = g.variable("s");
  EXPECT_EQ(at(s, 2).order(), 2);
  EXPECT_EQ(at(s, 2).name(), "s");
  EXPECT_EQ(at(s, 1).derivative(3), at(s, 3));
  EXPECT_FALSE(at(g.variable("s")) == at(s)) << "a name does not identify a function";
  EXPECT_EQ(g.time(), g.time());
}

TEST_F(ExprTest, GraphsDoNotMix) {
  Graph other;
  EXPECT_THROW(x + at(other.variable("x")), ContractViolation);
}

TEST_F(ExprTest, HandlesKeepTheirGraphAlive) {
  const Expr e = [] {
    Graph local;
    return sin(at(local.variable("a")));
  }();
  EXPECT_EQ(e.a().name(), "a");
}

TEST_F(ExprTest, DepthDoesNotMatter) {
  Expr sum = 0.0, nest = x;
  for (int i = 0; i < 100000; ++i) sum += sin(static_cast<double>(i) * x);
  for (int i = 0; i < 10000; ++i) nest = sin(nest + y);
  const Exprs both = {sum, nest};
  EXPECT_GT(ordered(both).size(), 220000U);
  const Exprs xy = {x, y};
  EXPECT_EQ(gradient(nest, xy).size(), 2U);
  EXPECT_FALSE(ddt(sum).is_constant());
  EXPECT_EQ(terms(sum).size(), 99999U);
  EXPECT_EQ(substitute(nest, xy, Exprs{y, x}).op(), Op::sin);
  EXPECT_EQ(degree(sum, xy), std::nullopt);
}

}  // namespace
}  // namespace invar
