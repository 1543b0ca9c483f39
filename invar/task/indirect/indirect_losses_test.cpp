// The indirect method with friction and limits of the inputs: closed forms of a mass on a line, and what it keeps on
// every mesh.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/task/indirect/indirect.h"

namespace invar {
namespace {

constexpr double constant_to = 1e-11;  // the control Hamiltonian, relative: round-off of Newton's method
constexpr double second_order = 0.1;   // the next power of the step is still felt

System mass_on_a_line(double friction) {
  System s;
  s.add_coordinate("x");
  s.kinetic = 0.5 * velocities(s)[0] * velocities(s)[0];
  s.forces[0] = -friction * velocities(s)[0];
  s.add_input("u", {1.0});
  return s;
}

Extremal kept_extremal(const IndirectTask& task) {
  Extremal found = find_extremal(task);
  EXPECT_EQ(found.status, SolverStatus::solved) << found.reason;
  const auto [least, most] = std::minmax_element(found.hamiltonian.begin(), found.hamiltonian.end());
  EXPECT_LE(*most - *least, constant_to * (1.0 + std::abs(*most)));
  for (const double balance : found.energy_balance) EXPECT_LE(std::abs(balance), constant_to);
  return found;
}

// What the extremals on two meshes say about the cost and the control Hamiltonian of the exact one.
void expect_limits(IndirectTask task, double cost, double hamiltonian, double tolerance) {
  const Extremal coarse = kept_extremal(task);
  task.intervals *= 2;
  const Extremal fine = kept_extremal(task);
  EXPECT_NEAR(std::log2((coarse.cost - cost) / (fine.cost - cost)), 2.0, second_order);
  EXPECT_NEAR(fine.cost + (fine.cost - coarse.cost) / 3.0, cost, tolerance * cost);
  const double h0 = coarse.hamiltonian.front(), h1 = fine.hamiltonian.front();
  EXPECT_NEAR(h1 + (h1 - h0) / 3.0, hamiltonian, tolerance * hamiltonian);
}

// ½ zᵀW⁻¹z with the Gramian W of x'' = -k x' + u, for one unit of way from rest to rest in the time T.
double least_effort_with_friction(double k, double T) {
  const double e1 = (1.0 - std::exp(-k * T)) / k, e2 = (1.0 - std::exp(-2.0 * k * T)) / (2.0 * k);
  const double w11 = (T - 2.0 * e1 + e2) / (k * k), w12 = (e1 - e2) / k, w22 = e2;
  return 0.5 * w22 / (w11 * w22 - w12 * w12);
}

TEST(IndirectLosses, FrictionLeavesTheControlHamiltonianAsItIs) {
  constexpr double k = 1.5, T = 2.0, dT = 1e-4, next_power = 1e-5;
  const System s = mass_on_a_line(k);
  // Hc = -dJ/dT
  const double rate = (least_effort_with_friction(k, T + dT) - least_effort_with_friction(k, T - dT)) / (2.0 * dT);
  for (const IndirectScheme scheme : {IndirectScheme::energy_momentum, IndirectScheme::midpoint}) {
    IndirectTask task{.system = s, .q0 = {0.0}, .v0 = {0.0}, .q1 = {1.0}, .v1 = {0.0}, .horizon = T, .intervals = 40};
    task.scheme = scheme;
    expect_limits(task, least_effort_with_friction(k, T), -rate, next_power);
  }
}

// u = ±U for a while s at both ends, and a straight line between: x = U (Ts - s² + (T-2s)²/6), J = U² (s + (T-2s)/6).
TEST(IndirectLosses, LimitsOfAnInputLeaveTheControlHamiltonianAsItIs) {
  constexpr double U = 2.0, T = 2.0, s = 0.3, switching = 2e-3;  // the nodes do not meet the instants of switching
  const double way = U * (T * s - s * s + (T - 2.0 * s) * (T - 2.0 * s) / 6.0);
  const double cost = U * U * (s + (T - 2.0 * s) / 6.0), slope = U * T / (T - 2.0 * s);
  const System system = mass_on_a_line(0.0);
  IndirectTask task{.system = system, .q0 = {0.0}, .v0 = {0.0}, .q1 = {way}, .v1 = {0.0}, .horizon = T};
  task.ranges = {{-U, U}};
  for (const std::size_t intervals : {33, 66, 131}) {
    task.intervals = intervals;
    const Extremal found = kept_extremal(task);
    EXPECT_NEAR(found.cost, cost, switching * cost);
    EXPECT_NEAR(found.hamiltonian.front(), U * slope - 0.5 * U * U, 2.0 * switching * U * slope);
    for (const std::vector<double>& u : found.u) EXPECT_LE(std::abs(u[0]), U);
  }
}

TEST(IndirectLosses, LimitsThatAreNotMetChangeNothing) {
  const System system = mass_on_a_line(0.7);
  IndirectTask task{.system = system, .q0 = {0.0}, .v0 = {0.0}, .q1 = {1.0}, .v1 = {0.0}, .horizon = 2.0};
  const Extremal free = kept_extremal(task);
  task.ranges = {{-50.0, std::numeric_limits<double>::infinity()}};
  const Extremal limited = kept_extremal(task);
  for (std::size_t k = 0; k < task.intervals; ++k) EXPECT_NEAR(limited.u[k][0], free.u[k][0], constant_to);
}

}  // namespace
}  // namespace invar
