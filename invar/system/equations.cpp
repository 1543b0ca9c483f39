// Lagrange's equations from T, V, f, B and Φ by differentiation of the graphs.
#include "invar/system/equations.h"

namespace invar {

namespace {

Expr dot(const Exprs& x, const Exprs& y) {
  Expr sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

Exprs transposed_times(const SparseExprs& m, const Exprs& x) {
  Exprs product(static_cast<std::size_t>(m.pattern.cols), 0.0);
  for (std::size_t j = 0; j < product.size(); ++j)
    for (int k = m.pattern.start[j]; k < m.pattern.start[j + 1]; ++k) {
      const auto place = static_cast<std::size_t>(k);
      product[j] += m.value[place] * x[static_cast<std::size_t>(m.pattern.row[place])];
    }
  return product;
}

// Every constraint is linear in q'' after it has been brought to acceleration level, and G is its gradient there.
void add_constraints(const System& system, Equations& e) {
  for (const Constraint& c : system.constraints) {
    e.level.push_back(c.level);
    e.constraint.push_back(c.expr);
    const Expr rate = c.level == Level::position ? ddt(c.expr) : c.expr;
    e.constraint_rate.push_back(c.level == Level::acceleration ? Expr(0.0) : rate);
    e.constraint_acceleration.push_back(c.level == Level::acceleration ? rate : ddt(rate));
  }
  e.gradient = jacobian(e.constraint_acceleration, e.a);
  e.reaction = transposed_times(e.gradient, e.lambda);
}

}  // namespace

Equations equations(const System& system) {
  Equations e;
  e.t = system.graph.time();
  e.q = positions(system);
  e.v = velocities(system);
  e.a = accelerations(system);
  e.lambda = multipliers(system);
  e.u = inputs(system);
  e.bodies = system.bodies;
  e.nodal = system.nodal;

  e.kinetic = system.kinetic;
  e.potential = system.potential;
  e.momentum = gradient(system.kinetic, e.v);
  e.energy = dot(e.v, e.momentum) - system.kinetic + system.potential;
  e.mass = jacobian(e.momentum, e.v);
  add_constraints(system, e);

  const Exprs momentum_rate = ddt(e.momentum);
  const Exprs kinetic_slope = gradient(system.kinetic, e.q);
  const Exprs potential_slope = gradient(system.potential, e.q);
  for (std::size_t i = 0; i < e.q.size(); ++i) {
    e.inertia.push_back(momentum_rate[i] - kinetic_slope[i]);
    Expr applied = system.forces[i];
    for (const Input& input : system.inputs) applied += input.direction[i] * at(input.value);
    e.applied.push_back(applied);
    e.dynamics.push_back(e.inertia[i] + potential_slope[i] - applied + e.reaction[i]);
  }
  return e;
}

Exprs dense(const SparseExprs& m) {
  Exprs all;
  for (int i = 0; i < m.pattern.rows; ++i)
    for (int j = 0; j < m.pattern.cols; ++j) all.push_back(m.at(i, j));
  return all;
}

Exprs reference_symbols(std::span<const Expr> f) {
  Exprs found = symbols(f);
  std::erase_if(found, [](const Expr& symbol) { return symbol.kind() != SymbolKind::reference; });
  return found;
}

Exprs at(const Equations& e, std::span<const Expr> f, const Point& point) {
  Exprs from = {e.t}, to = {point.t};
  auto pair = [&](const Exprs& symbols, const Exprs& values) {
    from.insert(from.end(), symbols.begin(), symbols.begin() + static_cast<std::ptrdiff_t>(values.size()));
    to.insert(to.end(), values.begin(), values.end());
  };
  pair(e.q, point.q);
  pair(e.v, point.v);
  pair(e.a, point.a);
  pair(e.lambda, point.lambda);
  pair(e.u, point.u);
  if (e.reference_at)
    for (const Expr& symbol : reference_symbols(f)) {
      from.push_back(symbol);
      to.push_back(e.reference_at(symbol, point.t));
    }
  return substitute(f, from, to);
}

}  // namespace invar
