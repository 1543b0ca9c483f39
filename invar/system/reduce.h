// Fewer coordinates: q = F(t, μ) put into all formulas of a System (null-space method with a known parametrisation).
//
//   v = P μ' + ∂F/∂t,  P = ∂F/∂μ;   T, V, Φ, s by substitution;   f_μ = Pᵀ f,  B_μᵀ = Pᵀ Bᵀ by backward sweeps
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "invar/system/system.h"

namespace invar {

// On μ itself: = 0. Its rate has an inertia, which no motion feels that meets the condition: directions in which μ
// moves nothing have a mass, too.
struct Condition {
  std::string name;
  Expr expr;
  double inertia;
};

struct Mapping {
  std::vector<Variable> coordinates;  // μ, in the graph of the system
  Exprs image;                        // F, one formula in μ and t per old coordinate
  // A tree of all bodies that moves by μ, in which energies are shorter; its `other_potential` in old coordinates.
  std::shared_ptr<const JointTree> tree = {};
  std::set<std::string> holding = {};  // constraints that F satisfies by its making, which need no trial
  std::vector<Condition> conditions = {};
};

struct Reduced {
  System system;
  std::vector<std::string> satisfied;  // position constraints that hold identically under F and were dropped
  Exprs tried;                         // formulas of which that was found out, with the values of their parameters
};

Reduced reduce(const System& system, const Mapping& mapping);

}  // namespace invar
