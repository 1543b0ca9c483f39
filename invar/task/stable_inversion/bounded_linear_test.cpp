// Stable inversion against bounded solutions in closed form: the linear pendulum on a cart, upside down.
//
// With the cart on s(t) the pendulum obeys L φ'' + d φ' - g φ = -s'', with roots p < 0 < n. Bounded for all times is
// only
//   φ(t) = 1/(L (n - p)) (∫_{-∞}^t e^{p (t-τ)} s''(τ) dτ + ∫_t^∞ e^{n (t-τ)} s''(τ) dτ)
#include <gtest/gtest.h>

#include <cmath>

#include "invar/dae/test_servo_systems.h"
#include "invar/task/stable_inversion/stable_inversion.h"

namespace invar {
namespace {

using namespace test;

struct Cart {
  double M = 2.0, m = 0.5, L = 0.6, g = 9.81, d = 0.0, distance = 0.7, duration = 1.2;
  double mount = 0.0;  // stiffness by which a further small mass rides on the cart, damped; none if zero

  System system() const {
    System s;
    for (const char* name : {"s", "phi"}) s.add_coordinate(name);
    const Exprs q = positions(s), v = velocities(s);
    s.kinetic = 0.5 * (M + m) * squared(v[0]) + m * L * v[0] * v[1] + 0.5 * m * L * L * squared(v[1]);
    s.potential = -0.5 * m * g * L * squared(q[1]);
    s.forces[1] = -d * m * L * v[1];
    if (mount == 0.0) {
      s.add_input("F", {1.0, 0.0});
      return s;
    }
    constexpr double mass = 0.1, damper = 20.0;
    s.add_coordinate("w");
    const Expr w = positions(s)[2], speed = velocities(s)[2];
    s.kinetic = s.kinetic + 0.5 * mass * squared(speed);
    s.potential = s.potential + 0.5 * mount * squared(w - q[0]);
    s.forces[0] = -damper * (v[0] - speed);
    s.forces[2] = -damper * (speed - v[0]);
    s.add_input("F", {1.0, 0.0, 0.0});
    return s;
  }
  // The cart follows a polynomial from rest to rest in its position, or in its speed.
  ServoProblem follows(bool speed) const {
    const System s = system();
    const Reference gamma = rest_to_rest(s.graph, "s", 0.0, distance, duration);
    return {servo(s, {{"s", speed ? velocities(s)[0] : positions(s)[0], {gamma}}}),
            guess_of(std::vector<double>(s.coordinates.size() + 1, 0.0))};
  }
  double acceleration(double t, bool speed) const {
    std::vector<double> series(3);
    RestToRest(0.0, distance, duration).series(t, Side::right, series);
    return speed ? series[1] : 2.0 * series[2];
  }
  // The convolution by Simpson's rule, order four.
  double angle(double t, bool speed) const {
    const double root = std::sqrt(d * d + 4.0 * L * g), n = (-d + root) / (2.0 * L), p = (-d - root) / (2.0 * L);
    const auto integral = [&](double from, double to, double rate) {
      constexpr int parts = 1000;
      if (to <= from) return 0.0;
      double sum = 0.0;
      for (int i = 0; i <= parts; ++i) {
        const double tau = from + (to - from) * i / parts;
        sum += (i == 0 || i == parts ? 1.0
                : i % 2 == 1         ? 4.0
                                     : 2.0) *
               std::exp(rate * (t - tau)) * acceleration(tau, speed);
      }
      return sum * (to - from) / (3.0 * parts);
    };
    const double inside = std::clamp(t, 0.0, duration);
    return (integral(0.0, inside, p) + integral(inside, duration, n)) / (L * (n - p));
  }
};

double worst_angle(const Cart& cart, bool speed, const BoundedMotion& motion) {
  double worst = 0.0;
  for (std::size_t k = 0; k < motion.jets.size(); k += 20)
    worst = std::max(worst, std::abs(motion.jets[k].x[1][0] - cart.angle(motion.jets[k].t, speed)));
  return worst;
}

BoundedMotion bounded(const Cart& cart, bool speed, StableInversionSettings::Engine engine) {
  const ServoProblem p = cart.follows(speed);
  StableInversionSettings settings{.start = 0.0, .end = cart.duration, .guess = p.guess, .engine = engine};
  for (int k = 0; k <= 300; ++k) settings.times.push_back(cart.duration * k / 300);
  return stable_inversion(p.dae, offsets(signature(p.dae)), settings);
}

TEST(BoundedLinear, BothEnginesGiveTheConvolution) {
  using Engine = StableInversionSettings::Engine;
  for (const double damping : {0.0, 0.8})
    for (const Engine engine : {Engine::collocation, Engine::space_time}) {
      const Cart cart{.d = damping};
      const BoundedMotion motion = bounded(cart, false, engine);
      ASSERT_EQ(motion.status, BoundedMotion::Status::converged) << fault_in_words(motion);
      EXPECT_EQ(motion.space_time, engine == Engine::space_time);
      // Collocation: what actuation leaves out at its ends, 1e-10 of 0.1. Space-time: the same and rounding over h².
      EXPECT_LT(worst_angle(cart, false, motion), engine == Engine::collocation ? 1e-10 : 1e-9) << damping;
      EXPECT_TRUE(motion.from_rest && motion.to_rest);
      EXPECT_LT(motion.jets.front().t, 0.0);
    }
}

// Eigenvalues ±4 of the pendulum beside -100 ± 2234i or -100 ± 7070i of the mount, which the smooth motion of the cart
// does not excite.
TEST(BoundedLinear, FastDirectionsThatAreNotExcitedNeedNoFineMesh) {
  for (const double mount : {5e5, 5e6}) {
    const Cart cart{.mount = mount};
    const BoundedMotion motion = bounded(cart, false, StableInversionSettings::Engine::collocation);
    ASSERT_EQ(motion.status, BoundedMotion::Status::converged) << fault_in_words(motion);
    EXPECT_LT(worst_angle(cart, false, motion), 1e-8) << "until the inputs change by less on a finer mesh";
    EXPECT_LT(motion.jets.size(), 5000u) << "to resolve them would take 70,000 instants and more";
  }
}

TEST(BoundedLinear, AConstantSpeedAtTheEndIsARest) {
  const Cart cart;
  const BoundedMotion motion = bounded(cart, true, StableInversionSettings::Engine::automatic);
  ASSERT_EQ(motion.status, BoundedMotion::Status::converged) << fault_in_words(motion);
  EXPECT_LT(worst_angle(cart, true, motion), 1e-10) << "what actuation leaves out at its ends";
  EXPECT_NEAR(motion.jets.back().x[0][1], cart.distance, 1e-12) << "the last speed";
  EXPECT_NEAR(motion.jets.back().x[2][0], 0.0, 1e-9) << "no force is needed to go on";
  EXPECT_TRUE(warnings(motion, {}).empty());
}

}  // namespace
}  // namespace invar
