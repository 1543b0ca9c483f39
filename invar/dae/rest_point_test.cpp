// Steady states: a given equilibrium is kept, a constant speed counts as rest where nothing depends on the position.
#include "invar/dae/rest_point.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/dae/test_servo_systems.h"

namespace invar {
namespace {

using namespace test;

constexpr double rounding = 1e-12;

// γ = rate · t, or a sine of this frequency.
class Going : public TimeFunction {
 public:
  Going(double rate, bool swings) : rate_(rate), swings_(swings) {}
  void series(double t, Side, std::span<double> out) const override {
    double factor = 1.0;
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (swings_)
        out[k] = factor * std::sin(rate_ * t + 0.5 * M_PI * static_cast<double>(k));
      else
        out[k] = k == 0 ? rate_ * t : k == 1 ? rate_ : 0.0;
      factor *= rate_ / static_cast<double>(k + 1);
    }
  }
  std::vector<double> knots() const override { return {}; }
  int smoothness() const override { return analytic; }
  std::string describe() const override { return "test function"; }

 private:
  double rate_;
  bool swings_;
};

// A mass on a radial spring of stiffness k and length r0, on a hub that a torque turns; the angle is the output.
struct Sling {
  double m = 0.5, J = 0.2, k = 40.0, r0 = 0.3;
  ServoProblem follows(double rate, bool swings) const {
    System s;
    for (const char* name : {"a", "r"}) s.add_coordinate(name);
    const Exprs q = positions(s), v = velocities(s);
    s.kinetic = 0.5 * J * squared(v[0]) + 0.5 * m * (squared(v[1]) + squared(q[1] * v[0]));
    s.potential = 0.5 * k * squared(q[1] - r0);
    s.add_input("torque", {1.0, 0.0});
    const Reference gamma{"a", s.graph.reference("a"), std::make_shared<Going>(rate, swings)};
    return {servo(s, {{"a", q[0], {gamma}}}), guess_of({0.0, r0, 0.0})};
  }
};

TEST(RestPoint, SteadyRotationStretchesTheSpring) {
  const Sling sling;
  constexpr double rate = 3.0;
  const ServoProblem p = sling.follows(rate, false);
  JetEvaluator evaluator(p.dae);
  Jet jet = p.guess;
  jet.t = 0.4;
  ASSERT_EQ(rest_point(evaluator, jet).status, JetResult::Status::converged);
  EXPECT_NEAR(jet.x[0][0], rate * jet.t, rounding);
  EXPECT_NEAR(jet.x[0][1], rate, rounding);
  // k (r - r0) = m r a'²
  EXPECT_NEAR(jet.x[1][0], sling.k * sling.r0 / (sling.k - sling.m * rate * rate), rounding);
  EXPECT_NEAR(jet.x[2][0], 0.0, rounding) << "no torque";
  EXPECT_TRUE(is_steady(evaluator, jet, 0.0, 1.0));
}

TEST(RestPoint, AnOscillatingReferenceIsNoSteadyMotion) {
  const ServoProblem p = Sling().follows(2.0, true);
  JetEvaluator evaluator(p.dae);
  Jet jet = p.guess;
  ASSERT_EQ(rest_point(evaluator, jet).status, JetResult::Status::converged);
  EXPECT_FALSE(is_steady(evaluator, jet, 0.0, 1.0)) << "it turns without acceleration at t = 0, but not for long";
}

TEST(RestPoint, RestToRestIsSteadyOutsideOnly) {
  const ServoProblem p = elastic_arm(0.5);
  JetEvaluator evaluator(p.dae);
  for (const double t : {-0.1, 0.4, 1.7}) {
    Jet jet = p.guess;
    jet.t = t;
    ASSERT_EQ(rest_point(evaluator, jet).status, JetResult::Status::converged);
    EXPECT_EQ(is_steady(evaluator, jet, 0.0, 1.5), t < 0.0 || t > 1.5) << t;
  }
}

// Two equal masses on springs of very different stiffness, the second of them free to slide: any position is one of
// rest.
TEST(RestPoint, KeepsAnEquilibriumThatIsGiven) {
  System s;
  for (const char* name : {"x", "y", "z"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (squared(v[0]) + squared(v[1]) + squared(v[2]));
  s.potential = 0.5e7 * squared(q[1] - q[0] - 1.0) + 0.5 * squared(q[2] - q[1] - 0.25);
  s.add_input("force", {1.0, 0.0, 0.0});
  const ServoProblem p = {servo(s, {{"end", q[2], {}}}), guess_of({-1.25, -0.25, 0.0, 0.0})};
  JetEvaluator evaluator(p.dae);
  Jet jet = p.guess;
  const JetResult result = rest_point(evaluator, jet);
  EXPECT_EQ(result.status, JetResult::Status::converged);
  EXPECT_EQ(result.iterations, 0);
  for (std::size_t j = 0; j < p.guess.x.size(); ++j) EXPECT_EQ(jet.x[j][0], p.guess.x[j][0]);
}

}  // namespace
}  // namespace invar
