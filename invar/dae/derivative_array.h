// Structure that the signature does not see, found in the derivative array.
//
// If J = ∂f_i^(c_i)/∂x_j^(d_j) is singular whatever the state, the equations hide relations: combinations of them have
// a lower order than their formulas show. Differentiating on brings them to light. The array A_k holds the rows f_i^(0
// … c_i+k) and the unknowns x_j^(0 … d_j+k). A direction n in the null space of its Jacobian is a change of the jet
// that all rows permit; so with N spanning that space
//
//   degrees of freedom = rank N[(q,q')],   z is determined by (q,q') if N[z] vanishes wherever N[(q,q')] does
//
// and k is raised until q'' and u are determined (multipliers may stay free, as with redundant constraints). The index
// is that of the signature plus k. Compare [P. Kunkel, V. Mehrmann, Differential-Algebraic Equations, EMS 2006, sec.
// 4.3]; the shape by the offsets c, d keeps the array small.
//
// How ranks are decided: array_rank.h. As a safeguard a verdict counts only if one more differentiation leaves as many
// degrees of freedom; otherwise k is raised further.
#pragma once

#include <vector>

#include "invar/dae/array_rank.h"
#include "invar/dae/dae.h"
#include "invar/dae/jet.h"
#include "invar/dae/structure.h"

namespace invar {

struct ArrayVerdict {
  enum class Status {
    determined,
    inconsistent,    // the rows contradict each other: no motion follows these references
    not_invertible,  // inputs or accelerations stay open however often the equations are differentiated
    stalled,         // no point on the solution was found from this guess
  };
  Status status = Status::stalled;
  int k = 0;
  int index = 0;
  int degrees_of_freedom = 0;
  std::vector<Derivative> states;        // as many of (q,q') as there are degrees of freedom, which may be chosen
  std::vector<Derivative> undetermined;  // of (q'',u)
  std::vector<int> contradicting_equations;
};

// Solves A_k near the guess for k = 0 … max_k until it determines q'' and u and the degrees of freedom are final; the
// guess becomes the solution.
ArrayVerdict analyse_array(JetEvaluator& evaluator, const Offsets& offsets, const Dae& dae, Jet& guess, int max_k);
// The same for one k at a jet that solves the equations, without changing it.
ArrayVerdict judge_array(JetEvaluator& evaluator, const Offsets& offsets, const Dae& dae, const Jet& jet, int k);

}  // namespace invar
