// The equations of motion of a System as formulas in t, q, v = q', a = q'', λ and u: all that a scheme needs.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "invar/base/once.h"
#include "invar/expr/derivative.h"
#include "invar/system/system.h"

namespace invar {

struct Equations {
  Expr t;
  Exprs q, v, a, lambda, u;  // the symbols
  std::vector<RigidBody> bodies;
  std::shared_ptr<const NodalMap> nodal;
  std::shared_ptr<const JointTree> tree;  // if the kinetic energy is written along it

  Expr kinetic, potential, energy;  // T, V and the Hamiltonian v·∂T/∂v − T + V
  Exprs momentum;                   // p = ∂T/∂v
  Exprs inertia;                    // d/dt ∂T/∂v − ∂T/∂q
  Exprs applied;                    // f + Bᵀ u
  Exprs reaction;                   // Gᵀ λ
  Exprs dynamics;                   // inertia + ∂V/∂q − applied + reaction, = 0

  std::vector<Level> level;
  Exprs constraint;               // Φ at its own level
  Exprs constraint_rate;          // Φ̇ of position constraints, Φ of velocity constraints, 0 of the others
  Exprs constraint_acceleration;  // every constraint brought to acceleration level
  SparseExprs gradient;           // G, one row per constraint

  // M = ∂²T/∂v², made when it is first asked for: a tree in joint coordinates has many entries.
  const SparseExprs& mass() const;

  // What stands for the symbol of a given function of time at the instant t; without it such symbols stay as they are.
  std::function<Expr(const Expr& symbol, const Expr& t)> reference_at;

 private:
  std::shared_ptr<Once<SparseExprs>> mass_ = std::make_shared<Once<SparseExprs>>();  // shared by copies
};

// Those of a system that has the formulas of an earlier one, of which it is a copy, are remembered.
Equations equations(const System& system);

// All entries, by rows.
Exprs dense(const SparseExprs& m);

// The symbols of given functions of time that formulas contain, in all orders.
Exprs reference_symbols(std::span<const Expr> f);

// Values for the symbols of Equations: where a scheme evaluates them.
struct Point {
  Expr t;
  Exprs q, v, a, lambda, u;
};

// `f` of the equations with the symbols replaced. Lists that f does not need may stay empty.
Exprs at(const Equations& e, std::span<const Expr> f, const Point& point);

}  // namespace invar
