// Laws of factors that are kept from one solution to the next: the same digits, fewer factorisations, and the way that
// takes least.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "invar/math/newton.h"

namespace invar {
namespace {

// Converged solutions of well-conditioned problems are exact to round-off, not merely to the tolerance.
constexpr double same_digits = 10 * std::numeric_limits<double>::epsilon();

using Given = std::span<const double>;
using Written = std::span<double>;

// A root that moves slowly: old factors find it as exactly as new ones, and a leap makes them give way.
TEST(KeptFactors, FindTheSameRoots) {
  double c = 2.0;
  int jacobians = 0;
  const auto residual = [&](Given x, Written r) {
    r[0] = x[0] * x[0] - c;
    r[1] = x[0] * x[1] - 1.0;
  };
  const auto both = [&](Given x, Written r, Written J) {
    ++jacobians;
    residual(x, r);
    J[0] = 2.0 * x[0], J[1] = x[1], J[2] = 0.0, J[3] = x[0];
  };
  Newton newton(Pattern{.rows = 2, .cols = 2, .start = {0, 2, 4}, .row = {0, 1, 0, 1}}, {.keep_factors = true});
  std::vector<double> x = {1.0, 1.0};
  int before = 0;
  for (int k = 0; k < 100; ++k, c += k == 50 ? 50.0 : 1e-3) {
    ASSERT_EQ(newton.solve(both, residual, x).status, NewtonStatus::converged) << k;
    EXPECT_NEAR(x[0], std::sqrt(c), same_digits * std::sqrt(c)) << k;
    EXPECT_NEAR(x[1], 1.0 / std::sqrt(c), same_digits) << k;
    if (k == 0) before = jacobians;
    if (k == 49) {
      EXPECT_LE(jacobians, before + 3) << "so small steps hardly ever need new ones";
    }
  }
  EXPECT_GT(jacobians, before);
}

// A chain of n unknowns x_i + ½(x_{i-1} + x_{i+1}) x_i² /10 = load, with a tridiagonal Jacobian: sparse, and nearly
// linear for small loads.
struct NonlinearChain {
  static constexpr int n = 60;
  Pattern pattern{.rows = n, .cols = n, .start = {0}, .row = {}};
  double load = 0.3;

