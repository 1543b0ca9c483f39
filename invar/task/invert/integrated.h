// The methods of inversion that integrate: a form of the equations, and a scheme that steps through it.
#pragma once

#include "invar/scheme/dae/dae_integration.h"
#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

// The motion with the step, tolerance and integrator of the problem. InputError if method and integrator do not suit
// each other or the system.
DaeMotion integrated(const Problem& problem, const InverseStructure& s, InverseMethod method);

}  // namespace invar
