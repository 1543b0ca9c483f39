// Eigenvalues of internal dynamics against characteristic polynomials worked out by hand.
#include "invar/dae/zero_dynamics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/dae/test_servo_systems.h"

namespace invar {
namespace {

using namespace test;

constexpr double eigenvalue_tolerance = 1e-9;  // relative; a few operations on exact second derivatives

ZeroDynamics at_rest(const ServoProblem& p, int k) {
  JetEvaluator evaluator(p.dae);
  Jet jet = p.guess;
  jet.side = Side::left;
  EXPECT_EQ(rest_point(evaluator, jet).status, JetResult::Status::converged);
  return zero_dynamics(p.dae, offsets(signature(p.dae)), k, jet);
}

TEST(ZeroDynamics, OfTheElasticArmDependsOnWhereTheOutputLies) {
  // (1/3 - 5/6 share) s² + 0.25 s + 50 = 0
  for (const double share : {0.0, 0.3, 0.5}) {
    const ZeroDynamics z = at_rest(elastic_arm(share), 0);
    ASSERT_EQ(z.eigenvalues.size(), 2U);
    const double inertia = 1.0 / 3.0 - 5.0 / 6.0 * share;
    const std::complex<double> root = std::sqrt(std::complex<double>(0.0625 - 200.0 * inertia));
    for (const std::complex<double> expected : {(-0.25 + root) / (2.0 * inertia), (-0.25 - root) / (2.0 * inertia)}) {
      const double distance = std::min(std::abs(z.eigenvalues[0] - expected), std::abs(z.eigenvalues[1] - expected));
      EXPECT_LT(distance, eigenvalue_tolerance * std::abs(expected)) << share;
    }
    EXPECT_EQ(z.kind, share > 0.4 ? ZeroDynamics::Kind::unstable : ZeroDynamics::Kind::stable);
  }
  const ZeroDynamics tip = at_rest(elastic_arm(0.5), 0);
  EXPECT_NEAR(tip.eigenvalues[0].real(), -23.04, 0.005);
  EXPECT_NEAR(tip.eigenvalues[1].real(), 26.04, 0.005);
}

TEST(ZeroDynamics, OfAFlatSystemIsEmptyInEveryCoding) {
  for (const CraneCoding coding : {CraneCoding::minimal, CraneCoding::mixed}) {
    const ZeroDynamics z = at_rest(overhead_crane(coding).problem, 2);
    EXPECT_EQ(z.kind, ZeroDynamics::Kind::none);
  }
  EXPECT_EQ(at_rest(overhead_crane(), 0).kind, ZeroDynamics::Kind::none);
}

TEST(ZeroDynamics, OfAnUndampedOscillatorIsMarginal) {
  // Prescribing the first of three masses leaves the other two on springs: m x1'' = -2k x1 + k x2, m x2'' = k x1 - k
  // x2, ω² = (3 ± √5)/2 · k/m.
  const ChainData d;
  ServoProblem p = spring_chain(3, false);
  DaeEquation& output = p.dae.equations.back();
  output.expr = at(p.dae.unknowns[0].variable) - at(p.dae.references[0].value);
  const ZeroDynamics z = at_rest(p, 0);
  EXPECT_EQ(z.kind, ZeroDynamics::Kind::marginal);
  ASSERT_EQ(z.eigenvalues.size(), 4U);
  for (const double sign : {-1.0, 1.0}) {
    const std::complex<double> expected(0.0, std::sqrt((3.0 + sign * std::sqrt(5.0)) / 2.0 * d.stiffness / d.m));
    double distance = 1.0;
    for (const std::complex<double>& s : z.eigenvalues) distance = std::min(distance, std::abs(s - expected));
    EXPECT_LT(distance, eigenvalue_tolerance * std::abs(expected));
  }
}

}  // namespace
}  // namespace invar
