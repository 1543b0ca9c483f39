// The solver on small programs with known answers: every status it can end with, and what an interrupted run leaves.
#include "invar/program/ipopt_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace invar {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double printed = 1e-7;  // relative, of the digits in the book
constexpr double equal = 1e-12;   // relative, of the same formula at the same point

using Point = std::span<const double>;

// min x0 x3 (x0 + x1 + x2) + x2,  x0 x1 x2 x3 ≥ 25,  Σ xᵢ² = 40,  1 ≤ xᵢ ≤ 5
// [W. Hock, K. Schittkowski, Test Examples for Nonlinear Programming Codes, 1981, no. 71], with x = unit·y and rows in
// other units.
NonlinearProgram hock_schittkowski_71(double unit = 1.0, double row_unit = 1.0) {
  NonlinearProgram p;
  p.lower.assign(4, 1.0 / unit);
  p.upper.assign(4, 5.0 / unit);
  p.row_lower = {25.0 * row_unit, 40.0 / row_unit};
  p.row_upper = {infinity, 40.0 / row_unit};
  for (const int row : {0, 1})
    for (int col = 0; col < 4; ++col) p.jacobian.push_back({row, col});
  for (int row = 0; row < 4; ++row)
    for (int col = 0; col <= row; ++col) p.hessian.push_back({row, col});
  const auto at = [unit](Point y) {
    std::array<double, 4> x{};
    for (std::size_t i = 0; i < 4; ++i) x[i] = unit * y[i];
    return x;
  };
  p.cost = [=](Point y) {
    const auto x = at(y);
    return x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2];
  };
  p.cost_gradient = [=](Point y, std::span<double> d) {
    const auto x = at(y);
    d[0] = unit * x[3] * (2.0 * x[0] + x[1] + x[2]);
    d[1] = unit * x[0] * x[3];
    d[2] = unit * (x[0] * x[3] + 1.0);
    d[3] = unit * x[0] * (x[0] + x[1] + x[2]);
  };
  p.rows = [=](Point y, std::span<double> g) {
    const auto x = at(y);
    g[0] = row_unit * x[0] * x[1] * x[2] * x[3];
    g[1] = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]) / row_unit;
  };
  p.jacobian_values = [=](Point y, std::span<double> j) {
    const auto x = at(y);
    for (std::size_t i = 0; i < 4; ++i) {
      j[i] = unit * row_unit;
      for (std::size_t k = 0; k < 4; ++k)
        if (k != i) j[i] *= x[k];
      j[4 + i] = 2.0 * unit * x[i] / row_unit;
    }
  };
  p.hessian_values = [=](Point y, double f, Point w, std::span<double> h) {
    const auto x = at(y);
    const double a = row_unit * w[0], b = 2.0 * w[1] / row_unit;
    h[0] = f * 2.0 * x[3] + b;
    h[1] = f * x[3] + a * x[2] * x[3];
    h[2] = b;
    h[3] = f * x[3] + a * x[1] * x[3];
    h[4] = a * x[0] * x[3];
    h[5] = b;
    h[6] = f * (2.0 * x[0] + x[1] + x[2]) + a * x[1] * x[2];
    h[7] = f * x[0] + a * x[0] * x[2];
    h[8] = f * x[0] + a * x[0] * x[1];
    h[9] = b;
    for (std::size_t i = 0; i < 10; ++i) h[i] *= unit * unit;
  };
  return p;
}

const std::vector<double> start_71 = {1.0, 5.0, 5.0, 1.0};

// min (x - 10)², y = xᵖ or rows that the caller changes.
NonlinearProgram along_a_curve(double power) {
  NonlinearProgram p;
  p.lower.assign(2, -infinity);
  p.upper.assign(2, infinity);
  p.row_lower = p.row_upper = {0.0};
  p.jacobian = {{0, 0}, {0, 1}};
  p.hessian = {{0, 0}};
  p.cost = [](Point x) { return (x[0] - 10.0) * (x[0] - 10.0); };
  p.cost_gradient = [](Point x, std::span<double> d) {
    d[0] = 2.0 * (x[0] - 10.0);
    d[1] = 0.0;
  };
  p.rows = [=](Point x, std::span<double> g) { g[0] = std::pow(x[0], power) - x[1]; };
  p.jacobian_values = [=](Point x, std::span<double> j) {
    j[0] = power * std::pow(x[0], power - 1.0);
    j[1] = -1.0;
  };
  p.hessian_values = [=](Point x, double f, Point w, std::span<double> h) {
    h[0] = 2.0 * f + w[0] * power * (power - 1.0) * std::pow(x[0], power - 2.0);
  };
  return p;
}

