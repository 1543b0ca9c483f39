// Which quantities the exact motion of a System keeps constant, read off its formulas.
//
// Energy: d(T + V)/dt = v·(f + Bᵀu − Gᵀλ) if T is purely quadratic in v and neither T nor V contains t, and v·Gᵀλ
// vanishes
//           for constraints without t that are homogeneous in v.
// Momentum: dp_i/dt = ∂(T − V)/∂q_i + f_i + (Bᵀu)_i − (Gᵀλ)_i, so p_i is constant if every term is identically zero
//           (Noether's theorem for a shift of one coordinate).
#pragma once

#include <string>
#include <vector>

#include "invar/system/system.h"

namespace invar {

// A quantity that one would like to see constant.
struct Conserved {
  std::string column;  // its name in the results
  Expr expr;
  bool expected;        // must the exact motion keep it?
  std::string why_not;  // one clause, empty if expected
};

// Is T = ½ vᵀM(q)v, with nothing of lower degree in v?
bool purely_quadratic(const Expr& kinetic, const Exprs& v);

// Why T + V is not conserved, or nothing. Inputs count as doing work, whatever values they take.
std::string why_energy_changes(const System& system);

// Coordinates on which nothing acts: their momenta are conserved. Those without inertia are left out.
std::vector<std::size_t> cyclic_coordinates(const System& system);

// energy.total, then momentum.NAME of the cyclic coordinates, the momenta of bodies, then the declared invariants,
// which are taken at their word.
std::vector<Conserved> conserved_quantities(const System& system);

}  // namespace invar
