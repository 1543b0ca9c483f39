// One interval of a motion in joint coordinates, with the equations of a step in redundant ones: the discrete null
// space P removes the reactions, and what the joints fix is no unknown any more
// [S. Leyendecker, S. Ober-Blöbaum, J. E. Marsden, M. Ortiz, Optim. Control Appl. Meth. 31 (2010) 505].
//
//   q = F(μ) at the nodes,    R(x_0, x_1, u) + C λ = 0   ⇒   Pᵀ R = 0,   Pᵀ C = 0
//
// The discrete equations are the same, and so is their solution; λ follows from R + C λ = 0 afterwards. Velocities are
// ∂F/∂μ μ' where the scheme keeps constraints at velocity level; schemes with stages have nodes inside their steps as
// well, and multipliers at each of them. Elsewhere, v_0 + v_1 = 2 (q_1 - q_0)/h leaves velocities across the
// constraints that the next steps remember; they lie in the linear space of the differences of configurations and are
// given by their independent entries.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "invar/system/system.h"
#include "invar/task/transcription/interval_symbols.h"
#include "invar/task/transcription/joint_nodes.h"

namespace invar {

struct ReducedInterval {
  // Rows of the scheme with reactions, C λ + rest = 0, one for each coordinate, and the columns of P that remove them.
  struct Reactions {
    std::size_t first;  // of the multipliers, among what stands inside an interval
    std::vector<std::string> names;
    SparseExprs by_multiplier;  // C
    Exprs rest;
    std::size_t first_row;  // in `residual`, of those that are left
    std::vector<Exprs> columns;
  };

  // A node inside the step of which q and v are unknowns of the scheme.
  struct Stage {
    std::size_t first;  // of q, v, among what stands inside an interval
    Exprs symbols;      // as at the nodes
  };

  // Nothing if the equations of the scheme do not lose their reactions this way.
  static std::optional<ReducedInterval> of(const IntervalSymbols& s, const System& system, const JointNodes& joints);

  Exprs node0, node1;  // symbols: μ, then speeds
  bool rates;          // speeds are μ'; otherwise independent entries of v
  Residual residual;
  std::vector<Reactions> reactions;
  std::vector<Stage> stages;
  std::vector<std::optional<std::size_t>> plain;  // where entries of (q, v) stand among the variables of a node

  // Formulas of the symbols of an interval in those of its nodes.
  Exprs put(std::span<const Expr> formulas) const { return substitute(formulas, from_, to_); }
  Exprs last_node() const;  // q, v
  Exprs inside() const;     // symbols of the stages
  // Weights of the rows of the scheme, as far as they are left or had reactions: w of Pᵀ R are P w of R.
  Exprs weights_of_scheme(const Exprs& weights) const;
  std::vector<std::string> names_in_scheme() const;
  // Momenta at the end along the velocities that the joints allow.
  Exprs momenta_at_end(const IntervalSymbols& s) const;

 private:
  friend class Reduction;
  Exprs from_, to_;
};

}  // namespace invar