struct Told {
  double cost, infeasibility;
};

// Stops at an iteration; what was told at each before.
Solution solve_until(const NonlinearProgram& p, const std::vector<double>& start, int last, std::vector<Told>& told) {
  SolverOptions options;
  options.keep_going = [&told, last](int iteration, double cost, double infeasibility) {
    told.push_back({cost, infeasibility});
    return iteration < last;
  };
  return solve(p, start, options);
}

TEST(Solver, FindsTheOptimumOfProblem71) {
  const Solution s = solve(hock_schittkowski_71(), start_71);
  ASSERT_EQ(s.status, SolverStatus::solved) << s.reason;
  EXPECT_NEAR(s.cost, 17.0140173, printed * 17.0);
  const std::vector<double> x = {1.0, 4.7429994, 3.8211503, 1.3794082};
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(s.x[i], x[i], printed * 5.0) << i;
  const SolverOptions options;
  EXPECT_LE(s.infeasibility, options.tolerance);
  EXPECT_LE(s.kkt, 1e-8) << "the solver's own measure is relative to the multipliers";
}

TEST(Solver, UnitsDoNotMatter) {
  const Solution plain = solve(hock_schittkowski_71(), start_71);
  for (const double unit : {1e-4, 1e4})
    for (const double row_unit : {1e-4, 1e4}) {
      std::vector<double> start = start_71;
      for (double& y : start) y /= unit;
      SolverOptions options;
      options.tolerance = 1e-8;  // of rows up to 1e5 in size
      const Solution s = solve(hock_schittkowski_71(unit, row_unit), start, options);
      ASSERT_EQ(s.status, SolverStatus::solved) << s.reason << " with units " << unit << ", " << row_unit;
      EXPECT_NEAR(s.cost, plain.cost, printed * plain.cost);
    }
}

TEST(Solver, TellsThatNothingIsFeasible) {
  NonlinearProgram p = along_a_curve(2.0);
  p.rows = [](Point x, std::span<double> g) { g[0] = x[0] * x[0] + x[1] * x[1] + 1.0; };
  p.jacobian_values = [](Point x, std::span<double> j) {
    j[0] = 2.0 * x[0];
    j[1] = 2.0 * x[1];
  };
  p.hessian = {{0, 0}, {1, 1}};
  p.hessian_values = [](Point, double f, Point w, std::span<double> h) {
    h[0] = 2.0 * (f + w[0]);
    h[1] = 2.0 * w[0];
  };
  const Solution s = solve(p, std::vector{3.0, 1.0});
  EXPECT_EQ(s.status, SolverStatus::infeasible) << s.reason;
  EXPECT_GE(s.infeasibility, 1.0 - printed) << "of the nearest point";
}

TEST(Solver, TellsThatThereAreTooManyEquations) {
  NonlinearProgram p = along_a_curve(2.0);
  p.row_lower = p.row_upper = {0.0, 1.0, 5.0};
  p.jacobian.insert(p.jacobian.end(), {{1, 0}, {2, 1}});
  p.rows = [rows = p.rows](Point x, std::span<double> g) {
    rows(x, g);
    g[1] = x[0];
    g[2] = x[1];
  };
  p.jacobian_values = [slopes = p.jacobian_values](Point x, std::span<double> j) {
    slopes(x, j);
    j[2] = j[3] = 1.0;
  };
  EXPECT_EQ(solve(p, std::vector{1.0, 4.0}).status, SolverStatus::too_many_equations);
}

TEST(Solver, TellsThatItRanOutOfIterations) {
  SolverOptions options;
  options.max_iterations = 2;
  const Solution s = solve(hock_schittkowski_71(), start_71, options);
  EXPECT_EQ(s.status, SolverStatus::out_of_iterations);
  EXPECT_EQ(s.iterations, 2);
  EXPECT_EQ(s.x.size(), 4u);
}

TEST(Solver, FailsWhereTheStartHasNoValue) {
  NonlinearProgram p = along_a_curve(0.5);
  const Solution s = solve(p, std::vector{-1.0, 1.0});
  EXPECT_EQ(s.status, SolverStatus::failed);
  EXPECT_EQ(s.reason, "a formula has no finite value");
}

