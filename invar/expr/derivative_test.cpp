// Laws of differentiation: every kind of derivative agrees with every other and with differences of values.
#include "invar/expr/derivative.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "invar/expr/expr_test_support.h"
#include "invar/expr/random_expr.h"

namespace invar {
namespace {

using test::value_at;
using test::values_at;

constexpr double rounding = 1e-10;  // two orders of summation of the same products in a formula of some 30 operations

void expect_close(double x, double y, double tolerance) {
  EXPECT_NEAR(x, y, tolerance * std::max({1.0, std::abs(x), std::abs(y)}));
}

class RandomFormulas : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
    for (int i = 0; i < 4; ++i) functions.push_back(g.variable("x" + std::to_string(i)));
    for (const Variable& v : functions) x.push_back(at(v));
    for (int i = 0; i < 5; ++i) f.push_back(test::random_expr(random, x, 30));
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (int i = 0; i < 4; ++i) point.push_back(uniform(random)), direction.push_back(uniform(random));
    for (int i = 0; i < 5; ++i) weight.push_back(uniform(random));
  }

  Graph g;
  std::vector<Variable> functions;
  Exprs x, f;
  std::vector<double> point, direction, weight;
};

TEST_P(RandomFormulas, JacobianMatchesGradientAndDirection) {
  const SparseExprs j = jacobian(f, x);
  const Exprs along = directional(f, x, Exprs(direction.begin(), direction.end()));
  for (std::size_t i = 0; i < f.size(); ++i) {
    const Exprs row = gradient(f[i], x);
    double sum = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double entry = value_at(j.at(static_cast<int>(i), static_cast<int>(k)), x, point);
      expect_close(entry, value_at(row[k], x, point), rounding);
      sum += entry * direction[k];
    }
    expect_close(sum, value_at(along[i], x, point), rounding);
  }
}

TEST_P(RandomFormulas, JacobianMatchesDifferences) {
  const SparseExprs j = jacobian(f, x);
  constexpr double step = 1e-5;        // central difference: error step² times third derivatives
  constexpr double truncation = 2e-4;  // those can reach 1e6 in nested random formulas
  for (std::size_t k = 0; k < x.size(); ++k) {
    auto right = point, left = point;
    right[k] += step;
    left[k] -= step;
    const auto up = values_at(f, x, right), down = values_at(f, x, left);
    for (std::size_t i = 0; i < f.size(); ++i)
      expect_close(value_at(j.at(static_cast<int>(i), static_cast<int>(k)), x, point), (up[i] - down[i]) / (2.0 * step),
                   truncation);
  }
}

TEST_P(RandomFormulas, HessianIsTheJacobianOfTheWeightedGradient) {
  const SparseExprs h = hessian(f, Exprs(weight.begin(), weight.end()), x);
  std::vector<std::vector<double>> expected(x.size(), std::vector<double>(x.size(), 0.0));
  for (std::size_t i = 0; i < f.size(); ++i) {
    const Exprs row = gradient(f[i], x);
    for (std::size_t a = 0; a < x.size(); ++a) {
      const Exprs second = gradient(row[a], x);
      for (std::size_t b = 0; b < x.size(); ++b) expected[a][b] += weight[i] * value_at(second[b], x, point);
    }
  }
  for (std::size_t a = 0; a < x.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      expect_close(value_at(h.at(static_cast<int>(a), static_cast<int>(b)), x, point), expected[a][b], 1e-8);
      expect_close(expected[a][b], expected[b][a], 1e-8);  // second derivatives amplify rounding by two more orders
    }
}

TEST_P(RandomFormulas, TimeDerivativeIsTheDerivativeAlongTheRates) {
  Exprs rates;
  for (const Variable& v : functions) rates.push_back(at(v, 1));
  const Exprs along = directional(f, x, rates);
  const Exprs total = ddt(f);
  Exprs all = x;
  all.insert(all.end(), rates.begin(), rates.end());
  auto values = point;
  values.insert(values.end(), direction.begin(), direction.end());
  for (std::size_t i = 0; i < f.size(); ++i)
    expect_close(value_at(total[i], all, values), value_at(along[i], all, values), rounding);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomFormulas, ::testing::Range(1, 41));

TEST(Derivative, PatternIsExact) {
  Graph g;
  Exprs x;
  for (int i = 0; i < 4; ++i) x.push_back(at(g.variable("x")));
  const Exprs f = {x[0] * x[1], x[2] - x[2] + x[3], 7.0, sin(x[1])};
  const SparseExprs j = jacobian(f, x);
  EXPECT_EQ(j.pattern.start, (std::vector<int>{0, 1, 3, 3, 4}));
  EXPECT_EQ(j.pattern.row, (std::vector<int>{0, 0, 3, 1}));
  EXPECT_EQ(j.at(1, 3), Expr(1.0));
  EXPECT_EQ(j.at(2, 0), Expr(0.0));
}

