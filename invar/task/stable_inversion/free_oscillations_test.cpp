// Oscillations beside unstable directions: they begin at rest, whatever the time between the ends.
#include "invar/task/stable_inversion/free_oscillations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "invar/read/read_problem.h"
#include "invar/task/inverse_structure/invert_settings.h"
#include "invar/task/invert/invert.h"

namespace invar {
namespace {

// A cart that carries a pendulum upside down (linear) and two masses on springs of equal frequency ω, damped or not:
// z_i'' + 2 d z_i' + ω² z_i = -s''. The cart moves by 1 m between 0.5 and 1.5 s.
std::string cart_with_masses(double frequency, double damping) {
  const double m = 0.4, k = m * frequency * frequency, c = 2.0 * m * damping;
  return fmt::format(R"TOML(
name = "cart"
[system]
coordinates = ["s", "phi", "y", "z"]
kinetic = "1.25*s'^2 + 0.3*s'*phi' + 0.09*phi'^2 + {0}/2*(s' + y')^2 + {0}/2*(s' + z')^2"
potential = "-1.4715*phi^2 + {1}/2*(y^2 + z^2)"
force = {{ y = "-{2}*y'", z = "-{2}*z'" }}
[[system.input]]
name = "F"
force = {{ s = "1" }}
[[system.output]]
name = "cart"
expr = "s"
[[trajectory]]
outputs = "cart"
from = 0
to = 1
start = 0.5
duration = 1.0
profile = "poly9"
[initial]
s = 0
phi = 0
y = 0
z = 0
[invert]
method = "space-time"
step = 0.005
verify = false
)TOML",
                     m, k, c);
}

double acceleration(double t) {
  const double x = t - 0.5;
  if (x <= 0.0 || x >= 1.0) return 0.0;
  return x * x * x * (2520.0 + x * (-12600.0 + x * (22680.0 + x * (-17640.0 + x * 5040.0))));
}

// z at multiples of 5 ms, by the classical Runge-Kutta method in steps of 0.5 ms from rest at t = 0.
std::map<int, double> response_from_rest(double frequency, double damping, double until) {
  constexpr double h = 0.0005;
  std::map<int, double> all;
  Eigen::Vector2d x(0.0, 0.0);
  const auto rate = [&](double t, const Eigen::Vector2d& at) {
    return Eigen::Vector2d(at[1], -2.0 * damping * at[1] - frequency * frequency * at[0] - acceleration(t));
  };
  for (int n = 0; n * h <= until; ++n) {
    if (n % 10 == 0) all[n / 10] = x[0];
    const double t = n * h;
    const Eigen::Vector2d a = rate(t, x), b = rate(t + h / 2, x + h / 2 * a), c = rate(t + h / 2, x + h / 2 * b),
                          d = rate(t + h, x + h * c);
    x += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return all;
}

TEST(FreeOscillations, BeginAtRest) {
  for (const double damping : {0.0, 0.3})
    for (const double until : {2.0, 2.4, 2.8}) {  // half a period of 7.85 1/s is 0.4 s
      constexpr double frequency = 2.5 * M_PI;
      Problem p = read_problem_text(cart_with_masses(frequency, damping), "cart.toml");
      p.settings.of<InvertSettings>().until = until;
      const Inversion run = invert(p);
      ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
      double largest = 0.0, error = 0.0;
      const std::map<int, double> wanted = response_from_rest(frequency, damping, until);
      for (std::size_t k = 0; k < run.trajectory.rows(); ++k) {
        const double t = run.trajectory.value(k, "t");
        const auto found = wanted.find(static_cast<int>(std::lround(t / 0.005)));
        if (t < -1e-9 || found == wanted.end()) continue;
        largest = std::max(largest, std::abs(found->second));
        for (const char* name : {"y", "z"})
          error = std::max(error, std::abs(run.trajectory.value(k, name) - found->second));
      }
      // What extrapolation leaves of steps of 5 ms where the fifth derivative jumps.
      EXPECT_LT(error, 1e-6 * largest) << "damping " << damping << ", until " << until;
    }
}

TEST(FreeOscillations, AreThoseWithoutAGrowingPartner) {
  ZeroDynamics zero;
  using namespace std::complex_literals;
  zero.eigenvalues = {5.0,        -5.0,        7.0i,        -7.0i,       2.0 + 9.0i,
                      2.0 - 9.0i, -2.0 + 9.0i, -2.0 - 9.0i, -1.0 + 3.0i, -1.0 - 3.0i};
  zero.tolerance.assign(zero.eigenvalues.size(), 1e-6);
  const std::vector<std::complex<double>> found = free_oscillations(zero, 10.0);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], -1.0 + 3.0i);
  EXPECT_EQ(found[1], 7.0i);
  EXPECT_EQ(free_oscillations(zero, 1.0).size(), 4u) << "what grows e²-fold is no partner to be bound at the end";
}

}  // namespace
}  // namespace invar
