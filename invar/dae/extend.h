// Index reduction by minimal extension: some equations are added in differentiated form, and as many derivatives become
// algebraic unknowns of their own (dummy derivatives).
//
//   e_i = max(0, c_i + k - (ν - 1))   extra derivatives of equation i, for the target index ν; c are the offsets of the
//                                     signature method and k what a hidden structure adds to them
//   d_j = max_i (σ_ij + e_i)          then the highest order of unknown j
//   for s = max e … 1:                columns C_s ⊇ C_(s+1) in which the rows {i : e_i ≥ s} of ∂f_i^(e_i)/∂x_j^(d_j)
//                                     are regular; x_j^(d_j - s + 1) becomes a dummy for each j in C_s
//
// [S. E. Mattsson, G. Söderlind, SIAM J. Sci. Comput. 14 (1993) 677; P. Kunkel, V. Mehrmann, ZAMM 84 (2004) 579].
// The columns are chosen at one point, so the result holds as long as they stay regular along the motion.
#pragma once

#include <string>
#include <vector>

#include "invar/dae/array_solver.h"
#include "invar/dae/jet.h"
#include "invar/dae/structure.h"

namespace invar {

// Unknown `place` stands for the derivative of this order of the function of unknown `of`.
struct Dummy {
  int place;
  int of;
  int order;
};

// A Dae of lower index. The first unknowns are those of the original, in their order; what was added follows.
struct ReducedDae {
  Dae dae;
  std::vector<Dummy> dummies;
  // Equations whose derivatives say the same at this point, so that no dummies can be chosen; `dae` is the original
  // then.
  std::vector<std::string> dependent;

  bool regular() const { return dependent.empty(); }
  std::vector<std::string> dummy_names() const;
};

// e_i. Equations of motion are of second order, so the index falls in steps of two: 5, 3, 1; between them the
// derivatives come out dependent.
std::vector<int> extra_derivatives(const Offsets& offsets, int target_index, int hidden = 0);

// `at` holds at least the unknowns and the derivatives that the equations contain. `hidden` is k.
ReducedDae extend(const Dae& dae, const Offsets& offsets, int target_index, const Jet& at, int hidden = 0);
// The same with given e_i, for example to treat all outputs alike although one of them needs fewer derivatives.
ReducedDae extend(const Dae& dae, const std::vector<int>& extra, const Jet& at);

// To index 1 where the formulas hide their structure: the derivatives that must be added are combinations of rows of
// the derivative array, so all rows of its regular square part are, each unknown of it becomes an algebraic one, and
// what it leaves open is zero. States keep their time derivatives. Nothing but algebraic equations are left if there
// are no states.
ReducedDae extend(const Dae& dae, const SquarePart& part);

// The jet of the original with the values of the dummies behind it; derivatives that it does not hold count as zero.
Jet extended(const ReducedDae& reduced, const Jet& original);

}  // namespace invar
