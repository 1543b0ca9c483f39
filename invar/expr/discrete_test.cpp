// Laws of the discrete gradient: exact difference, symmetry, mid-point gradient of quadratics, consistency, sparsity.
#include "invar/expr/discrete.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/expr/expr_test_support.h"

namespace invar {
namespace {

using test::value_at;
using test::values_at;

struct Formula {
  const char* name;
  std::function<Expr(const Expr& x, const Expr& y, const Expr& z)> make;
};

// Every operation that may stand in an energy or a constraint.
const std::vector<Formula> formulas = {
    {"product", [](auto& x, auto& y, auto& z) { return x * y * z; }},
    {"quotient", [](auto& x, auto& y, auto& z) { return x / (y * z); }},
    {"powers", [](auto& x, auto& y, auto&) { return pow(x, 3.0) + pow(y, 6.0) - 2.0 * pow(x, 7.0); }},
    {"real power", [](auto& x, auto& y, auto&) { return pow(x, 2.5) * pow(y, -0.3); }},
    {"variable power", [](auto& x, auto& y, auto&) { return pow(x, y); }},
    {"central field", [](auto& x, auto& y, auto& z) { return -1.0 / sqrt(x * x + y * y + z * z); }},
    {"spring", [](auto& x, auto& y, auto& z) { return pow(sqrt(x * x + y * y + z * z) - 0.5, 2.0); }},
    {"pendulum", [](auto& x, auto& y, auto& z) { return z * cos(x) - y * sin(x); }},
    {"tangent", [](auto& x, auto& y, auto&) { return tan(x) * tanh(y); }},
    {"exponential", [](auto& x, auto& y, auto&) { return exp(x - y) + log(x * y); }},
    {"hyperbolic", [](auto& x, auto& y, auto&) { return sinh(x) - cosh(y); }},
    {"arcs", [](auto& x, auto& y, auto& z) { return asin(0.5 * x) * y + acos(0.4 * y) + atan(z * x); }},
    {"angle", [](auto& x, auto& y, auto&) { return atan2(y, x); }},
    {"absolute", [](auto& x, auto& y, auto&) { return abs(x - 1.0) * y; }},
    {"inertia", [](auto& x, auto& y, auto& z) { return (1.0 + pow(x, 2.0)) * pow(sin(y), 2.0) / (2.0 + cos(z)); }},
};

class DiscreteGradient : public ::testing::TestWithParam<Formula> {
 protected:
  Graph g;
  Exprs symbols(const std::string& stem) {
    Exprs s;
    for (const char* name : {"x", "y", "z"}) s.push_back(g.parameter(stem + name));
    return s;
  }
  Exprs x = symbols(""), x0 = symbols("0"), x1 = symbols("1");
  Expr f = GetParam().make(x[0], x[1], x[2]);
  Exprs d = discrete_gradient(f, x, x0, x1);
  Exprs ends = [this] {
    Exprs both = x0;
    both.insert(both.end(), x1.begin(), x1.end());
    return both;
  }();
  std::mt19937_64 random{5};

  std::vector<double> near(double centre, double spread) {
    std::uniform_real_distribution<double> uniform(centre - spread, centre + spread);
    return {uniform(random), uniform(random), uniform(random)};
  }
  static std::vector<double> joined(std::vector<double> a, const std::vector<double>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
};

TEST_P(DiscreteGradient, ReproducesTheDifferenceExactly) {
  for (double spread : {0.5, 0.1, 1e-3, 1e-7}) {
    const auto a = near(1.0, spread), b = near(1.0, spread);
    const auto slope = values_at(d, ends, joined(a, b));
    double along = 0.0;
    for (std::size_t i = 0; i < 3; ++i) along += slope[i] * (b[i] - a[i]);
    // The difference itself cancels: its rounding is that of the two values.
    EXPECT_NEAR(along, value_at(f, x, b) - value_at(f, x, a), 1e-14) << spread;
  }
}

TEST_P(DiscreteGradient, IsSymmetricInItsEnds) {
  const auto a = near(1.0, 0.4), b = near(1.0, 0.4);
  const auto forth = values_at(d, ends, joined(a, b)), back = values_at(d, ends, joined(b, a));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(forth[i], back[i], 1e-13 * std::max(1.0, std::abs(forth[i])));
}

TEST_P(DiscreteGradient, BecomesTheGradientWhenTheEndsMeet) {
  auto a = near(1.3, 0.2);
  const auto slope = values_at(d, ends, joined(a, a)), exact = values_at(gradient(f, x), x, a);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(slope[i], exact[i], 1e-13 * std::max(1.0, std::abs(exact[i])));
}

TEST_P(DiscreteGradient, IsSecondOrderAndSmooth) {
  // Against the gradient at the mid-point the error falls fourfold with half the distance, and D can be differentiated.
  const auto a = near(1.2, 0.1);
  auto error = [&](double h) {
    const std::vector<double> b = {a[0] + h, a[1] - 0.7 * h, a[2] + 0.4 * h};
    std::vector<double> m(3);
    for (std::size_t i = 0; i < 3; ++i) m[i] = 0.5 * (a[i] + b[i]);
    const auto slope = values_at(d, ends, joined(a, b)), exact = values_at(gradient(f, x), x, m);
    double e = 0.0;
    for (std::size_t i = 0; i < 3; ++i) e = std::max(e, std::abs(slope[i] - exact[i]));
    return e;
  };
  const double coarse = error(2e-2), fine = error(1e-2);
  if (coarse > 1e-12) {
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
  }
  for (const Expr& entry : jacobian(d, x1).value) EXPECT_TRUE(std::isfinite(value_at(entry, ends, joined(a, a))));
}

INSTANTIATE_TEST_SUITE_P(Operations, DiscreteGradient, ::testing::ValuesIn(formulas), [](const auto& p) {
  std::string name = p.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

TEST(DiscreteGradientForm, OfAQuadraticIsTheMidPointGradient) {
  Graph g;
  const Exprs x = {g.parameter("x"), g.parameter("y")}, x0 = {g.parameter("a"), g.parameter("b")},
              x1 = {g.parameter("c"), g.parameter("d")};
  const Expr f = 3.0 * pow(x[0], 2.0) + x[0] * x[1];
  const Exprs d = discrete_gradient(f, x, x0, x1);
  EXPECT_EQ(d[0], 3.0 * (x0[0] + x1[0]) + 0.5 * (x0[1] + x1[1]));
  EXPECT_EQ(d[1], 0.5 * (x0[0] + x1[0]));
}

TEST(DiscreteGradientForm, HasNoEntryForAnAbsentSymbol) {
  Graph g;
  const Exprs x = {g.parameter("x"), g.parameter("y")}, x0 = {g.parameter("a"), g.parameter("b")},
              x1 = {g.parameter("c"), g.parameter("d")};
  EXPECT_EQ(discrete_gradient(sin(x[0]), x, x0, x1)[1], Expr(0.0));
}

TEST(DiscreteGradientForm, RefusesJumps) {
  Graph g;
  const Exprs x = {g.parameter("x")}, x0 = {g.parameter("a")}, x1 = {g.parameter("b")};
  EXPECT_THROW(discrete_gradient(sign(x[0]), x, x0, x1), InputError);
}

}  // namespace
}  // namespace invar
