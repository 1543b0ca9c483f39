// The closed list of schemes: to add one is a file that defines it, a line here and a line in table.cpp.
#pragma once

#include "invar/scheme/scheme.h"

namespace invar {

extern const Scheme implicit_euler;
extern const Scheme midpoint;
extern const Scheme energy_momentum;
extern const Scheme variational_trapezoidal;
extern const Scheme variational_midpoint;
extern const Scheme generalized_alpha;
extern const Scheme bdf2;
extern const Scheme radau5;
extern const Scheme reduced_energy_momentum;
extern const Scheme quaternion_energy_momentum;
extern const Scheme lie_euler;
extern const Scheme lie_rk4;
extern const Scheme lie_generalized_alpha;
extern const Scheme lie_variational;

}  // namespace invar
