// The closed list of schemes: to add one is a file that defines it and a line here.
#pragma once

#include "invar/scheme/scheme.h"

// clang-format off
#define INVAR_SCHEMES(scheme) \
  scheme(implicit_euler) \
  scheme(midpoint) \
  scheme(energy_momentum) \
  scheme(variational_trapezoidal) \
  scheme(variational_midpoint) \
  scheme(generalized_alpha) \
  scheme(bdf2) \
  scheme(radau5) \
  scheme(rk4) \
  scheme(dormand_prince) \
  scheme(reduced_energy_momentum) \
  scheme(lie_euler) \
  scheme(lie_rk4) \
  scheme(lie_rk4_printed) \
  scheme(lie_dormand_prince) \
  scheme(lie_generalized_alpha) \
  scheme(lie_variational) \
  scheme(quaternion_energy_momentum)
// clang-format on

namespace invar {

#define INVAR_DECLARE(name) extern const Scheme name;
INVAR_SCHEMES(INVAR_DECLARE)
#undef INVAR_DECLARE

}  // namespace invar
