#include "invar/scheme/dae/dae_integration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/dae/test_servo_systems.h"
#include "invar/scheme/dae/test_dae_schemes.h"

namespace invar {
namespace {

using test::ServoProblem;

// Order of convergence between two steps, the second half of the first.
double order(double coarse, double fine) { return std::log2(std::abs(coarse / fine)); }

// x' = -x + cos t, y = x²: from x(0) = 0, x = (cos t + sin t - exp(-t))/2.
Dae first_order() {
  Dae dae;
  const Variable x = dae.graph.variable("x"), y = dae.graph.variable("y");
  dae.unknowns = {{"x", x, UnknownKind::multiplier}, {"y", y, UnknownKind::multiplier}};
  dae.equations = {{"rate", at(x, 1) + at(x) - cos(dae.graph.time()), EquationKind::dynamics},
                   {"square", at(y) - at(x) * at(x), EquationKind::constraint}};
  return dae;
}

TEST(Integrators, HaveTheirClassicalOrdersForAnOrdinaryDifferentialEquation) {
  const std::vector<double> expected = {1.0, 2.0, 5.0};
  constexpr double tolerance = 0.12;
  const double x = (std::cos(2.0) + std::sin(2.0) - std::exp(-2.0)) / 2.0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    std::vector<double> error;
    for (const double h : {0.1, 0.05}) {
      const DaeMotion m = integrate(first_order(), test::scheme(test::dae_schemes()[k]), 0.0, 2.0, h,
                                    {0.0, Side::right, {{0, 1, -1}, {0}}});
      ASSERT_TRUE(m.complete);
      error.push_back(m.value(m.value.rows() - 1, 0) - x);
      EXPECT_NEAR(m.value(m.value.rows() - 1, 1), std::pow(m.value(m.value.rows() - 1, 0), 2), 1e-14);
    }
    EXPECT_NEAR(order(error[0], error[1]), expected[k], tolerance) << test::dae_schemes()[k];
  }
}

// The joint of an elastic arm follows its path; the second link swings freely with -0.375 ± 12.24i. Radau IIA with a
// small step serves as reference.
TEST(Integrators, ConvergeWhereInternalDynamicsRemain) {
  const ServoProblem p = test::elastic_arm(0.0);
  const auto end = [&](std::string_view name, double h) {
    const DaeMotion m = integrate(p.dae, test::scheme(name), 0.0, 1.5, h, p.guess);
    EXPECT_TRUE(m.complete) << m.fault;
    return Vector(m.value.row(m.value.rows() - 1));
  };
  const Vector exact = end("radau5", 0.0025);
  const std::vector<double> expected = {1.0, 2.0};
  constexpr double tolerance = 0.15;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const std::string_view name = test::dae_schemes()[k];
    const Vector coarse = end(name, 0.001) - exact, fine = end(name, 0.0005) - exact;
    EXPECT_NEAR(order(coarse[1], fine[1]), expected[k], tolerance) << name << ", free angle";
    EXPECT_NEAR(order(coarse[2], fine[2]), expected[k], tolerance) << name << ", torque";
  }
}

TEST(StepGrid, EndsStepsAtKnots) {
  const std::vector<Reference> late = {test::rest_to_rest(Graph(), "y", 0.0, 1.0, 1.05)};
  const std::vector<double> grid = step_grid(late, 0.0, 2.0, 0.1);
  EXPECT_EQ(grid.front(), 0.0);
  EXPECT_EQ(grid.back(), 2.0);
  EXPECT_NE(std::find(grid.begin(), grid.end(), 1.05), grid.end());
  for (std::size_t i = 1; i < grid.size(); ++i) {
    EXPECT_GT(grid[i], grid[i - 1]);
    EXPECT_LE(grid[i] - grid[i - 1], 0.1 * (1 + 1e-9));
  }
  EXPECT_EQ(step_grid({}, 0.0, 3.0, 0.1).size(), 31U);
}

// Where one motion ends another goes on, with the same steps as if there had been no seam; also by two steps.
TEST(GoOn, LeavesNoSeam) {
  const ServoProblem p = test::overhead_crane();
  const Offsets structure = offsets(signature(p.dae));
  constexpr double h = 0.05, round_off = 1e-9;  // of forces up to 500 N that are second differences, ε m/h²
  const ReducedDae three = extend(p.dae, structure, 3, p.guess);
  for (const std::string_view name : test::dae_schemes()) {
    const DaeMotion whole = integrate(three, test::scheme(name), 0.0, 2.0, h, p.guess);
    const DaeMotion joined =
        go_on(integrate(three, test::scheme(name), 0.0, 1.0, h, p.guess), three, test::scheme(name), 2.0, h, p.guess);
    ASSERT_TRUE(joined.complete) << name;
    ASSERT_EQ(joined.t.size(), whole.t.size());
    const Matrix difference = joined.value - whole.value.leftCols(joined.value.cols());
    EXPECT_LT(difference.cwiseAbs().maxCoeff(), round_off) << name;
  }
}

TEST(Integrate, RefusesNonsense) {
  const ServoProblem p = test::overhead_crane();
  EXPECT_THROW(integrate(p.dae, test::scheme("euler"), 0, 1, 0.1, p.guess), InputError);
  EXPECT_THROW(integrate(p.dae, test::scheme("bdf2"), 1, 1, 0.1, p.guess), InputError);
  EXPECT_THROW(integrate(p.dae, test::scheme("bdf2"), 0, 1, 0.0, p.guess), InputError);
  Dae jerk = p.dae;
  jerk.equations[0].expr += at(jerk.unknowns[0].variable, 3);
  EXPECT_THROW(integrate(jerk, test::scheme("bdf2"), 0, 1, 0.1, p.guess), InputError);
}

TEST(Integrate, NamesTheUnknownThatNothingDetermines) {
  Dae dae = first_order();
  dae.equations[1].expr = dae.equations[0].expr;
  const DaeMotion m = integrate(dae, test::scheme("implicit-euler"), 0.0, 1.0, 0.1, {0.0, Side::right, {{0.0}, {0.0}}});
  EXPECT_FALSE(m.complete);
  EXPECT_EQ(m.newton.status, NewtonStatus::singular);
  EXPECT_EQ(m.fault, "unknown \"y\"");
  EXPECT_EQ(m.failed_at, m.t.back() + 0.1);
  EXPECT_EQ(m.t.size(), 1U);
  EXPECT_EQ(m.value.rows(), 1);
}

TEST(Integrate, NamesTheEquationThatCannotBeMet) {
  Dae dae = first_order();
  dae.equations[1].expr = at(dae.unknowns[1].variable) * at(dae.unknowns[1].variable) + 1.0 + dae.graph.time();
  const DaeMotion m = integrate(dae, test::scheme("radau5"), 0.0, 1.0, 0.1, {0.0, Side::right, {{0.0}, {0.7}}});
  EXPECT_FALSE(m.complete);
  EXPECT_EQ(m.fault, "square");
}

}  // namespace
}  // namespace invar