TEST(Solver, SurvivesFormulasThatThrow) {
  NonlinearProgram p = along_a_curve(2.0);
  p.rows = [](Point, std::span<double>) { throw std::runtime_error("no"); };
  EXPECT_EQ(solve(p, std::vector{1.0, 1.0}).status, SolverStatus::failed);
}

TEST(Solver, FailsWhereASlopeHasNoValue) {
  NonlinearProgram p = along_a_curve(2.0);
  p.cost_gradient = [](Point, std::span<double> d) { std::fill(d.begin(), d.end(), std::nan("")); };
  EXPECT_EQ(solve(p, std::vector{1.0, 1.0}).status, SolverStatus::failed);
}

// min x - 2√x: a step of Newton from 9 leads to negative x, where there is no cost.
TEST(Solver, AvoidsPointsWithoutValue) {
  NonlinearProgram p = along_a_curve(1.0);
  p.cost = [](Point x) { return x[0] - 2.0 * std::sqrt(x[0]); };
  p.cost_gradient = [](Point x, std::span<double> d) {
    d[0] = 1.0 - 1.0 / std::sqrt(x[0]);
    d[1] = 0.0;
  };
  p.hessian_values = [](Point x, double f, Point, std::span<double> h) { h[0] = 0.5 * f / (x[0] * std::sqrt(x[0])); };
  const Solution s = solve(p, std::vector{9.0, 9.0});
  ASSERT_EQ(s.status, SolverStatus::solved) << s.reason;
  EXPECT_NEAR(s.x[0], 1.0, printed);
}

TEST(Solver, TellsThatTheCostHasNoLeastValue) {
  NonlinearProgram p = along_a_curve(1.0);
  p.cost = [](Point x) { return -x[0]; };
  p.cost_gradient = [](Point, std::span<double> d) {
    d[0] = -1.0;
    d[1] = 0.0;
  };
  p.hessian_values = [](Point, double, Point, std::span<double> h) { h[0] = 0.0; };
  const Solution s = solve(p, std::vector{1.0, 1.0});
  EXPECT_EQ(s.status, SolverStatus::unbounded);
  EXPECT_NE(s.reason.find("unbounded"), std::string::npos) << s.reason;
}

// L = f + weight·(g - b), so that the least cost changes by -weight with b.
TEST(Solver, WeightsAreTheSlopesOfTheCost) {
  constexpr double change = 1e-3, error = 1e-6;  // of central differences, with the square of the change
  const Solution s = solve(hock_schittkowski_71(), start_71);
  double costs[2] = {};
  for (const bool up : {false, true}) {
    NonlinearProgram p = hock_schittkowski_71();
    p.row_lower[1] = p.row_upper[1] = 40.0 + (up ? change : -change);
    costs[up] = solve(p, start_71).cost;
  }
  EXPECT_NEAR((costs[1] - costs[0]) / (2.0 * change), -s.weight[1], error);
}

// Wherever it is interrupted, the iterate that was told last is there.
TEST(Solver, KeepsTheIterateWhenInterrupted) {
  const NonlinearProgram p = hock_schittkowski_71();
  const int all = solve(p, start_71).iterations;
  ASSERT_GT(all, 3);
  for (int last = 0; last < all; ++last) {
    std::vector<Told> told;
    const Solution s = solve_until(p, start_71, last, told);
    EXPECT_EQ(s.status, SolverStatus::interrupted);
    EXPECT_EQ(s.iterations, last);
    ASSERT_EQ(s.x.size(), 4u);
    EXPECT_NEAR(s.cost, told.back().cost, equal * 20.0) << "iteration " << last;
    EXPECT_NEAR(p.cost(s.x), s.cost, equal * 20.0);
  }
}

// From a point on the curve the first step leads along the tangent, far away from it.
TEST(Solver, KeepsTheBestIterateWhenInterrupted) {
  const NonlinearProgram p = along_a_curve(3.0);
  const std::vector<double> start = {0.5, 0.125};
  std::vector<Told> told;
  const Solution s = solve_until(p, start, 1, told);
  ASSERT_EQ(told.size(), 2u);
  ASSERT_GT(told[1].infeasibility, 0.1);
  EXPECT_EQ(s.status, SolverStatus::interrupted);
  EXPECT_EQ(s.x, start);
  EXPECT_EQ(s.infeasibility, 0.0);
  EXPECT_EQ(s.cost, p.cost(start));
}

}  // namespace
}  // namespace invar
