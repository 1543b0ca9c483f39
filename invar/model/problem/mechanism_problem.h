// From a mechanism to a problem: its equations in the formulation one likes, and where it starts.
#pragma once

#include "invar/model/problem/problem.h"

namespace invar {

// InputError that names the part at fault.
Problem problem_of(const Mechanism& mechanism, Formulation formulation = Formulation::director);

// Writes system and start of a problem that has a mechanism and a formulation.
void write_equations(Problem& problem);

}  // namespace invar
