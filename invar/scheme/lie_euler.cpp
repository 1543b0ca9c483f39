// Explicit Euler steps on the rotation group, index-1 equations: ν₁ = ν₀ + h ν₀', q₁ = q₀ ∘ map(h ν₀).
#include "invar/scheme/lie.h"
#include "invar/scheme/table.h"

namespace invar {

namespace {

Residual residual(const Equations& e, Interval& step, const SchemeOptions& options) {
  const LieBodies bodies(e);
  const Node& n0 = step.n0;
  const Exprs nu = bodies.speeds_of(n0.q, n0.v);
  Residual r;
  const LieStage start = add_stage("start", bodies, e, step, r, n0.t, n0.q, nu, step.input(0.0), Exprs(nu.size(), 0.0));
  Exprs nu1 = nu;
  for (std::size_t i = 0; i < nu.size(); ++i) nu1[i] += step.h * start.a[i];
  finish_step(bodies, e, step, r, bodies.moved(n0.q, scaled(step.h, nu), options.map), nu1, start.lambda, options);
  return r;
}

}  // namespace

const Scheme lie_euler = {{.name = "lie-euler",
                           .title = "Euler steps on the rotation group",
                           .source = "Zenzerović 2012",
                           .order = 1,
                           .velocity_at_nodes = true,
                           .needs_mass = true,
                           .own_unknowns = true,
                           .on_rotations = true},
                          carries_nothing,
                          residual};

}  // namespace invar
