// The structure of a DAE by the signature method: which equation must be differentiated how often.
//
//   σ_ij = highest order of unknown j in equation i;  a transversal of largest sum;  smallest offsets c ≥ 0, d with
//   d_j - c_i ≥ σ_ij, equal on the transversal;  index = max c + [some d_j = 0],  degrees of freedom = Σd - Σc
//
// [J. D. Pryce, BIT 41 (2001) 364]. This is the formal structure only: it counts if J_ij = ∂f_i/∂x_j^(d_j - c_i) is
// regular.
#pragma once

#include <vector>

#include "invar/dae/dae.h"

namespace invar {

struct Signature {
  static constexpr int absent = -1;
  std::vector<std::vector<int>> order;  // by equation and unknown
};

struct Offsets {
  bool regular = false;                  // is there a transversal?
  std::vector<int> unmatched_equations;  // if not
  std::vector<int> unmatched_unknowns;
  std::vector<int> partner;              // unknown of each equation on the transversal
  std::vector<int> c, d;                 // by equation, by unknown
  std::vector<std::vector<int>> blocks;  // block triangular form: equations, in an order in which they can be solved
  int index = 0;
  int degrees_of_freedom = 0;
};

Signature signature(const Dae& dae);
Offsets offsets(const Signature& signature);

}  // namespace invar
