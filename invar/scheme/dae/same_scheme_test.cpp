// A scheme that is a difference rule is one thing, whether it steps through a System or through the Dae made of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "invar/scheme/dae/dae_integration.h"
#include "invar/scheme/dae/test_dae_schemes.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/scheme/test_systems.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

using test::TestSystem;

// The equations of radau5 for a system with position constraints, as a Dae of first order in q, v, λ, μ:
// q' = v - Gᵀμ, dynamics, Φ = 0, Φ' = 0.
Dae stabilised(const System& system) {
  const Equations e = equations(system);
  Dae dae{system.graph, {}, {}, {}, system.parameters};
  const Graph& g = system.graph;
  Exprs v, rate, mu;
  std::vector<Variable> speeds;
  for (const Variable& x : system.coordinates) {
    dae.unknowns.push_back({x.name(), x, UnknownKind::multiplier});
    speeds.push_back(g.variable("v_" + x.name()));
    v.push_back(at(speeds.back()));
    rate.push_back(at(speeds.back(), 1));
  }
  for (const Variable& x : speeds) dae.unknowns.push_back({x.name(), x, UnknownKind::multiplier});
  for (const Constraint& c : system.constraints)
    dae.unknowns.push_back({"lambda." + c.name, c.multiplier, UnknownKind::multiplier});
  for (const Constraint& c : system.constraints) {
    const Variable x = g.variable("mu." + c.name);
    dae.unknowns.push_back({x.name(), x, UnknownKind::multiplier});
    mu.push_back(at(x));
  }
  const Exprs along = at(e, e.reaction, {e.t, e.q, v, rate, mu, {}});
  for (std::size_t i = 0; i < e.q.size(); ++i)
    dae.equations.push_back({"kinematics", e.v[i] - v[i] + along[i], EquationKind::dynamics});
  const Point point = {e.t, e.q, v, rate, e.lambda, {}};
  for (const Expr& f : at(e, e.dynamics, point)) dae.equations.push_back({"dynamics", f, EquationKind::dynamics});
  for (const Expr& f : e.constraint) dae.equations.push_back({"constraint", f, EquationKind::constraint});
  for (const Expr& f : at(e, e.constraint_rate, point)) dae.equations.push_back({"rate", f, EquationKind::constraint});
  return dae;
}

Jet start_of(const State& state, bool first_order) {
  Jet jet;
  jet.t = state.t;
  const std::size_t n = state.q.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (first_order)
      jet.x.push_back({state.q[i], state.v[i]});
    else
      jet.x.push_back({state.q[i], state.v[i], state.a[i]});
  }
  if (first_order)
    for (std::size_t i = 0; i < n; ++i) jet.x.push_back({state.v[i], state.a[i]});
  for (const double x : state.lambda) jet.x.push_back({x});
  if (first_order) jet.x.resize(jet.x.size() + state.lambda.size(), {0.0});
  return jet;
}

// Both solve the same equations, with unknowns in another order, to round-off in every step.
constexpr double same = 1e-12;
constexpr int steps = 20;

void compare(const TestSystem& t, const Scheme& scheme) {
  const State start = consistent_start(t.system, {.t = 0.0, .q = t.q0, .v = t.v0, .a = {}, .lambda = {}}).state;
  Stepper stepper(t.system, scheme);
  stepper.start(start, t.step);
  const bool holonomic =
      std::ranges::any_of(t.system.constraints, [](const Constraint& c) { return c.level == Level::position; });
  const bool first_order = scheme.info.velocity_at_nodes && holonomic;
  const Dae dae = first_order ? stabilised(t.system) : servo(t.system, {});
  const DaeMotion motion = integrate(dae, scheme, 0.0, steps * t.step, t.step, start_of(start, first_order));
  ASSERT_TRUE(motion.complete) << motion.fault;
  ASSERT_EQ(motion.t.size(), steps + 1U);
  for (Eigen::Index k = 1; k <= steps; ++k) {
    const double h = motion.t[static_cast<std::size_t>(k)] - motion.t[static_cast<std::size_t>(k - 1)];
    ASSERT_EQ(stepper.advance(h, [](double, std::span<double>) {}).status, NewtonStatus::converged);
    const auto n = static_cast<Eigen::Index>(start.q.size());
    for (Eigen::Index i = 0; i < n; ++i) {
      const double v = first_order ? motion.value(k, n + i) : motion.rate(k, i);
      EXPECT_NEAR(motion.value(k, i), stepper.q()[static_cast<std::size_t>(i)], same) << "position, step " << k;
      EXPECT_NEAR(v, stepper.v()[static_cast<std::size_t>(i)], same / t.step) << "velocity, step " << k;
    }
  }
}

TEST(DifferenceRules, GiveTheSameMotionForASystemAndForItsDae) {
  for (const std::string_view name : test::dae_schemes())
    for (const TestSystem& t : test::all_systems()) {
      SCOPED_TRACE(std::string(name) + " on " + t.name);
      compare(t, test::scheme(name));
    }
}

}  // namespace
}  // namespace invar
