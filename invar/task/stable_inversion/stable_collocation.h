// A two-point boundary value problem for the internal states y of a servo-constrained system,
//
//   y' = F(t,y),   W_first (y - y_first) = 0 at the first node,   W_last (y - y_last) = 0 at the last,
//
// by Gauss collocation with four stages (order eight) and Newton's method. F comes from the derivative array with y
// held.
#pragma once

#include <vector>

#include "invar/dae/array_solver.h"
#include "invar/dae/jet.h"
#include "invar/math/matrix.h"

namespace invar {

inline constexpr int collocation_stages = 4;

struct CollocatedMotion {
  std::vector<Jet> jets;  // at the nodes; none without convergence
  int iterations = 0;
  double error = 0.0;  // last change of the states, relative to their size
};

// `guess` has a jet per node; y_first and y_last are the states of its first and last.
CollocatedMotion collocate(ArraySolver& solver, const std::vector<double>& nodes, std::vector<Jet> guess,
                           const Matrix& W_first, const Matrix& W_last);

}  // namespace invar
