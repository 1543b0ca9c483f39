// Energy-momentum scheme for any T = ½ vᵀM(q)v, V(q), Φ(q) by discrete gradients D (see expr/discrete.h):
//
//   q1 - q0 = h v_m
//   M(q1) v1 - M(q0) v0 = h [ D_q(½ v0ᵀM(q)v1) - DV + f(m) + Bᵀ(q_m) u - DΦᵀ λ ]
//   Φ(t1,q1) = 0
//
// Since T1 - T0 = v_m·(p1 - p0) - ½ v0ᵀ(M(q1) - M(q0))v1, multiplying the second row with q1 - q0 = h v_m leaves
// T1 + V1 = T0 + V0 exactly, for every h. With constant M and quadratic Φ this is the basic energy-momentum scheme
// [P. Betsch, P. Steinmann, Int. J. Numer. Meth. Engng 53 (2002) 1271]; the bilinear form takes it to minimal
// coordinates.
#include <algorithm>

#include "invar/base/error.h"
#include "invar/expr/discrete.h"
#include "invar/scheme/table.h"
#include "invar/system/conserved.h"

namespace invar {

namespace {

// ½ v0ᵀ M(q) v1
Expr mixed_kinetic(const Equations& e, const Node& n0, const Node& n1) {
  if (e.tree)  // as short as the kinetic energy, without the entries of the mass matrix
    return 0.5 * substitute(directional({&e.kinetic, 1}, e.v, n1.v).front(), e.v, n0.v);
  Expr sum = 0.0;
  const Pattern& p = e.mass().pattern;
  for (std::size_t j = 0; j < n1.v.size(); ++j)
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
      const auto place = static_cast<std::size_t>(k);
      sum += n0.v[static_cast<std::size_t>(p.row[place])] * e.mass().value[place] * n1.v[j];
    }
  return 0.5 * sum;
}

// Of constraints that do not stand at position level: their gradients at the mid-point.
void add_other_reactions(const Equations& e, const Exprs& lambda, const Point& middle, Exprs& force) {
  if (std::ranges::all_of(e.level, [](Level level) { return level == Level::position; })) return;
  const Exprs gradient = at(e, e.gradient.value, middle);
  const auto rows = by_rows(e.gradient.pattern);
  for (std::size_t c = 0; c < rows.size(); ++c)
    if (e.level[c] != Level::position)
      for (const PatternEntry& entry : rows[c])
        force[static_cast<std::size_t>(entry.col)] += -lambda[c] * gradient[entry.place];
}

Residual residual(const Equations& e, Interval& step, const SchemeOptions&) {
  if (!purely_quadratic(e.kinetic, e.v) || depends(e.kinetic, {&e.t, 1}) || !reference_symbols({&e.kinetic, 1}).empty())
    throw InputError(
        "energy-momentum: the kinetic energy must be quadratic in the velocities and free of t; try midpoint");
  const Node &n0 = step.n0, &n1 = step.n1;
  const Point middle = {step.t(0.5), mean(n0.q, n1.q), mean(n0.v, n1.v), scaled(1.0 / step.h, difference(n1.v, n0.v)),
                        n1.lambda,   step.input(0.5)};
  Exprs x = e.q, x0 = n0.q, x1 = n1.q;
  x.push_back(e.t);
  x0.push_back(n0.t);
  x1.push_back(n1.t);
  Exprs given = e.constraint;
  given.push_back(e.potential);
  for (const Expr& symbol : e.reference_at ? reference_symbols(given) : Exprs()) {
    x.push_back(symbol);
    x0.push_back(e.reference_at(symbol, n0.t));
    x1.push_back(e.reference_at(symbol, n1.t));
  }

  Exprs force = at(e, e.applied, middle);
  const DiscreteGradient slope(x, x0, x1);
  auto add = [&](const Expr& factor, const Expr& f) {
    for (const DiscreteGradient::Partial& p : slope(f))
      if (p.place < force.size()) force[p.place] += factor * p.value;
  };
  add(1.0, mixed_kinetic(e, n0, n1));
  add(-1.0, e.potential);
  for (std::size_t c = 0; c < e.constraint.size(); ++c)
    if (e.level[c] == Level::position) add(-n1.lambda[c], e.constraint[c]);
  add_other_reactions(e, n1.lambda, middle, force);

  Residual r;
  r.kinematics = r.equations.size();
  r.add("kinematics of", step.coordinates, difference(difference(n1.q, n0.q), scaled(step.h, middle.v)));
  const Exprs p0 = at(e, e.momentum, {n0.t, n0.q, n0.v, {}, {}, {}});
  const Exprs p1 = at(e, e.momentum, {n1.t, n1.q, n1.v, {}, {}, {}});
  r.add("dynamics of", step.coordinates, difference(difference(p1, p0), scaled(step.h, force)));
  add_constraints(r, e, step, middle);
  return r;
}

}  // namespace

const Scheme energy_momentum = {{.name = "energy-momentum",
                                 .title = "energy-momentum scheme (discrete gradients)",
                                 .source = "Gonzalez 1996; Betsch, Steinmann 2002",
                                 .order = 2,
                                 .energy = true,
                                 .momentum = true,
                                 .symmetric = true,
                                 .rolling_at_nodes = false,
                                 .multipliers_at = 0.5,
                                 .inverse_index = 5},
                                carries_nothing,
                                residual};

}  // namespace invar
