// Derivatives at the stages of a step from the values there: all that implicit Euler, BDF2 and Radau IIA are.
//
//   h y'(t_i) = Σ_j W_ij (y_j - y_0)                                   i = 1 … s, the last stage is the new node
//   with the node before:  h y'(t_1) = (1+2ω)/(1+ω) y_1 - (1+ω) y_0 + ω²/(1+ω) y_-1,     ω = h/h_-1
//
// A rule serves the equations of a System, where it is applied to q and v, as well as any Dae (scheme/dae/dae_step.h)
// [E. Hairer, G. Wanner, Solving ODEs II, ch. V, VII].
#pragma once

#include <vector>

#include "invar/scheme/scheme.h"

namespace invar {

struct DifferenceRule {
  std::vector<double> nodes;                // c_i, as parts of a step; the last is 1
  std::vector<std::vector<double>> weight;  // W
  bool two_step = false;                    // uses the node before instead of W

  // h y' at stage i of what has the values y at the stages and y_0 at the start of the step. The others matter to two
  // steps only.
  Expr h_rate(std::size_t i, const Exprs& y, const Expr& y_0, const Expr& before, const Expr& omega) const;
};

// The derivatives of the polynomial through the start of the step and its stages.
DifferenceRule collocation(const std::vector<double>& nodes);
DifferenceRule backward_differentiation();  // of order two

// How position constraints stand in the equations of a System.
enum class ConstraintForm {
  index_3,     // Φ = 0
  stabilised,  // Φ = 0, Φ' = 0 and q' = v - Gᵀμ  [C. W. Gear, B. Leimkuhler, G. K. Gupta 1985]
  extended,    // Φ = 0, Φ' = 0, Φ'' = 0: index 1 by minimal extension, see below
};

// Minimal extension splits q = Q₁ q_1 + Q₂ q_2 such that G Q₂ is regular; the velocities and accelerations of q_2
// become unknowns that nothing differentiates, and Φ' = 0, Φ'' = 0 determine them. The columns of Q₂ are taken from
// Gᵀ(t₀,q₀) of the node where a step begins, so that no split has to be chosen and none can fail on the way:
//
//   q' = v - Gᵀ(q₀) μ,   v' = a - Gᵀ(q₀) ν,   dynamics with a and λ,   Φ = 0,   Φ' = 0,   Φ'' = 0
//
// μ and ν are by how much derivatives of q_2 by the rule miss v and a. Constraints on velocities have ν alone
// [P. Kunkel, V. Mehrmann, ZAMM 84 (2004) 579, sec. 5; Y. Yang, KIT 2017, sec. 5.1.1].

// The form that the options ask for, or else the usual one of a scheme.
ConstraintForm constraint_form(const SchemeOptions& options, ConstraintForm usual);

// InputError unless the scheme is a rule for derivatives and nothing else is asked of its constraints.
void require_extendable(const Scheme& scheme, const SchemeOptions& options);

// The equations of a System with derivatives by the rule, all of them at every stage.
Residual difference_residual(const DifferenceRule& rule, ConstraintForm form, const Equations& e, Interval& step);

// What a node carries for two steps: the node before it, by expansion backwards, and the step between them.
Exprs node_before(const Equations& e, const Expr& h);

}  // namespace invar
