// The energy-momentum scheme of an open chain without multipliers: the discrete null space removes the reactions, and
// how far each freedom δ of the joints moves is the only unknown [P. Betsch, S. Leyendecker, Int. J. Numer. Meth. Engng
// 67 (2006) 499]:
//
//   P(q_m)ᵀ [ M (v₁ - v₀) + h (DV - f(m) - Bᵀ(q_m) u) ] = 0,   q₁ = F(q₀, δ),   v₁ = 2 (q₁ - q₀)/h - v₀
//
// As many equations as degrees of freedom, whose condition does not grow as h → 0. The motion is that of the
// energy-momentum scheme; reactions are not computed (their columns say nan).
#include <limits>

#include "invar/base/error.h"
#include "invar/expr/discrete.h"
#include "invar/scheme/table.h"
#include "invar/system/nodal.h"

namespace invar {

namespace {

const NodalMap& map_of(const Equations& e) {
  if (!e.nodal)
    throw InputError(
        "reduced-energy-momentum: needs at most 60 bodies in an open chain of joints, in director coordinates; try "
        "energy-momentum");
  return *e.nodal;
}

Residual residual(const Equations& e, Interval& step, const SchemeOptions&) {
  const NodalMap& map = map_of(e);
  const Node& n0 = step.n0;
  Node& n1 = step.n1;
  const Expr h = step.h;
  // Speeds that count from one have a size that rounding can be compared with, also when nothing moves.
  Exprs delta = step.unknowns(Kind::velocity, Exprs(map.increments.size(), 1.0));
  for (Expr& x : delta) x = h * (x - 1.0);
  Exprs from = e.q, to = n0.q;
  from.insert(from.end(), map.increments.begin(), map.increments.end());
  to.insert(to.end(), delta.begin(), delta.end());
  n1.q = substitute(map.image, from, to);
  n1.v = difference(scaled(2.0 / h, difference(n1.q, n0.q)), n0.v);
  n1.lambda = Exprs(n0.lambda.size(), std::numeric_limits<double>::quiet_NaN());

  const Point middle = {step.t(0.5),
                        mean(n0.q, n1.q),
                        mean(n0.v, n1.v),
                        scaled(1.0 / h, difference(n1.v, n0.v)),
                        Exprs(n0.lambda.size(), 0.0),
                        step.input(0.5)};
  const Exprs p0 = at(e, e.momentum, {n0.t, n0.q, n0.v, {}, {}, {}}),
              p1 = at(e, e.momentum, {n1.t, n1.q, n1.v, {}, {}, {}});
  const Exprs applied = at(e, e.applied, middle), slope = discrete_gradient(e.potential, e.q, n0.q, n1.q);
  Exprs balance;
  for (std::size_t i = 0; i < p0.size(); ++i) balance.push_back(p1[i] - p0[i] + h * (slope[i] - applied[i]));
  Residual r;
  std::vector<Exprs> followed;
  for (const NodalMap::Follower& f : map.followers)
    followed.push_back(discrete_gradient(e.constraint[f.constraint], e.q, n0.q, n1.q));
  for (std::size_t k = 0; k < map.null_space.size(); ++k) {
    Exprs column = at(e, map.null_space[k], middle);
    for (std::size_t i = 0; i < followed.size(); ++i) {
      Expr change = 0.0;
      for (std::size_t c = 0; c < column.size(); ++c)
        if (c != map.followers[i].coordinate) change += followed[i][c] * column[c];
      column[map.followers[i].coordinate] = -change / followed[i][map.followers[i].coordinate];
    }
    Expr sum = 0.0;
    for (std::size_t i = 0; i < column.size(); ++i) sum += column[i] * balance[i];
    r.add("motion of freedom " + std::to_string(k + 1), sum);
  }
  return r;
}

}  // namespace

const Scheme reduced_energy_momentum = {{.name = "reduced-energy-momentum",
                                         .title = "energy-momentum scheme without multipliers (discrete null space)",
                                         .source = "Betsch, Leyendecker 2006",
                                         .order = 2,
                                         .energy = true,
                                         .momentum = true,
                                         .symmetric = true,
                                         .open_chains = true,
                                         .own_unknowns = true},
                                        carries_nothing,
                                        residual};

}  // namespace invar
