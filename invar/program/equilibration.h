// Natural sizes of the variables and rows of a nonlinear program, from its Jacobian: factors r, c that make the largest
// entry of every row and column of diag(r) J diag(c) equal to one [D. Ruiz, A scaling algorithm to equilibrate both
// rows and columns norms in matrices, RAL-TR-2001-034]. A force enters a step with h, an impulse with 1, a mass with
// any number: without this, the residuals of a step in m and in kg m/s are added as they are.
#pragma once

#include <vector>

#include "invar/program/nonlinear_program.h"

namespace invar {

struct Equilibration {
  std::vector<double> row, column;  // 1 where the Jacobian says nothing
};

// Of the Jacobian at x; fixed variables do not count.
Equilibration equilibrate(const NonlinearProgram& program, std::span<const double> x);

// Factors for which the mean of log |r_i J_ij c_j| over every row and column is zero, which other units of variables
// and rows change as they change J: for programs in which masses, lengths and forces are of very different size.
Equilibration balance(const NonlinearProgram& program, std::span<const double> x);

}  // namespace invar
