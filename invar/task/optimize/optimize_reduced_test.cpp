// An underactuated crane with and without multipliers: the discrete null space leaves the optimum as it is
// [R. Siebert, Mechanical integrators for the optimal control in multibody dynamics, 2012, section 7.2].
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "invar/system/nodal.h"
#include "invar/task/optimize/optimize.h"

namespace invar {
namespace {

// Trolley s, winch angle β, load x, z (downwards) on a cable of length rβ.
Problem crane(const std::string& scheme) {
  constexpr double r = 0.1;
  Problem p;
  p.name = "crane";
  System& c = p.system;
  for (const char* name : {"s", "beta", "x", "z"}) c.add_coordinate(name);
  const Exprs q = positions(c), v = velocities(c);
  const Expr s = q[0], beta = q[1], across = q[2] - q[0], z = q[3];
  c.kinetic = 5.0 * v[0] * v[0] + 0.05 * v[1] * v[1] + 50.0 * (v[2] * v[2] + v[3] * v[3]);
  c.potential = -981.0 * z;
  c.add_constraint("cable", across * across + z * z - r * r * beta * beta);
  c.add_input("F", {1.0, 0.0, 0.0, 0.0});
  c.add_input("M", {0.0, 1.0, 0.0, 0.0});
  // Freedoms: trolley, winch, swing.
  auto map = std::make_shared<NodalMap>();
  for (const char* name : {"trolley", "winch", "swing"}) map->increments.push_back(c.graph.parameter(name));
  const Expr stretch = 1.0 + map->increments[1] / beta, turn = map->increments[2], s1 = s + map->increments[0];
  map->image = {s1, beta + map->increments[1], s1 + stretch * (across * cos(turn) + z * sin(turn)),
                stretch * (z * cos(turn) - across * sin(turn))};
  const Expr radial = r * r * beta / (across * across + z * z);
  map->null_space = {{1.0, 0.0, 1.0, 0.0}, {0.0, 1.0, radial * across, radial * z}, {0.0, 0.0, z, -across}};
  c.nodal = map;
  p.q0 = {0.0, 40.0, 0.0, 4.0};
  p.v0 = {0.0, 0.0, 0.0, 0.0};
  OptimizeSettings& o = p.settings.of<OptimizeSettings>();
  o.horizon = o.shortest = o.longest = 3.0;
  o.intervals = 40;
  o.scheme = scheme;
  const double end[] = {5.0, 10.0, 5.0, 1.0};
  for (std::size_t i = 0; i < 4; ++i) {
    o.final.push_back({c.coordinates[i].name(), q[i], end[i], end[i]});
    o.final.push_back({c.coordinates[i].name() + "'", v[i], 0.0, 0.0});
  }
  o.bounds = {{"beta", beta, 5.0, 1e3}};
  return p;
}

TEST(OptimizeReduced, CraneHasTheSameCostWithAndWithoutMultipliers) {
  constexpr double independent = 83387.27047381944, same = 1e-9;  // relative
  double cost[2] = {};
  for (const bool reduced : {false, true}) {
    const Optimum found = optimize(crane(reduced ? "reduced-energy-momentum" : "energy-momentum"));
    ASSERT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
    EXPECT_TRUE(found.summary.warnings.empty());
    cost[reduced] = found.summary.part<OptimizationSummary>()->cost;
    EXPECT_NEAR(cost[reduced], independent, same * independent);
    EXPECT_LE(found.summary.part<OptimizationSummary>()->energy_balance_relative, same);
  }
  EXPECT_NEAR(cost[0], cost[1], same * independent);
}

}  // namespace
}  // namespace invar
