// One model, several formulations: whatever the coordinates, the motion is the same.
#include <gtest/gtest.h>

#include <cmath>

#include "invar/model/test_chains.h"
#include "invar/scheme/stepper.h"
#include "invar/system/conserved.h"
#include "invar/system/nodal.h"

namespace invar {
namespace {

using test::Chain;
using test::random_chain;

constexpr JointKind kinds[] = {JointKind::fixed,     JointKind::revolute,  JointKind::prismatic, JointKind::cylindrical,
                               JointKind::spherical, JointKind::universal, JointKind::planar};

void no_inputs(double, std::span<double>) {}

std::vector<double> run(const System& system, const State& start, const char* scheme, double h, int steps,
                        const SchemeOptions& options = {}) {
  Stepper stepper(system, *find_scheme(scheme), {.scheme = options, .newton = {}});
  stepper.start(start, h);
  for (int k = 0; k < steps; ++k) {
    const NewtonResult r = stepper.advance(h, no_inputs);
    if (r.status != NewtonStatus::converged) {
      ADD_FAILURE() << scheme << " step " << k << ": " << stepper.equation(std::max(0, r.worst_equation));
      break;
    }
  }
  return {stepper.q().begin(), stepper.q().end()};
}

double distance(const std::vector<double>& x, const std::vector<double>& y) {
  double largest = 0.0;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

// The discrete null space removes multipliers and nothing else: the same nodes, whatever the step.
TEST(Formulations, ReducedEnergyMomentumIsEnergyMomentum) {
  constexpr double same = 1e-11;  // fifty steps, each solved to about 1e-14
  for (const JointKind kind : kinds)
    for (const bool reversed : {false, true})
      for (const double h : {0.03, 0.003}) {
        const Chain c = random_chain(kind, reversed, true, 5);
        ASSERT_TRUE(c.assembly.system.nodal);
        const auto redundant = run(c.assembly.system, c.start, "energy-momentum", h, 50),
                   reduced = run(c.assembly.system, c.start, "reduced-energy-momentum", h, 50);
        EXPECT_LT(distance(redundant, reduced), same) << static_cast<int>(kind) << reversed << " h " << h;
      }
}

TEST(Formulations, ReducedHasAsManyUnknownsAsFreedoms) {
  for (const JointKind kind : kinds) {
    const Chain c = random_chain(kind, false, true, 5);
    Stepper stepper(c.assembly.system, *find_scheme("reduced-energy-momentum"));
    EXPECT_EQ(stepper.unknown_count(), c.minimal.mapping.coordinates.size()) << static_cast<int>(kind);
  }
}

// Directors, rotation group and joint coordinates, each with an accurate scheme of its own.
TEST(Formulations, DirectorLieAndMinimalGiveOneMotion) {
  constexpr double same = 1e-8;  // what the schemes leave at these steps
  constexpr double until = 0.4;
  for (const JointKind kind : kinds)
    for (const bool reversed : {false, true}) {
      const Chain c = random_chain(kind, reversed, true, 11);
      const auto director = run(c.assembly.system, c.start, "radau5", until / 40, 40);
      const auto lie = run(c.assembly.system, c.start, "lie-rk4", until / 200, 200);
      EXPECT_LT(distance(director, lie), same) << "lie, kind " << static_cast<int>(kind);
      SchemeOptions cayley;
      cayley.map = RotationMap::cayley;
      EXPECT_LT(distance(director, run(c.assembly.system, c.start, "lie-rk4", until / 200, 200, cayley)), same);
      const Reduced reduced = reduce(c.assembly.system, c.minimal.mapping);
      const State start = consistent_start(reduced.system, {0.0, c.minimal.start, c.rates, {}, {}}).state;
      const std::vector<double> mu = run(reduced.system, start, "radau5", until / 40, 40);
      std::vector<double> q(c.assembly.q0.size());
      Exprs symbols;
      for (const Variable& x : c.minimal.mapping.coordinates) symbols.push_back(at(x));
      Scratch scratch;
      Function(symbols, c.minimal.mapping.image)(mu, q, scratch);
      EXPECT_LT(distance(director, q), same) << "minimal, kind " << static_cast<int>(kind);
    }
}

// Nothing from outside: momenta stay to round-off even with friction in the joint, and energy without it.
TEST(Formulations, FreeChainsKeepTheirMomenta) {
  constexpr double kept = 1e-11;
  for (const char* scheme : {"energy-momentum", "reduced-energy-momentum"})
    for (const JointKind kind : kinds)
      for (const double damping : {0.0, 0.7}) {
        const Chain c = random_chain(kind, false, false, 21, damping);
        const System& s = c.assembly.system;
        Exprs kept_quantities;
        for (const Conserved& q : conserved_quantities(s))
          if (q.expected) kept_quantities.push_back(q.expr);
        EXPECT_GE(kept_quantities.size(), 6u);
        StateFunction values(s, kept_quantities);
        Stepper stepper(s, *find_scheme(scheme));
        stepper.start(c.start, 0.02);
        const std::vector<double> first = values({0.0, c.start.q, c.start.v, {}, {}});
        for (int k = 0; k < 50; ++k) ASSERT_EQ(stepper.advance(0.02, no_inputs).status, NewtonStatus::converged);
        const std::vector<double> last =
            values({0.0, {stepper.q().begin(), stepper.q().end()}, {stepper.v().begin(), stepper.v().end()}, {}, {}});
        EXPECT_LT(distance(first, last), kept) << scheme << static_cast<int>(kind) << " damping " << damping;
      }
}

TEST(Formulations, StabilisedNodesSatisfyTheVelocityConstraints) {
  constexpr double rounding = 1e-10;
  const Chain c = random_chain(JointKind::spherical, false, true, 8);
  const System& s = c.assembly.system;
  Exprs rates;
  for (const Constraint& constraint : s.constraints) rates.push_back(ddt(constraint.expr));
  StateFunction values(s, rates);
  for (const char* scheme : {"energy-momentum", "midpoint", "generalized-alpha", "implicit-euler", "bdf2"}) {
    double worst[2] = {0.0, 0.0};
    for (const bool stabilise : {false, true}) {
      SchemeOptions options;
      options.stabilise = stabilise;
      Stepper stepper(s, *find_scheme(scheme), {.scheme = options, .newton = {}});
      stepper.start(c.start, 0.01);
      for (int k = 0; k < 30; ++k)
        ASSERT_EQ(stepper.advance(0.01, no_inputs).status, NewtonStatus::converged) << scheme;
      for (double r :
           values({0.0, {stepper.q().begin(), stepper.q().end()}, {stepper.v().begin(), stepper.v().end()}, {}, {}}))
        worst[stabilise] = std::max(worst[stabilise], std::abs(r));
    }
    EXPECT_LT(worst[1], rounding) << scheme;
    EXPECT_GT(worst[0], 1e3 * worst[1]) << scheme << " drifts without it";
  }
}

// The unprojected step leaves the constraints, the projected one does not; both stay on the rotation group.
TEST(Formulations, ProjectionHoldsLieStepsOnTheConstraints) {
  const Chain c = random_chain(JointKind::revolute, false, true, 8);
  const System& s = c.assembly.system;
  Exprs rigid, joints;
  for (const Constraint& constraint : s.constraints)
    (constraint.name.find(".length") != std::string::npos || constraint.name.find(".right") != std::string::npos
         ? rigid
         : joints)
        .push_back(constraint.expr);
  StateFunction rigid_values(s, rigid), joint_values(s, joints);
  auto largest = [](const std::vector<double>& x) {
    double most = 0.0;
    for (double value : x) most = std::max(most, std::abs(value));
    return most;
  };
  double drift[2];
  for (const bool project : {false, true}) {
    SchemeOptions options;
    options.project = project;
    const State end{0.0, run(s, c.start, "lie-rk4", 0.02, 100, options), {}, {}, {}};
    EXPECT_LT(largest(rigid_values(end)), 1e-13);
    drift[project] = largest(joint_values(end));
  }
  EXPECT_LT(drift[1], 1e-12);
  EXPECT_GT(drift[0], 1e-9);
}

}  // namespace
}  // namespace invar
