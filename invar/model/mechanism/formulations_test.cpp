// One model, several formulations: whatever the coordinates, the motion is the same.
#include <gtest/gtest.h>

#include <cmath>

#include "invar/math/svd.h"
#include "invar/model/mechanism/assemble.h"
#include "invar/model/mechanism/test_chains.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/system/conserved.h"
#include "invar/system/nodal.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

using test::Chain;
using test::random_chain;

// All kinds of which chains in reduced coordinates can consist.
std::vector<const JointKind*> chain_kinds() {
  std::vector<const JointKind*> list;
  for (const JointKind* kind : joint_kinds)
    if (kind->in_reduced_chains) list.push_back(kind);
  return list;
}

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
  for (const JointKind* kind : chain_kinds())
    for (const bool reversed : {false, true})
      for (const double h : {0.03, 0.003}) {
        const Chain c = random_chain(*kind, reversed, true, 5);
        ASSERT_TRUE(c.assembly.system.nodal);
        const auto redundant = run(c.assembly.system, c.start, "energy-momentum", h, 50),
                   reduced = run(c.assembly.system, c.start, "reduced-energy-momentum", h, 50);
        EXPECT_LT(distance(redundant, reduced), same) << kind->name << reversed << " h " << h;
      }
}

TEST(Formulations, ReducedHasAsManyUnknownsAsFreedoms) {
  for (const JointKind* kind : chain_kinds()) {
    const Chain c = random_chain(*kind, false, true, 5);
    Stepper stepper(c.assembly.system, *find_scheme("reduced-energy-momentum"));
    const Mapping& joints = c.minimal.mapping;
    EXPECT_EQ(stepper.unknown_count(), joints.coordinates.size() - joints.conditions.size()) << kind->name;
  }
}

