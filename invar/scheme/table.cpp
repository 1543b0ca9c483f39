// The table of schemes.
#include "invar/scheme/table.h"

#include <array>

namespace invar {

std::span<const Scheme> schemes() {
  static const std::array table = {implicit_euler,
                                   midpoint,
                                   energy_momentum,
                                   variational_trapezoidal,
                                   variational_midpoint,
                                   generalized_alpha,
                                   bdf2,
                                   radau5,
                                   reduced_energy_momentum,
                                   lie_euler,
                                   lie_rk4,
                                   lie_generalized_alpha,
                                   lie_variational,
                                   quaternion_energy_momentum};
  return table;
}

const Scheme* find_scheme(std::string_view name) {
  for (const Scheme& scheme : schemes())
    if (scheme.info.name == name) return &scheme;
  return nullptr;
}

}  // namespace invar
