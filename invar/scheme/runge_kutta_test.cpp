// Explicit Runge–Kutta methods: their stability, Baumgarte's terms, dense output, and steps that follow the error.
#include "invar/scheme/runge_kutta.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/scheme/steps/adaptive.h"
#include "invar/scheme/steps/explicit_steps.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/scheme/test_systems.h"
#include "invar/system/equations.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

using test::TestSystem;

constexpr const char* plain[] = {"rk4", "dormand-prince"};
constexpr const char* all[] = {"rk4", "dormand-prince", "lie-rk4", "lie-dormand-prince", "lie-euler"};

const RungeKutta& method_of(const char* name) { return find_scheme(name)->explicit_method(); }

void nothing_given(double, std::span<double>) {}

State start_of(const TestSystem& t) { return consistent_start(t.system, {0.0, t.q0, t.v0, {}, {}}).state; }

StepperOptions drifting() {
  StepperOptions options;
  options.scheme.project = false;
  return options;
}
StepperOptions with_terms(const Baumgarte& terms) {
  StepperOptions options = drifting();
  options.scheme.baumgarte = terms;
  return options;
}

std::vector<double> state_of(const Stepper& s) {
  std::vector<double> x(s.q().begin(), s.q().end());
  x.insert(x.end(), s.v().begin(), s.v().end());
  return x;
}

double gap(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return std::sqrt(sum);
}

std::vector<double> end_after(const TestSystem& t, const char* scheme, int steps, const StepperOptions& options) {
  Stepper stepper(t.system, *find_scheme(scheme), options);
  stepper.start(start_of(t), t.duration / steps);
  for (int k = 0; k < steps; ++k)
    EXPECT_EQ(stepper.advance(t.duration / steps, nothing_given).status, NewtonStatus::converged);
  return state_of(stepper);
}

TEST(RungeKuttaMethod, StabilityFunctionIsTheExponentialToTheOrder) {
  for (const char* name : all) {
    const auto off = [&](double z) { return std::abs(stability_function(method_of(name), z) - std::exp(z)); };
    EXPECT_NEAR(std::log2(off(-0.1) / off(-0.05)), find_scheme(name)->info.order + 1, 0.1) << name;
  }
}

TEST(RungeKuttaMethod, WeightsInsideTheStepAreOfOrderFour) {
  const RungeKutta& m = method_of("dormand-prince");
  for (const double part : {0.1, 0.37, 0.8, 1.0})
    for (int power = 0; power < 4; ++power) {
      double sum = 0.0;
      for (std::size_t i = 0; i < m.c.size(); ++i)
        for (std::size_t k = 0; k < m.inside[i].size(); ++k)
          sum += m.inside[i][k] * std::pow(part, static_cast<double>(k + 1)) * std::pow(m.c[i], power);
      EXPECT_NEAR(sum, std::pow(part, power + 1) / (power + 1), 1e-14) << part << " " << power;
    }
  for (std::size_t i = 0; i < m.c.size(); ++i) {
    double end = 0.0;
    for (const double weight : m.inside[i]) end += weight;
    const double weight = i < m.end_weights().size() ? m.end_weights()[i] : 0.0;
    EXPECT_NEAR(end, weight, 1e-15) << "the inside ends with the step, stage " << i;
  }
}

// On the real axis Runge's method of order four is stable to -2.78529356 [Hairer, Wanner: Solving ODEs II, sec. IV.2].
TEST(Baumgarte, StepsAreStableUpToTheKnownLimit) {
  constexpr double limit = 2.785293563405282;
  EXPECT_NEAR(largest_stable_step(method_of("rk4"), {false, 40.0, 40.0}), limit / 40.0, 1e-6);
  EXPECT_NEAR(largest_stable_step(method_of("rk4"), {false, 20.0, 0.0}), limit / 40.0, 1e-6);
  EXPECT_NEAR(largest_stable_step(method_of("lie-euler"), {false, 10.0, 10.0}), 0.2, 1e-6) << "|1 + z| < 1";
  EXPECT_TRUE(std::isinf(largest_stable_step(method_of("rk4"), {})));
}

