// Fewer coordinates: q = F(t, μ) put into all formulas of a System (null-space method with a known parametrisation).
//
//   v = P μ' + ∂F/∂t,  P = ∂F/∂μ;   T, V, Φ, s by substitution;   f_μ = Pᵀ f,  B_μᵀ = Pᵀ Bᵀ
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "invar/system/system.h"

namespace invar {

struct Mapping {
  std::vector<Variable> coordinates;           // μ, in the graph of the system
  Exprs image;                                 // F, one formula in μ and t per old coordinate
  std::shared_ptr<const JointTree> tree = {};  // that moves by μ; its `other_potential` in old coordinates
};

struct Reduced {
  System system;
  std::vector<std::string> satisfied;  // position constraints that hold identically under F and were dropped
  Exprs tried;                         // formulas of which that was found out, with the values of their parameters
};

Reduced reduce(const System& system, const Mapping& mapping);

}  // namespace invar
