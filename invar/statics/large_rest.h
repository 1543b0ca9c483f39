// Where a large system rests, by sparse matrices alone: along its load path, or downhill, and judged by the factors of
//
//   A = [K Gᵀ; G 0],   K = ∂²(V + λᵀΦ)/∂q²
//
// Besides one negative eigenvalue for every constraint it has those of K on the motions that constraints allow, so that
// their number tells a minimum of the potential from other places [N. I. M. Gould, Math. Program. 32 (1985) 90]. The
// slowest motions K x = ω² M x follow from A⁻¹ M by the method of Lanczos [C. Lanczos, J. Res. Natl. Bur. Stand. 45
// (1950) 255]. A stiffness is none if it is less than rounding of its own terms, or than it differs at places to which
// the forces that are left could have led; nothing needs to be as large as the largest stiffness of the system.
#pragma once

#include <optional>

#include "invar/statics/rest_result.h"

namespace invar {

// Nothing where that says nothing: constraints that hold velocities, coordinates on whose places nothing depends, or
// another method.
std::optional<Rest> find_large_rest(const System& system, const State& start, const RestOptions& options);

}  // namespace invar
