// A variational scheme of RATTLE type on the rotation group: with the momentum M ν in body axes and the step q₁ = q₀ ∘
// map(h ξ),
//
//   dmap⁻ᵀ_{hξ} M ξ  = M ν₀ + h/2 (f₀ - Gᵀ₀ λ₀),    Φ(q₁) = 0
//   M ν₁ = dmap⁻ᵀ_{-hξ} M ξ + h/2 (f₁ - Gᵀ₁ λ₁),    Φ'(q₁, ν₁) = 0
//
// It is what the trapezoidal discrete Lagrangian gives, so the motion is symplectic, and momenta of symmetries stay
// exactly
// [N. Bou-Rabee, J. Marsden, Found. Comput. Math. 9 (2009) 197].
#include "invar/base/error.h"
#include "invar/scheme/lie.h"
#include "invar/scheme/table.h"

namespace invar {

namespace {

Residual residual(const Equations& e, Interval& step, const SchemeOptions& options) {
  for (const Level level : e.level)
    if (level != Level::position)
      throw InputError("lie-variational: constraints must stand at position level; try lie-rk4");
  if (depends(e.kinetic, e.q))
    throw InputError("lie-variational: the kinetic energy must not depend on coordinates; try variational-midpoint");
  const LieBodies bodies(e);
  const Node& n0 = step.n0;
  Node& n1 = step.n1;
  const Expr h = step.h;
  Residual r;
  const Exprs nu0 = bodies.speeds_of(n0.q, n0.v);
  const Exprs xi = step.unknowns(Kind::velocity, nu0), by = displacement(step, r, xi),
              nu1 = step.unknowns(Kind::velocity, nu0);
  const Exprs lambda0 = step.unknowns(Kind::multiplier, bodies.of_joints(n0.lambda)),
              lambda1 = step.unknowns(Kind::multiplier, bodies.of_joints(n0.lambda));
  n1.q = bodies.moved(n0.q, by, options.map);
  n1.v = bodies.rates(n1.q, nu1);
  n1.lambda = bodies.all_multipliers(lambda1);

  auto momentum = [&](const Expr& t, const Exprs& q, const Exprs& nu) {
    return bodies.along(q, at(e, e.momentum, bodies.at_point(t, q, nu, {}, {}, {})));
  };
  // Everything in the equations of motion but inertia, on the left-hand side.
  auto load = [&](const Expr& t, const Exprs& q, const Exprs& nu, const Exprs& lambda, const Exprs& u) {
    Exprs f = gradient(e.potential, e.q);
    for (std::size_t i = 0; i < f.size(); ++i) f[i] += e.reaction[i] - e.applied[i];
    return bodies.along(q, at(e, f, bodies.at_point(t, q, nu, {}, lambda, u)));
  };
  const Exprs p = momentum(n0.t, n0.q, xi);
  const Exprs left = bodies.momentum_seen(by, p, options.map, 1.0),
              right = bodies.momentum_seen(by, p, options.map, -1.0);
  const Exprs p0 = momentum(n0.t, n0.q, nu0), p1 = momentum(n1.t, n1.q, nu1);
  const Exprs load0 = load(n0.t, n0.q, nu0, lambda0, step.input(0.0)),
              load1 = load(n1.t, n1.q, nu1, lambda1, step.input(1.0));
  for (std::size_t i = 0; i < p.size(); ++i)
    r.add("first half of motion " + std::to_string(i + 1), left[i] - p0[i] + 0.5 * h * load0[i]);
  for (std::size_t i = 0; i < p.size(); ++i)
    r.add("second half of motion " + std::to_string(i + 1), p1[i] - right[i] + 0.5 * h * load1[i]);
  const Point end = bodies.at_point(n1.t, n1.q, nu1, {}, lambda1, {});
  for (std::size_t j : bodies.joints()) {
    r.add("position of \"" + step.constraints[j] + "\"", at(e, {&e.constraint[j], 1}, end).front());
    r.add("velocity of \"" + step.constraints[j] + "\"", at(e, {&e.constraint_rate[j], 1}, end).front());
  }
  return r;
}

}  // namespace

const Scheme lie_variational = {{.name = "lie-variational",
                                 .title = "variational scheme of RATTLE type on the rotation group",
                                 .source = "Bou-Rabee, Marsden 2009",
                                 .order = 2,
                                 .momentum = true,
                                 .symmetric = true,
                                 .velocity_at_nodes = true,
                                 .constant_mass = true,
                                 .own_unknowns = true,
                                 .on_rotations = true},
                                carries_nothing,
                                residual};

}  // namespace invar
