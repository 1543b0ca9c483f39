// Long chains in joint coordinates: steps whose equations are taken to parts give the motion of the whole equations.
#include <gtest/gtest.h>

#include <cmath>

#include "invar/model/joints/joint_kinds.h"
#include "invar/model/mechanism/assemble.h"
#include "invar/model/mechanism/minimal.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/system/joint_tree.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

Mechanism long_chain(int links) {
  Mechanism m;
  m.gravity = {0.0, 0.0, -9.81};
  for (int k = 0; k < links; ++k) {
    Body body;
    body.name = "link" + std::to_string(k);
    body.mass = 1.0;
    body.inertia = Vector3(0.02, 0.1, 0.11).asDiagonal();
    body.position = {k + 0.5, 0.0, 0.0};
    m.bodies.push_back(body);
    Joint hinge;
    hinge.name = "hinge" + std::to_string(k);
    hinge.kind = &revolute_joint;
    hinge.a = k == 0 ? ground : k - 1;
    hinge.b = k;
    hinge.at = {static_cast<double>(k), 0.0, 0.0};
    hinge.axis = k % 2 == 0 ? Vector3::UnitY() : Vector3::UnitZ();
    m.joints.push_back(hinge);
  }
  return m;
}

struct Moved {
  std::vector<double> q;
  std::size_t unknowns = 0;
};

Moved moved(const System& system, const State& start, const char* scheme) {
  constexpr double h = 1e-3;
  Stepper stepper(system, *find_scheme(scheme), {.scheme = {}, .newton = {.keep_factors = true}});
  stepper.start(start, h);
  for (int k = 0; k < 4; ++k)
    EXPECT_EQ(stepper.advance(h, [](double, std::span<double>) {}).status, NewtonStatus::converged) << scheme;
  return {{stepper.q().begin(), stepper.q().end()}, stepper.unknown_count()};
}

TEST(LongChains, PartsOfEquationsGiveTheSameSteps) {
  constexpr double same = 1e-11;  // of angles about one hundredth, from matrices of condition 1e8
  const Mechanism m = long_chain(140);
  const Assembly assembly = assemble(m, Friction::on_angles);
  const MinimalForm minimal = minimal_form(m, assembly);
  const System system = reduce(assembly.system, minimal.mapping).system;
  ASSERT_TRUE(system.tree && system.tree->is_large());
  std::vector<double> rates(system.coordinates.size());
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = std::sin(static_cast<double>(i));
  const State start = consistent_start(system, {0.0, minimal.start, rates, {}, {}}).state;
  System whole = system;
  whole.tree.reset();
  const Moved in_parts = moved(system, start, "midpoint"), at_once = moved(whole, start, "midpoint");
  EXPECT_GT(in_parts.unknowns, at_once.unknowns);
  for (std::size_t i = 0; i < rates.size(); ++i) EXPECT_NEAR(in_parts.q[i], at_once.q[i], same) << i;
}

}  // namespace
}  // namespace invar
