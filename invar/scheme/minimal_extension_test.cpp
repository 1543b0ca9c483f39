// Laws of the index-1 form by minimal extension: constraints hold at all levels, every scheme keeps its order, and
// multipliers have the full one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/scheme/test_systems.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

struct Ended {
  std::vector<double> state, lambda;      // at the end
  double position = 0.0, velocity = 0.0;  // largest violations
};

Ended run(const test::TestSystem& t, std::string_view scheme, const SchemeOptions& options, double h, double duration) {
  Stepper stepper(t.system, *find_scheme(scheme), {.scheme = options, .newton = {}});
  stepper.start(consistent_start(t.system, {0.0, t.q0, t.v0, {}, {}}).state, h);
  const Equations e = equations(t.system);
  Exprs quantities = e.constraint;
  quantities.insert(quantities.end(), e.constraint_rate.begin(), e.constraint_rate.end());
  StateFunction values(t.system, quantities);
  Ended ended;
  for (int k = 0; k < std::lround(duration / h); ++k) {
    EXPECT_EQ(stepper.advance(h, [](double, std::span<double>) {}).status, NewtonStatus::converged)
        << t.name << ", " << scheme << ", step " << k;
    const State now = {
        stepper.t(), {stepper.q().begin(), stepper.q().end()}, {stepper.v().begin(), stepper.v().end()}, {}, {}};
    const std::vector<double> x = values(now);
    for (std::size_t i = 0; i < x.size(); ++i) {
      double& worst = i < x.size() / 2 ? ended.position : ended.velocity;
      worst = std::max(worst, std::abs(x[i]));
    }
  }
  ended.state.assign(stepper.q().begin(), stepper.q().end());
  ended.state.insert(ended.state.end(), stepper.v().begin(), stepper.v().end());
  ended.lambda.assign(stepper.lambda().begin(), stepper.lambda().end());
  return ended;
}

double distance(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return std::sqrt(sum);
}

const SchemeOptions extended = {.minimal_extension = true}, stabilised = {.stabilise = true}, plain = {};

// Once over the top and on: a split of the coordinates chosen once would lose its regularity on the way.
TEST(MinimalExtension, KeepsConstraintsAtAllLevelsOverATurn) {
  test::TestSystem t = test::pendulum();
  t.v0 = {0.8 * 8.0, 0.6 * 8.0};
  constexpr double round_off = 1e-11;  // of velocities up to 8 m/s
  for (const std::string_view scheme : {"implicit-euler", "bdf2", "radau5"}) {
    const Ended e = run(t, scheme, extended, 0.01, 2.0);
    EXPECT_LT(e.position, round_off) << scheme;
    EXPECT_LT(e.velocity, round_off) << scheme;
  }
  EXPECT_GT(run(t, "bdf2", plain, 0.01, 2.0).velocity, 1e-4) << "or the extension would prove nothing";
}

struct Order {
  std::string_view scheme;
  double state, multiplier;
};

// λ is an algebraic function of the state at index 1 and inherits its order. At index 2, as with stabilisation, λ of
// Radau IIA is of order 3 [Hairer, Wanner, Solving ODEs II, ch. VII.4].
TEST(MinimalExtension, HasTheOrderOfTheSchemeInMultipliersToo) {
  constexpr double tolerance = 0.25;
  const std::vector<Order> orders = {{"implicit-euler", 1, 1}, {"bdf2", 2, 2}, {"radau5", 5, 5}};
  for (const test::TestSystem& t : {test::pendulum(), test::driven()})
    for (const Order& o : orders) {
      const double h = o.scheme == "radau5" ? 0.1 : 0.005, duration = 0.8;
      const Ended exact = run(t, "radau5", extended, 0.01, duration);
      const Ended coarse = run(t, o.scheme, extended, h, duration), fine = run(t, o.scheme, extended, h / 2, duration);
      EXPECT_NEAR(std::log2(distance(coarse.state, exact.state) / distance(fine.state, exact.state)), o.state,
                  tolerance)
          << t.name << ", " << o.scheme;
      EXPECT_NEAR(std::log2(distance(coarse.lambda, exact.lambda) / distance(fine.lambda, exact.lambda)), o.multiplier,
                  tolerance)
          << t.name << ", " << o.scheme;
    }
  const test::TestSystem t = test::pendulum();
  const Ended exact = run(t, "radau5", extended, 0.01, 0.8);
  const double coarse = distance(run(t, "radau5", plain, 0.1, 0.8).lambda, exact.lambda),
               fine = distance(run(t, "radau5", plain, 0.05, 0.8).lambda, exact.lambda);
  EXPECT_LT(std::log2(coarse / fine), 4.0) << "the stabilised form";
}

// Another way to the same motion.
TEST(MinimalExtension, AgreesWithStabilisation) {
  constexpr double difference = 2e-3;  // of second order at this step, of positions and velocities of size one
  for (const test::TestSystem& t : {test::pendulum(), test::driven(), test::knife_edge(), test::chain(3, true)}) {
    const double h = t.duration / 200.0;
    EXPECT_LT(distance(run(t, "bdf2", extended, h, t.duration).state, run(t, "bdf2", stabilised, h, t.duration).state),
              difference)
        << t.name;
  }
}

std::string answer(std::string_view scheme, const SchemeOptions& options) {
  try {
    const Stepper stepper(test::pendulum().system, *find_scheme(scheme), {.scheme = options, .newton = {}});
  } catch (const InputError& e) {
    return e.what();
  }
  return "taken";
}

TEST(MinimalExtension, IsRefusedInWordsWhereItCannotBe) {
  for (const Scheme& s : schemes()) {
    if (s.info.open_chains || s.info.on_rotations || s.info.name.starts_with("quaternion")) continue;
    const std::string words = answer(s.info.name, extended);
    if (s.rule != nullptr)
      EXPECT_EQ(words, "taken") << s.info.name;
    else
      EXPECT_EQ(words.rfind(std::string(s.info.name) + ": minimal_extension needs a scheme that has accelerations", 0),
                0U)
          << words;
  }
  SchemeOptions both = extended;
  both.stabilise = true;
  EXPECT_EQ(answer("bdf2", both),
            "minimal_extension and stabilise both keep velocities on the constraints; choose one of them");
}

}  // namespace
}  // namespace invar
