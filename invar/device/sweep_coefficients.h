// The Taylor coefficients on which a sweep depends: those that are predicted and judged, since all others follow.
#pragma once

#include <span>
#include <vector>

#include "invar/dae/sweep.h"

namespace invar {

struct SweepCoefficient {
  std::size_t place, unknown, order;  // place: among the inputs of the sweep
};
std::vector<SweepCoefficient> needed_coefficients(const Sweep& sweep);

// What changes of a coefficient are measured by: its largest value along these jets, and the typical one of its stage.
std::vector<double> change_scales(const Sweep& sweep, std::span<const Jet> jets,
                                  std::span<const SweepCoefficient> coefficients);

inline constexpr double sweep_is_solved = 1e-9;       // after a change of this size, as in sweep.cpp
inline constexpr double worthless_prediction = 0.05;  // that is so far off, relative

}  // namespace invar
