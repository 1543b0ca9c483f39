// The second-order check against programs whose curvature is known in closed form.
#include "invar/program/second_order.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "invar/program/saddle.h"
#include "invar/program/symmetric_factors.h"

namespace invar {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

// min ½ Σ aᵢ xᵢ², Σ xᵢ = 0, within bounds: zero is stationary.
NonlinearProgram diagonal(std::vector<double> a, double bound = unlimited) {
  NonlinearProgram p;
  const std::size_t n = a.size();
  p.lower.assign(n, -bound);
  p.upper.assign(n, bound);
  p.row_lower = p.row_upper = {0.0};
  for (int i = 0; i < static_cast<int>(n); ++i) {
    p.jacobian.push_back({0, i});
    p.hessian.push_back({i, i});
  }
  p.cost = [a](std::span<const double> x) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += 0.5 * a[i] * x[i] * x[i];
    return sum;
  };
  p.cost_gradient = [a](std::span<const double> x, std::span<double> g) {
    for (std::size_t i = 0; i < a.size(); ++i) g[i] = a[i] * x[i];
  };
  p.rows = [](std::span<const double> x, std::span<double> g) {
    g[0] = 0.0;
    for (const double value : x) g[0] += value;
  };
  p.jacobian_values = [](std::span<const double>, std::span<double> v) { std::fill(v.begin(), v.end(), 1.0); };
  p.hessian_values = [a](std::span<const double>, double factor, std::span<const double>, std::span<double> v) {
    for (std::size_t i = 0; i < a.size(); ++i) v[i] = factor * a[i];
  };
  return p;
}

Solution zero(std::size_t n) {
  Solution s;
  s.status = SolverStatus::solved;
  s.x.assign(n, 0.0);
  s.weight = {0.0};
  return s;
}

Curvature of(const NonlinearProgram& p) {
  return curvature(p, zero(p.lower.size()), std::vector<bool>(p.lower.size(), true));
}

TEST(SymmetricFactors, CountNegativeEigenvaluesAndSolve) {
  // (0 2; 2 3) has eigenvalues -1 and 4.
  const std::scoped_lock lock(mumps_in_use());
  const std::vector<SymmetricFactors::Entry> entries = {{0, 0}, {1, 0}, {1, 1}};
  SymmetricFactors f(2, entries, SymmetricFactors::Values::alike);
  ASSERT_TRUE(f.factor(std::vector{0.0, 2.0, 3.0}));
  EXPECT_EQ(f.negative_eigenvalues(), 1u);
  std::vector<double> b = {2.0, 5.0};
  f.solve(b);
  EXPECT_NEAR(b[0], 1.0, 1e-14);
  EXPECT_NEAR(b[1], 1.0, 1e-14);
}

TEST(SecondOrder, OnlyDirectionsThatKeepTheRowsCount) {
  // On x₀ + x₁ = 0 the curvature is a₀ + a₁.
  EXPECT_EQ(of(diagonal({2.0, -1.0})).kind, SecondOrder::minimum);
  EXPECT_EQ(of(diagonal({1.0, -1.0})).kind, SecondOrder::flat);
  const Curvature c = of(diagonal({1.0, -2.0}));
  ASSERT_EQ(c.kind, SecondOrder::saddle);
  EXPECT_NEAR(c.direction[0], -c.direction[1], 1e-10 * std::abs(c.direction[0]));
  EXPECT_NEAR(c.value, -c.direction[0] * c.direction[0], 1e-10 * std::abs(c.value));
}

TEST(SecondOrder, VerdictDoesNotDependOnUnits) {
  for (const double unit : {1e-8, 1e-3, 1e4, 1e9}) {
    EXPECT_EQ(of(diagonal({2.0 * unit, -unit, 3.0 * unit})).kind, SecondOrder::minimum) << unit;
    EXPECT_EQ(of(diagonal({unit, -2.0 * unit, unit})).kind, SecondOrder::saddle) << unit;
  }
}

TEST(SecondOrder, ALimitThatHoldsWithForceAllowsNegativeCurvature) {
  // min -½ x₀² with x₀ ≤ 1 (x₁ = 1 - x₀ - …): x₀ = 1 is held by the force 1.
  NonlinearProgram p = diagonal({-1.0, 0.0});
  p.row_lower = p.row_upper = {1.0};
  p.upper[0] = 1.0;
  Solution s = zero(2);
  s.x = {1.0, 0.0};
  EXPECT_EQ(curvature(p, s, {true, true}).kind, SecondOrder::minimum);
}

TEST(SecondOrder, ALimitWithoutForceLeavesADoubt) {
  // min ½(x₁² - x₀²) with x₀ ≥ 0, x₀ + x₁ = 0: flat, and with more weight on x₀ it falls into the allowed side.
  NonlinearProgram p = diagonal({-2.0, 1.0});
  p.lower[0] = 0.0;
  EXPECT_NE(of(p).kind, SecondOrder::minimum);
}

TEST(Saddle, ALineThatFallsForEverIsToldFromOneThatEnds) {
  const NonlinearProgram open = diagonal({1.0, -2.0}), closed = diagonal({1.0, -2.0}, 10.0);
  EXPECT_TRUE(falls_for_ever(open, zero(2), of(open)));
  EXPECT_FALSE(falls_for_ever(closed, zero(2), of(closed)));
  const std::vector<double> x = beside(closed, zero(2), of(closed), 1.0);
  EXPECT_LT(closed.cost(x), 0.0);
  EXPECT_LE(std::abs(x[0]), 10.0);
}

}  // namespace
}  // namespace invar
