// Nonlinear programs solved by the interior-point code IPOPT.
#pragma once

#include "invar/program/nonlinear_program.h"

namespace invar {

// Solves at once one program only, since IPOPT's linear solver is not thread safe; a second caller waits.
Solution solve(const NonlinearProgram& program, std::span<const double> start, const SolverOptions& options = {});

}  // namespace invar
