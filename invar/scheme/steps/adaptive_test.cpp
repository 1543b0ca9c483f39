// Steps that follow the error: accuracy as asked for, small steps only where they are needed.
#include "invar/scheme/steps/adaptive.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/base/error.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

void without_inputs(double, std::span<double>) {}

// A body on an ellipse of eccentricity 0.9 about a fixed centre: fast and slow in turn, back at the start after 2π.
struct Kepler {
  System system;
  State start;

  Kepler() {
    system.add_coordinate("x");
    system.add_coordinate("y");
    const Exprs q = positions(system), v = velocities(system);
    system.kinetic = 0.5 * (pow(v[0], 2.0) + pow(v[1], 2.0));
    system.potential = -1.0 / sqrt(pow(q[0], 2.0) + pow(q[1], 2.0));
    start = consistent_start(system, {0.0, {0.1, 0.0}, {0.0, std::sqrt(19.0)}, {}, {}}).state;
  }
};

struct Turn {
  double error;
  std::uint64_t accepted, rejected;
};

Turn turn(const char* name, double tolerance) {
  const Kepler k;
  const Scheme& scheme = *find_scheme(name);
  Stepper stepper(k.system, scheme);
  stepper.start(k.start, 0.01);
  Adaptive adaptive(stepper, scheme, {.tolerance = tolerance});
  const double period = 2.0 * std::acos(-1.0);
  for (int part = 1; part <= 7; ++part)
    EXPECT_TRUE(adaptive.advance_past(period * part / 7.0, period, without_inputs).done) << name;
  EXPECT_EQ(stepper.t(), period);
  return {std::hypot(stepper.q()[0] - 0.1, stepper.q()[1]), adaptive.accepted(), adaptive.rejected()};
}

TEST(Adaptive, ErrorFallsWithTheTolerance) {
  for (const char* name : {"radau5", "lie-rk4"}) {
    const Turn loose = turn(name, 1e-7), tight = turn(name, 1e-10);
    // A few hundred steps, whose errors the passage by the centre magnifies about a hundredfold.
    EXPECT_LT(loose.error, 1e-2) << name;
    EXPECT_LT(tight.error, 1e-5) << name;
    EXPECT_LT(tight.error, 0.03 * loose.error) << name;
    EXPECT_LT(tight.rejected, tight.accepted) << name;
  }
}

// Equal steps as small as the passage by the centre needs would be many times more.
TEST(Adaptive, SavesSteps) {
  const Turn run = turn("radau5", 1e-9);
  const Kepler k;
  Stepper stepper(k.system, *find_scheme("radau5"));
  stepper.start(k.start, 0.01);
  const int steps = static_cast<int>(3 * run.accepted);  // as many as the adaptive run made in all
  for (int i = 0; i < steps; ++i) stepper.advance(2.0 * std::acos(-1.0) / steps, without_inputs);
  EXPECT_GT(std::hypot(stepper.q()[0] - 0.1, stepper.q()[1]), 3.0 * run.error);
}

// Between the nodes the motion is as good as at them: against small steps that end at the same instants.
TEST(Adaptive, DenseOutputIsAsAccurateAsTheSteps) {
  const Kepler k;
  const Scheme& scheme = *find_scheme("radau5");
  Stepper stepper(k.system, scheme), exact(k.system, scheme);
  stepper.start(k.start, 0.01);
  exact.start(k.start, 0.01);
  constexpr double tolerance = 1e-9;
  Adaptive adaptive(stepper, scheme, {.tolerance = tolerance});
  std::vector<double> q(2), v(2), none;
  for (int i = 1; i <= 40; ++i) {
    const double t = 0.1 * i;
    ASSERT_TRUE(adaptive.advance_past(t, 4.0, without_inputs).done);
    adaptive.at(t, without_inputs, q, v, none);
    for (int part = 0; part < 200; ++part) exact.advance(0.1 / 200, without_inputs);
    // Errors of the steps so far, magnified by the passage by the centre.
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(q[c], exact.q()[c], 1e3 * tolerance) << t;
      EXPECT_NEAR(v[c], exact.v()[c], 1e4 * tolerance) << t;
    }
  }
}

TEST(Adaptive, RefusesSchemesWithAMemory) {
  const Kepler k;
  for (const char* name : {"bdf2", "generalized-alpha"}) {
    Stepper stepper(k.system, *find_scheme(name));
    EXPECT_THROW(Adaptive(stepper, *find_scheme(name), {}), InputError) << name;
  }
}

TEST(Adaptive, GivesUpWhereThereIsNoWayOn) {
  // x' = v, x'' = -1/x²: falls into the centre.
  System s;
  s.add_coordinate("x");
  s.kinetic = 0.5 * pow(velocities(s)[0], 2.0);
  s.potential = -1.0 / positions(s)[0];
  const Scheme& scheme = *find_scheme("radau5");
  Stepper stepper(s, scheme);
  stepper.start(consistent_start(s, {0.0, {1.0}, {0.0}, {}, {}}).state, 0.01);
  Adaptive adaptive(stepper, scheme, {.tolerance = 1e-8});
  EXPECT_FALSE(adaptive.advance_past(2.0, 2.0, without_inputs).done);
  EXPECT_NEAR(stepper.t(), std::acos(-1.0) / (2.0 * std::sqrt(2.0)), 1e-3) << "the time of the fall";
}

}  // namespace
}  // namespace invar