// Condition of the Jacobian of the first step, rows and columns as the scheme writes them.
double condition(const Chain& c, const char* scheme, double h) {
  const Stepper stepper(c.assembly.system, *find_scheme(scheme));
  const Function& f = stepper.residual_function();
  const std::size_t n = stepper.unknown_count();
  std::vector<double> in(f.input_count(), 0.0), out(f.output_count());
  std::fill_n(in.begin(), n, 1.0);
  if (std::string(scheme) == "energy-momentum") std::copy(c.start.q.begin(), c.start.q.end(), in.begin());
  in[n + 1] = h;
  auto next = std::copy(c.start.q.begin(), c.start.q.end(), in.begin() + static_cast<std::ptrdiff_t>(n + 2));
  std::copy(c.start.v.begin(), c.start.v.end(), next);
  Scratch scratch;
  f(in, out, scratch);
  Matrix a = Matrix::Zero(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  const Pattern& p = stepper.pattern();
  for (std::size_t j = 0; j < n; ++j)
    for (int k = p.start[j]; k < p.start[j + 1]; ++k)
      a(p.row[static_cast<std::size_t>(k)], static_cast<Eigen::Index>(j)) = out[n + static_cast<std::size_t>(k)];
  const Vector s = svd(a).values;
  return s.maxCoeff() / s.minCoeff();
}

TEST(Formulations, ReducedConditionDoesNotGrowAsStepsShrink) {
  const Chain c = random_chain(spherical_joint, false, true, 5);
  const double coarse = condition(c, "reduced-energy-momentum", 1e-2);
  EXPECT_NEAR(condition(c, "reduced-energy-momentum", 1e-6) / coarse, 1.0, 0.05);
  EXPECT_LT(coarse, 100.0);
  // The scheme with multipliers pays one or more powers of h.
  EXPECT_GT(condition(c, "energy-momentum", 1e-6), 1e3 * condition(c, "energy-momentum", 1e-2));
}

// Directors, rotation group and joint coordinates, each with an accurate scheme of its own.
TEST(Formulations, DirectorLieAndMinimalGiveOneMotion) {
  constexpr double same = 1e-8;  // what the schemes leave at these steps
  constexpr double until = 0.4;
  for (const JointKind* kind : chain_kinds())
    for (const bool reversed : {false, true}) {
      const Chain c = random_chain(*kind, reversed, true, 11);
      const auto director = run(c.assembly.system, c.start, "radau5", until / 40, 40);
      const auto lie = run(c.assembly.system, c.start, "lie-rk4", until / 200, 200);
      EXPECT_LT(distance(director, lie), same) << "lie, kind " << kind->name;
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
      EXPECT_LT(distance(director, q), same) << "minimal, kind " << kind->name;
    }
}

// Nothing from outside: momenta stay to round-off even with friction in the joint, and energy without it.
TEST(Formulations, FreeChainsKeepTheirMomenta) {
  constexpr double kept = 1e-11;
  for (const char* scheme : {"energy-momentum", "reduced-energy-momentum"})
    for (const JointKind* kind : chain_kinds())
      for (const double damping : {0.0, 0.7}) {
        const Chain c = random_chain(*kind, false, false, 21, damping);
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
        EXPECT_LT(distance(first, last), kept) << scheme << kind->name << " damping " << damping;
      }
}

// One body in quaternions, free or on a ball joint: what it must keep is kept, and the limit is that of the other
// schemes. A first orientation by half a turn is the one at which quaternions from rotation matrices would fail.
TEST(Formulations, QuaternionsKeepEnergyAndMomentum) {
  constexpr double kept = 1e-10;  // joules, while T and V change by hundreds
  constexpr double half_turn = 3.141592653589793;
  for (const bool fixed : {false, true})
    for (const double angle : {0.8, half_turn}) {
      Mechanism m;
      m.gravity = {0.0, 0.0, -9.81};
      Body b;
      b.name = "body";
      b.mass = 2.0;
      const Matrix3 r = Eigen::AngleAxisd(0.7, Vector3(1.0, 2.0, -1.0).normalized()).toRotationMatrix();
      b.inertia = r * Vector3(0.3, 0.4, 0.5).asDiagonal() * r.transpose();
      b.position = {0.3, -0.2, 0.5};
      b.rotation = Eigen::AngleAxisd(angle, Vector3(0.5, 0.3, 1.0).normalized()).toRotationMatrix();
      b.angular_velocity = {2.0, -1.0, 3.0};
      const Vector3 pivot(0.0, 0.0, 0.2);  // on the vertical through the origin, about which the momentum is taken
      b.velocity = fixed ? Vector3(b.angular_velocity.cross(b.position - pivot)) : Vector3(0.4, 0.1, 1.0);
      m.bodies = {b};
      if (fixed) {
        Joint joint;
        joint.name = "ball";
        joint.kind = &spherical_joint;
        joint.b = 0;
        joint.at = pivot;
        m.joints = {joint};
      }
      const Assembly a = assemble(m);
      const State start = consistent_start(a.system, {0.0, a.q0, a.v0, {}, {}}).state;
      Exprs quantities;
      for (const Conserved& q : conserved_quantities(a.system))
        if (q.expected) quantities.push_back(q.expr);
      EXPECT_GE(quantities.size(), fixed ? 2u : 3u);
      StateFunction values(a.system, quantities);
      Stepper stepper(a.system, *find_scheme("quaternion-energy-momentum"));
      stepper.start(start, 0.02);
      for (int k = 0; k < 100; ++k) ASSERT_EQ(stepper.advance(0.02, no_inputs).status, NewtonStatus::converged);
      const State end{0.0, {stepper.q().begin(), stepper.q().end()}, {stepper.v().begin(), stepper.v().end()}, {}, {}};
      EXPECT_LT(distance(values({0.0, start.q, start.v, {}, {}}), values(end)), kept) << fixed << angle;
      const auto exact = run(a.system, start, "radau5", 0.005, 100);
      const double coarse = distance(exact, run(a.system, start, "quaternion-energy-momentum", 0.005, 100)),
                   fine = distance(exact, run(a.system, start, "quaternion-energy-momentum", 0.0025, 200));
      EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1) << fixed << angle;
    }
}

TEST(Formulations, StabilisedNodesSatisfyTheVelocityConstraints) {
  constexpr double rounding = 1e-10;
  const Chain c = random_chain(spherical_joint, false, true, 8);
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
  const Chain c = random_chain(revolute_joint, false, true, 8);
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