// x'' = f with x held at zero, started off it: what explicit methods integrate exactly, so that only rounding is left.
TEST(Baumgarte, TermsThatFollowTheStepRemoveAnErrorInTwoSteps) {
  System s;
  for (const char* name : {"x", "y", "z"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (pow(v[0], 2.0) + pow(v[1], 2.0) + pow(v[2], 2.0));
  s.potential = 9.81 * q[0];
  s.add_constraint("height", q[0]);
  s.add_constraint("speed", v[1] - 1.0, Level::velocity);
  for (const char* name : {"rk4", "dormand-prince", "lie-rk4", "lie-dormand-prince"}) {
    Stepper stepper(s, *find_scheme(name), with_terms({}));
    stepper.start({0.0, {0.3, 0.0, 0.0}, {-0.7, 1.4, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0}}, 0.1);
    for (int k = 0; k < 2; ++k) stepper.advance(0.1, nothing_given);
    EXPECT_NEAR(stepper.q()[0], 0.0, 1e-14) << name;
    EXPECT_NEAR(stepper.v()[0], 0.0, 1e-13) << name;
    EXPECT_NEAR(stepper.v()[1], 1.0, 1e-14) << name;
  }
}

// A pendulum that starts off its constraint: in exact motion Φ solves Φ'' + 2αΦ' + β²Φ = 0, whatever else moves.
TEST(Baumgarte, ErrorsOfTheConstraintDieOutByTheirOwnEquation) {
  const TestSystem t = test::pendulum();
  constexpr double alpha = 3.0, beta = 5.0, steps = 400.0, end = 1.0;
  State start = start_of(t);
  start.q = {0.63, -0.8};
  StateFunction constraint(t.system, equations(t.system).constraint),
      rate(t.system, equations(t.system).constraint_rate);
  const double first = constraint({0.0, start.q, {}, {}, {}})[0], slope = rate({0.0, start.q, start.v, {}, {}})[0];
  const double w = std::sqrt(beta * beta - alpha * alpha);
  const double expected =
      std::exp(-alpha * end) * (first * std::cos(w * end) + (slope + alpha * first) / w * std::sin(w * end));
  for (const char* name : plain) {
    Stepper stepper(t.system, *find_scheme(name), with_terms({false, alpha, beta}));
    stepper.start(start, end / steps);
    for (int k = 0; k < steps; ++k) stepper.advance(end / steps, nothing_given);
    EXPECT_NEAR(constraint({0.0, {stepper.q().begin(), stepper.q().end()}, {}, {}, {}})[0], expected, 1e-9)
        << name << ": error of the method, h⁴";
  }
}

// Terms that follow the step do not spoil the order, at any level of the constraints.
TEST(Baumgarte, KeepsTheOrder) {
  for (const TestSystem& t : {test::pendulum(), test::driven(), test::knife_edge()})
    for (const char* name : plain) {
      const int order = find_scheme(name)->info.order;
      const int steps = static_cast<int>(std::lround(t.duration / (order > 4 ? 2.0 : 1.0) / t.step));
      const auto coarse = end_after(t, name, steps, with_terms({})),
                 middle = end_after(t, name, 2 * steps, with_terms({})),
                 fine = end_after(t, name, 4 * steps, with_terms({}));
      EXPECT_NEAR(std::log2(gap(coarse, middle) / gap(middle, fine)), order, 0.35)
          << name << " " << t.name << " " << gap(coarse, middle) << " " << gap(middle, fine);
    }
}

// Largest |Φ| in the first and in the last tenth of a long motion.
struct Drift {
  double early = 0.0, late = 0.0;
};

Drift drift(const char* name, const StepperOptions& options) {
  const TestSystem t = test::pendulum();
  constexpr int steps = 10000;
  constexpr double h = 0.02;
  StateFunction constraint(t.system, equations(t.system).constraint);
  Stepper stepper(t.system, *find_scheme(name), options);
  stepper.start(start_of(t), h);
  Drift d;
  for (int k = 0; k < steps; ++k) {
    EXPECT_EQ(stepper.advance(h, nothing_given).status, NewtonStatus::converged);
    const double off = std::abs(constraint({0.0, {stepper.q().begin(), stepper.q().end()}, {}, {}, {}})[0]);
    double& most = k < steps / 10 ? d.early : d.late;
    if (k < steps / 10 || k >= steps - steps / 10) most = std::max(most, off);
  }
  return d;
}

TEST(Baumgarte, DriftStaysBoundedWhereItOtherwiseGrows) {
  for (const char* name : plain) {
    const Drift without = drift(name, drifting()), terms = drift(name, with_terms({})), projected = drift(name, {});
    EXPECT_GT(without.late, 5.0 * without.early) << name << ": ten times the steps";
    EXPECT_LT(terms.late, 1.5 * terms.early) << name;
    EXPECT_LT(terms.late, 0.01 * without.late) << name;
    EXPECT_GT(terms.late, 1e-13) << name << ": it is bounded, not gone";
    EXPECT_LT(projected.late, 1e-12) << name << ": Newton's tolerance";
  }
}

TEST(RungeKutta, FindsTheMotionOfImplicitSchemes) {
  for (const TestSystem& t : test::all_systems()) {
    const auto exact = end_after(t, "radau5", 100, {});
    for (const char* name : plain) {
      EXPECT_LT(gap(end_after(t, name, 800, {}), exact), 1e-9) << name << " " << t.name;
      EXPECT_LT(gap(end_after(t, name, 800, with_terms({})), exact), 1e-9) << name << " " << t.name;
    }
  }
}

// The largest change on the way.
double energy_change(const TestSystem& t, const char* name, int steps, const StepperOptions& options) {
  StateFunction energy(t.system, Exprs{equations(t.system).energy});
  Stepper stepper(t.system, *find_scheme(name), options);
  stepper.start(start_of(t), t.duration / steps);
  const auto now = [&] {
    return energy({0.0, {stepper.q().begin(), stepper.q().end()}, {stepper.v().begin(), stepper.v().end()}, {}, {}})[0];
  };
  const double first = now();
  double most = 0.0;
  for (int k = 0; k < steps; ++k) {
    stepper.advance(t.duration / steps, nothing_given);
    most = std::max(most, std::abs(now() - first));
  }
  return most;
}

// Explicit methods do not keep the energy; its error falls at least with the order, however constraints are kept.
TEST(RungeKutta, EnergyErrorFallsWithTheOrder) {
  for (const TestSystem& t : {test::pendulum(), test::double_pendulum()})
    for (const char* name : plain)
      for (const StepperOptions& how : {StepperOptions(), with_terms({})}) {
        const int steps = static_cast<int>(std::lround(t.duration / t.step));
        const double coarse = energy_change(t, name, steps, how), fine = energy_change(t, name, 2 * steps, how);
        EXPECT_GT(std::log2(coarse / fine), find_scheme(name)->info.order - 0.5) << name << " " << t.name << coarse;
      }
}

// The local error of dense output of order 4 falls with h⁵, that of the multipliers with h⁴.
TEST(DenseOutput, HasItsOrder) {
  const TestSystem t = test::pendulum();
  const Scheme& scheme = *find_scheme("dormand-prince");
  const auto error = [&](double h, double part) {
    Stepper stepper(t.system, scheme), exact(t.system, scheme);
    stepper.start(start_of(t), h);
    exact.start(start_of(t), h);
    stepper.advance(h, nothing_given);
    for (int k = 0; k < 20; ++k) exact.advance(part * h / 20, nothing_given);
    std::vector<double> q(2), v(2), lambda(1);
    stepper.inside(part, nothing_given, q, v, lambda);
    q.insert(q.end(), v.begin(), v.end());
    return std::pair(gap(q, state_of(exact)), std::abs(lambda[0] - exact.lambda()[0]));
  };
  for (const double part : {0.25, 0.6}) {
    const auto [coarse, coarse_lambda] = error(0.1, part);
    const auto [fine, fine_lambda] = error(0.05, part);
    EXPECT_NEAR(std::log2(coarse / fine), 5.0, 0.4) << part;
    EXPECT_GT(std::log2(coarse_lambda / fine_lambda), 3.5) << part;
  }
}

// Masses that hang below each other have no acceleration but round-off, which no equation of theirs can tell from zero.
TEST(RungeKutta, WhatHangsAtRestStays) {
  constexpr double round_off = 1e-12;
  for (const int masses : {3, 10, 40}) {
    System s;
    State start;
    Expr x_before = 0.0, y_before = 0.0;
    for (int i = 1; i <= masses; ++i) {
      s.add_coordinate("x" + std::to_string(i));
      s.add_coordinate("y" + std::to_string(i));
      const Expr x = positions(s)[s.coordinates.size() - 2], y = positions(s).back();
      const double mass = 1.0 + 0.1 * (i % 7);
      s.kinetic += 0.5 * mass * (pow(velocities(s)[s.coordinates.size() - 2], 2.0) + pow(velocities(s).back(), 2.0));
      s.potential += 9.81 * mass * y;
      s.add_constraint("rod" + std::to_string(i), 0.5 * (pow(x - x_before, 2.0) + pow(y - y_before, 2.0) - 0.09));
      x_before = x;
      y_before = y;
      start.q.push_back(0.0);
      start.q.push_back(-0.3 * i);
    }
    start.v.assign(start.q.size(), 0.0);
    for (const char* name : {"rk4", "dormand-prince", "lie-rk4"}) {
      Stepper stepper(s, *find_scheme(name));
      stepper.start(consistent_start(s, start).state, 0.01);
      for (int k = 0; k < 20; ++k) {
        const NewtonResult r = stepper.advance(0.01, nothing_given);
        ASSERT_EQ(r.status, NewtonStatus::converged) << name << ", " << masses << " masses, step " << k;
        EXPECT_LE(r.iterations, 2) << name << ", " << masses << " masses, step " << k;
      }
      EXPECT_LT(gap(start.q, {stepper.q().begin(), stepper.q().end()}), round_off * masses) << name;
    }
  }
}

// x'' = -sin x + u(t)
ExplicitSteps swing_steps(const char* method) {
  System s;
  s.add_coordinate("x");
  s.kinetic = 0.5 * pow(velocities(s)[0], 2.0);
  s.add_input("u", {1.0});
  const Equations e = equations(s);
  return {s, e, {e.u[0] - sin(e.q[0])}, method_of(method), {}};
}

// Steps of one object, of which every third is done again with another size, and each by an object without a past.
TEST(ExplicitSteps, EvaluateKnownStagesNoMore) {
  constexpr std::size_t steps = 30, again = 10;
  for (const char* name : plain)
    for (const bool jumps : {false, true}) {
      // An input that is not the same before and after the end of a step, and one that is.
      double level = 0.3;
      const auto input = [&](double, std::span<double> u) { u[0] = level; };
      ExplicitSteps one = swing_steps(name);
      double t = 0.0, q = 1.0, v = 0.5;
      for (std::size_t k = 0; k < steps; ++k) {
        if (jumps) level = 0.1 * static_cast<double>(k % 7);
        if (k % 3 == 0) {
          double tried_q = q, tried_v = v;
          ASSERT_TRUE(one.advance(t, 0.2, {&tried_q, 1}, {&tried_v, 1}, input));
        }
        double fresh_q = q, fresh_v = v;
        ASSERT_TRUE(swing_steps(name).advance(t, 0.1, {&fresh_q, 1}, {&fresh_v, 1}, input));
        ASSERT_TRUE(one.advance(t, 0.1, {&q, 1}, {&v, 1}, input));
        EXPECT_EQ(q, fresh_q) << name << " " << k;
        EXPECT_EQ(v, fresh_v) << name << " " << k;
        t += 0.1;
      }
      const RungeKutta& m = method_of(name);
      const std::size_t first = m.ends_in_stage() && !jumps ? 1 : steps;  // stages that had to be evaluated
      EXPECT_EQ(one.evaluation_count(), first + (steps + again) * (m.c.size() - 1)) << name;
    }
}

// A body on an ellipse of eccentricity 0.5 about a fixed centre, back at the start after a turn.
struct Orbit {
  double error = 0.0;
  std::uint64_t accepted = 0, rejected = 0;
};

Orbit orbit(const char* name, const AdaptiveOptions& options) {
  System s;
  s.add_coordinate("x");
  s.add_coordinate("y");
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (pow(v[0], 2.0) + pow(v[1], 2.0));
  s.potential = -1.0 / sqrt(pow(q[0], 2.0) + pow(q[1], 2.0));
  const Scheme& scheme = *find_scheme(name);
  Stepper stepper(s, scheme);
  stepper.start(consistent_start(s, {0.0, {0.5, 0.0}, {0.0, std::sqrt(3.0)}, {}, {}}).state, 0.01);
  Adaptive adaptive(stepper, scheme, options);
  const double turn = 2.0 * std::acos(-1.0);
  EXPECT_TRUE(adaptive.advance_past(turn, turn, nothing_given).done);
  return {std::hypot(stepper.q()[0] - 0.5, stepper.q()[1]), adaptive.accepted(), adaptive.rejected()};
}

// The step is chosen for an error of order 4, h ~ tol^(1/5), and goes on with order 5: the global error is ~ tol.
TEST(EmbeddedPair, GlobalErrorIsProportionalToTheTolerance) {
  for (const char* name : {"dormand-prince", "lie-dormand-prince"}) {
    const Orbit loose = orbit(name, {.tolerance = 1e-6}), tight = orbit(name, {.tolerance = 1e-10});
    EXPECT_NEAR(std::log10(loose.error / tight.error) / 4.0, 1.0, 0.15) << loose.error << " " << tight.error;
    EXPECT_NEAR(std::log10(static_cast<double>(tight.accepted) / static_cast<double>(loose.accepted)) / 4.0, 0.2, 0.03)
        << "steps ~ tol^(-1/5)";
    EXPECT_LT(tight.rejected, tight.accepted / 5);
  }
}

TEST(EmbeddedPair, TakesTheFirstStepTheLargestStepAndTheAbsoluteTolerance) {
  const Orbit usual = orbit("dormand-prince", {.tolerance = 1e-8});
  EXPECT_LT(orbit("dormand-prince", {.tolerance = 1e-8, .first = 0.05}).accepted, usual.accepted + 5);
  EXPECT_GT(orbit("dormand-prince", {.tolerance = 1e-8, .first = 3.0}).rejected, usual.rejected);
  EXPECT_GE(orbit("dormand-prince", {.tolerance = 1e-8, .largest = 0.01}).accepted, 628u);
  EXPECT_LT(orbit("dormand-prince", {.tolerance = 1e-8, .absolute = 1e-4}).accepted, usual.accepted / 3);
}

// x'' = u with u = max(0, t - 0.37): steps that end at the kink are exact, since the rest are polynomials.
TEST(Knots, StepsEndAtThem) {
  System s;
  s.add_coordinate("x");
  s.kinetic = 0.5 * pow(velocities(s)[0], 2.0);
  s.add_input("u", {1.0});
  const Stepper::Inputs ramp = [](double t, std::span<double> u) { u[0] = std::max(0.0, t - 0.37); };
  const double expected = std::pow(0.63, 3.0) / 6.0;
  for (const char* name : {"dormand-prince", "rk4", "radau5"}) {
    const Scheme& scheme = *find_scheme(name);
    Stepper stepper(s, scheme);
    stepper.start(consistent_start(s, {0.0, {0.0}, {0.0}, {}, {}}).state, 1.0);
    Adaptive adaptive(stepper, scheme, {.tolerance = 1e-3, .first = 1.0, .knots = {0.37}});
    ASSERT_TRUE(adaptive.advance_past(1.0, 1.0, ramp).done);
    EXPECT_NEAR(stepper.q()[0], expected, 1e-14) << name << ": round-off";
    EXPECT_EQ(adaptive.accepted(), 2u) << name;
  }
}

}  // namespace
}  // namespace invar
