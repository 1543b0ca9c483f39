// Lagrange's equations from T, V, f, B and Φ by differentiation of the graphs.
#include "invar/system/equations.h"

#include <mutex>
#include <optional>

#include "invar/base/error.h"
#include "invar/system/joint_tree.h"

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

// All that equations are made of.
Exprs ingredients(const System& system) {
  Exprs all = {system.kinetic, system.potential};
  const auto also = [&](const Exprs& more) { all.insert(all.end(), more.begin(), more.end()); };
  also(positions(system));
  also(system.forces);
  for (const Constraint& c : system.constraints) {
    all.push_back(c.expr);
    all.emplace_back(static_cast<double>(c.level));
    all.push_back(at(c.multiplier));
  }
  for (const Input& u : system.inputs) {
    all.push_back(at(u.value));
    also(u.direction);
  }
  return all;
}

Equations derived(const System& system) {
  Equations e;
  e.t = system.graph.time();
  e.q = positions(system);
  e.v = velocities(system);
  e.a = accelerations(system);
  e.lambda = multipliers(system);
  e.u = inputs(system);
  e.kinetic = system.kinetic;
  e.potential = system.potential;
  e.momentum = gradient(system.kinetic, e.v);
  e.energy = dot(e.v, e.momentum) - system.kinetic + system.potential;
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

}  // namespace

// The last few, since a system and the same without redundant constraints take turns.
class EquationsMemory {
 public:
  std::optional<Equations> find(const Exprs& made_of) {
    const std::scoped_lock lock(guard_);
    for (const Kept& kept : kept_)
      if (kept.made_of == made_of) return kept.equations;
    return std::nullopt;
  }
  void keep(const Exprs& made_of, const Equations& e) {
    constexpr std::size_t few = 3;
    const std::scoped_lock lock(guard_);
    if (kept_.size() == few) kept_.erase(kept_.begin());
    kept_.push_back({made_of, e});
  }

 private:
  struct Kept {
    Exprs made_of;
    Equations equations;
  };
  std::mutex guard_;
  std::vector<Kept> kept_;
};

std::shared_ptr<EquationsMemory> new_equations_memory() { return std::make_shared<EquationsMemory>(); }

Equations equations(const System& system) {
  expects(system.equations_memory != nullptr, "a system that was not moved away");
  const Exprs made_of = ingredients(system);
  std::optional<Equations> e = system.equations_memory->find(made_of);
  if (!e) {
    e = derived(system);
    system.equations_memory->keep(made_of, *e);
  }
  e->bodies = system.bodies;
  e->nodal = system.nodal;
  e->tree = system.tree && system.tree->kinetic == system.kinetic ? system.tree : nullptr;
  return *std::move(e);
}

const SparseExprs& Equations::mass() const {
  return mass_->get([this] { return jacobian(momentum, v); });
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