  NonlinearChain() {
    for (int j = 0; j < n; ++j) {
      for (int i = std::max(0, j - 1); i <= std::min(n - 1, j + 1); ++i) pattern.row.push_back(i);
      pattern.start.push_back(static_cast<int>(pattern.row.size()));
    }
  }
  void residual(Given x, Written r) const {
    const auto at = [&](int i) { return i < 0 || i >= n ? 0.0 : x[i]; };
    for (int i = 0; i < n; ++i) r[i] = x[i] + 0.05 * (at(i - 1) + at(i + 1)) * x[i] * x[i] - load * (1 + i % 3);
  }
  void operator()(Given x, Written r, Written J) const {
    const auto at = [&](int i) { return i < 0 || i >= n ? 0.0 : x[i]; };
    residual(x, r);
    for (int j = 0; j < n; ++j)
      for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e) {
        const int i = pattern.row[e];
        J[e] = i == j ? 1 + 0.1 * (at(i - 1) + at(i + 1)) * x[i] : 0.05 * x[i] * x[i];
      }
  }
};

TEST(KeptFactors, FindTheSameDigits) {
  NonlinearChain chain;
  const Newton::Evaluate f = [&](Given x, Written r, Written J) { chain(x, r, J); };
  const Newton::Residual alone = [&](Given x, Written r) { chain.residual(x, r); };
  Newton plain(chain.pattern), keeping(chain.pattern, {.keep_factors = true});
  std::vector<double> x(NonlinearChain::n, 0.0), y = x;
  int factorisations = 0, plain_factorisations = 0;
  for (int k = 0; k < 50; ++k) {
    chain.load = 0.3 + 0.002 * k;
    const NewtonResult a = plain.solve(f, x), b = keeping.solve(f, alone, y);
    ASSERT_EQ(a.status, NewtonStatus::converged);
    ASSERT_EQ(b.status, NewtonStatus::converged);
    for (int i = 0; i < NonlinearChain::n; ++i) ASSERT_NEAR(x[i], y[i], same_digits);
    plain_factorisations += a.factorisations;
    factorisations += b.factorisations;
  }
  EXPECT_LT(4 * factorisations, plain_factorisations);
}

TEST(KeptFactors, AreGivenUpWhereTheyDoNotFit) {
  NonlinearChain chain;
  const Newton::Evaluate f = [&](Given x, Written r, Written J) { chain(x, r, J); };
  const Newton::Residual alone = [&](Given x, Written r) { chain.residual(x, r); };
  Newton keeping(chain.pattern, {.keep_factors = true});
  std::vector<double> x(NonlinearChain::n, 0.0);
  ASSERT_EQ(keeping.solve(f, alone, x).status, NewtonStatus::converged);
  chain.load = 3.0;
  std::vector<double> y(x), z(x);
  const NewtonResult found = keeping.solve(f, alone, y);
  EXPECT_EQ(found.status, NewtonStatus::converged);
  EXPECT_GE(found.factorisations, 1);
  ASSERT_EQ(Newton(chain.pattern).solve(f, z).status, NewtonStatus::converged);
  for (int i = 0; i < NonlinearChain::n; ++i) EXPECT_NEAR(y[i], z[i], 10 * same_digits);
}

// Where the Jacobian costs next to nothing, factors are made anew rather than many steps with old ones.
TEST(KeptFactors, AreMadeAnewWhereThatIsCheaper) {
  int factorisations[2] = {0, 0};
  for (const bool dear : {false, true}) {
    NonlinearChain chain;
    const Newton::Evaluate f = [&](Given x, Written r, Written J) { chain(x, r, J); };
    const Newton::Residual alone = [&](Given x, Written r) { chain.residual(x, r); };
    Newton keeping(chain.pattern, {.keep_factors = true}), plain(chain.pattern);
    keeping.set_work(1e5, dear ? 1e8 : 1e5);
    std::vector<double> x(NonlinearChain::n, 0.0), y = x;
    for (int k = 0; k < 100; ++k) {
      chain.load = 0.3 + 0.01 * (k % 20);
      const NewtonResult found = keeping.solve(f, alone, x);
      ASSERT_EQ(found.status, NewtonStatus::converged) << k;
      ASSERT_EQ(plain.solve(f, y).status, NewtonStatus::converged) << k;
      for (int i = 0; i < NonlinearChain::n; ++i) ASSERT_NEAR(x[i], y[i], same_digits) << k;
      factorisations[dear ? 1 : 0] += found.factorisations;
    }
  }
  EXPECT_GT(factorisations[0], 2 * factorisations[1]);
}

double work_of(CheapestWay& ways, const std::vector<double>& costs, int turns) {
  double sum = 0.0;
  for (int k = 0; k < turns; ++k) {
    const double cost = costs[ways.way()];
    sum += cost;
    ways.took(cost);
  }
  return sum;
}

TEST(CheapestWay, IsFoundAndFollowedWhenItChanges) {
  constexpr int turns = 20'000;
  CheapestWay ways(3);
  EXPECT_LT(work_of(ways, {2.0, 1.0, 2.5}, turns), 1.02 * turns) << "trials take little";
  // The second becomes dearer than the first, which was not far more expensive and is tried again.
  EXPECT_LT(work_of(ways, {1.2, 3.0, 2.5}, turns), 1.8 * turns);
  EXPECT_EQ(ways.way(), 0u);
}

TEST(CheapestWay, WhatIsLikelyToTakeMoreIsNotTried) {
  CheapestWay ways(2);
  ways.expect(1, 100.0);
  for (int k = 0; k < 1000; ++k) {
    ASSERT_EQ(ways.way(), 0u) << k;
    ways.took(1.0);
  }
  ways.forget();
  for (int k = 0; k < 1000 && ways.way() == 0; ++k) ways.took(1.0);
  EXPECT_EQ(ways.way(), 1u) << "unknown once more";
}

}  // namespace
}  // namespace invar