TEST(Derivative, ForwardAndBackwardSweepsAgree) {
  // One wide row prefers the backward sweep, many rows on one shared core the forward sweep.
  Graph g;
  Exprs x;
  for (int i = 0; i < 30; ++i) x.push_back(at(g.variable("x")));
  Expr core = 0.0;
  for (const Expr& xi : x) core += sin(xi) * core + xi;
  Exprs many;
  for (int i = 0; i < 30; ++i) many.push_back(core * x[static_cast<std::size_t>(i)]);
  const SparseExprs one = jacobian(std::span(&core, 1), x);
  const SparseExprs all = jacobian(many, x);
  const std::vector<double> point(30, 0.1);
  for (int j = 0; j < 30; ++j) {
    const double d = value_at(one.at(0, j), x, point);
    const double value = value_at(core, x, point);
    expect_close(value_at(all.at(5, j), x, point), d * 0.1 + (j == 5 ? value : 0.0), rounding);
  }
}

TEST(Derivative, RotationPrimitivesAreSmoothAtZero) {
  // sin(x)/x = 1 - x²/6 + x⁴/120: derivatives of c_1(s) at s = 0 are -1/6, 2/120, …
  Graph g;
  const Expr s = at(g.variable("s"));
  const Exprs xs = {s};
  Expr f = stumpff(1, s);
  double factorial = 1.0;
  for (int n = 0; n <= 6; ++n) {
    const double expected = (n % 2 == 0 ? 1.0 : -1.0) * factorial / std::tgamma(2.0 * n + 2.0);
    EXPECT_NEAR(value_at(f, xs, std::vector<double>{0.0}), expected, 1e-15) << "derivative " << n;
    factorial *= n + 1;
    f = gradient(f, xs)[0];
  }
}

TEST(Derivative, OfTimeParametersAndReferences) {
  Graph g;
  const Expr t = g.time(), m = g.parameter("m");
  const Variable gamma = g.reference("gamma");
  EXPECT_EQ(ddt(m * t * t), 2.0 * (m * t));
  EXPECT_EQ(ddt(at(gamma, 3)), at(gamma, 4));
  EXPECT_EQ(ddt(m), Expr(0.0));
}

TEST(Query, DegreeOfPolynomials) {
  Graph g;
  const Expr x = at(g.variable("x")), y = at(g.variable("y")), m = g.parameter("m");
  const Exprs xy = {x, y};
  EXPECT_EQ(degree(m * x * y + pow(x, 3.0) / m, xy), 3);
  EXPECT_EQ(degree(sin(m) * x, xy), 1);
  EXPECT_EQ(degree(sqrt(m), xy), 0);
  EXPECT_EQ(degree(x / y, xy), std::nullopt);
  EXPECT_EQ(degree(sin(x), xy), std::nullopt);
  EXPECT_EQ(degree(pow(x, 0.5 + 1.0), xy), std::nullopt);
  EXPECT_EQ(degree(pow(x + y, 2.0) * x, xy), 3);
}

TEST(Query, OrdersAndDependencies) {
  Graph g;
  const Variable x = g.variable("x"), y = g.variable("y");
  const Expr f = at(x, 2) * at(y) + at(x);
  EXPECT_EQ(highest_order(f, x), 2);
  EXPECT_EQ(highest_order(f, y), 0);
  EXPECT_EQ(highest_order(f, g.variable("z")), std::nullopt);
  EXPECT_TRUE(depends(f, Exprs{at(x)}));
  EXPECT_FALSE(depends(f, Exprs{at(x, 1)}));
  EXPECT_EQ(symbols(Exprs{f}).size(), 3U);
}

TEST(Query, SubstitutionIsSimultaneous) {
  Graph g;
  const Expr x = at(g.variable("x")), y = at(g.variable("y"));
  EXPECT_EQ(substitute(x - 2.0 * y, Exprs{x, y}, Exprs{y, x}), y - 2.0 * x);
  EXPECT_EQ(substitute(x * y, Exprs{x}, Exprs{0.0}), Expr(0.0));
}

TEST(Query, TermsCarryTheirSigns) {
  Graph g;
  const Expr x = at(g.variable("x")), y = at(g.variable("y")), z = at(g.variable("z"));
  EXPECT_EQ(terms(x - (y + z)), (Exprs{x, -y, -z}));
}

// Weights are not differentiated, whatever they contain.
TEST(PulledBack, IsTheWeightedSumOfTheRowsOfTheJacobian) {
  Graph g;
  const Expr x = g.parameter("x"), y = g.parameter("y");
  const Exprs f = {sin(x) * y, x * x, 3.0}, weight = {x, y, 5.0}, symbols = {x, y};
  const Exprs found = pulled_back(f, symbols, weight);
  const std::vector<double> point = {0.7, -1.3};
  expect_close(value_at(found[0], symbols, point), value_at(x * y * cos(x) + y * 2.0 * x, symbols, point), rounding);
  expect_close(value_at(found[1], symbols, point), value_at(x * sin(x), symbols, point), rounding);
}

}  // namespace
}  // namespace invar
