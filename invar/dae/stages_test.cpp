// The staged scheme against closed-form flat solutions, and its structure against published figures.
#include "invar/dae/stages.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/dae/test_servo_systems.h"

namespace invar {
namespace {

using namespace test;

// Inputs of the overhead crane from the load trajectory alone [Y. Yang, KIT 2017, sec. 5.3.1]:
// s = x - z ẍ/(g + z̈), l² = (x-s)² + z², λ = -m(g + z̈)/z, F = mt s̈ - (x-s)λ, M = r(J/r² l̈ - lλ)
struct CraneInputs {
  double s, l, lambda;
};

CraneInputs flat_crane(const OverheadCraneData& data, const TimeFunction& x, const TimeFunction& z, double t) {
  std::vector<double> a(3), b(3);
  x.series(t, Side::right, a);
  z.series(t, Side::right, b);
  const double lift = data.g + 2.0 * b[2];
  CraneInputs c{};
  c.s = a[0] - b[0] * 2.0 * a[2] / lift;
  c.l = std::hypot(a[0] - c.s, b[0]);
  c.lambda = -data.m * lift / b[0];
  return c;
}

TEST(Stages, OverheadCraneFollowsFromTheLoad) {
  const ServoProblem p = overhead_crane();
  const Offsets o = offsets(signature(p.dae));
  EXPECT_TRUE(o.regular);
  EXPECT_EQ(o.index, 5);
  EXPECT_EQ(o.degrees_of_freedom, 0);
  JetEvaluator evaluator(p.dae);
  StagedSolver solver(evaluator, o);
  Jet jet = p.guess;
  for (double t = 0.0; t <= 3.0; t += 0.15) {
    jet.t = t;
    const JetResult r = solver.solve(jet, 0);
    ASSERT_EQ(r.status, JetResult::Status::converged) << t;
    const CraneInputs exact =
        flat_crane(OverheadCraneData{}, *p.dae.references[0].function, *p.dae.references[1].function, t);
    EXPECT_NEAR(jet.x[0][0], exact.s, 1e-13);
    EXPECT_NEAR(jet.x[1][0], exact.l, 1e-13);
    EXPECT_NEAR(jet.x[4][0], exact.lambda, 1e-10);
  }
}

}  // namespace
}  // namespace invar
