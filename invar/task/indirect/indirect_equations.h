// The conditions of optimality of a motion with least effort, discretised so that energy and control Hamiltonian are
// kept.
//
// With x = (q, p), H = ½ (p-b)ᵀ M(q)⁻¹ (p-b) + U(q), friction f(q,v), inputs in constant directions B and the effort
// ½ u·u per unit time
//
//   x' = F(x) + (0, Bᵀu),    F = J ∇H + (0, f),    λ' = -(λᵀ ∂F/∂x)ᵀ,    u = B λᵖ within its limits,   J = [0 I; -I 0],
//
// the control Hamiltonian Hc = -½ u·u + λ·x' is constant; u is where it is largest. On a mesh of equal intervals h
//
//   x₁ - x₀ = h (DF(x₀,x₁) + (0, Bᵀu)),    DF = J DH + (0, f(q_m, DH_p)),    DH·(x₁-x₀) = H(x₁) - H(x₀)
//   λ₊ - λ₋ = -½ h ((λ₊+λ₋)ᵀ DDF(x₋,x,x₊))ᵀ,    (λ₊+λ₋)ᵀ DDF·½(x₊-x₋) = (λ₊+λ₋)·(DF(x,x₊) - DF(x₋,x)) + c
//
// keep H(x₁) - H(x₀) = (u·B + f)(q₁-q₀) and one value of Hc in all intervals [R. Siebert, Mechanical integrators for
// the optimal control in multibody dynamics, 2012, chapter 8, eqs. 8.33 and 8.49, for f = 0 and no limits; u has the
// other sign there]. c = (u₊-u₋)·(B(λ₊+λ₋)ᵖ - u₊ - u₋) is zero unless an input meets its limit or leaves it at this
// node. It is what Hc would gain there, a quantity of second order in h; taken up by the costates it leaves their
// order.
#pragma once

#include "invar/system/system.h"

namespace invar {

// Limits of an input, of which either may be infinite.
struct InputRange {
  double lower, upper;
};
// The limits of every input; none if there are none at all.
using InputRanges = std::vector<InputRange>;

struct IndirectEquations {
  std::size_t n = 0;  // coordinates
  Exprs given;        // h, a small length, parameters of the system: what every list of symbols ends with

  Exprs interval;                    // symbols x₀, λ, x₁
  Exprs state;                       // 2n rows, = 0
  Exprs inputs;                      // u
  Expr hamiltonian, energy_balance;  // Hc; H(x₁) - H(x₀) - (u·B + f)(q₁-q₀)

  Exprs node;     // symbols x₋, λ₋, x, λ₊, x₊
  Exprs costate;  // 2n rows, = 0

  Exprs q, v, x;                  // symbols of a state
  Exprs momenta;                  // of q, v
  Exprs velocities;               // of x
  std::vector<Exprs> directions;  // of the inputs, one entry per coordinate

  // Where divided differences pass into their limits: the small length is this fraction of the longest step, measured
  // by so many of the first entries of x.
  double smallness = 0.0;
  std::size_t measured = 0;
};

// With `conserving` DH is Greenspan's quotient for one degree of freedom with constant mass and Gonzalez's discrete
// derivative otherwise; without, it is ∇H in the middle: then Hc is kept, but not the energy.
IndirectEquations indirect_equations(const System& system, bool conserving, const InputRanges& ranges = {});

}  // namespace invar
