// Bounded inputs for unstable internal dynamics: a two-point boundary value problem instead of an initial value
// problem.
//
// Followed from a given start, unstable internal states y' = F(t,y) run away. Bounded for all times is only the
// solution that leaves the first rest along its unstable directions, before the reference moves (pre-actuation), and
// reaches the last rest along stable ones, after it has stopped (post-actuation) [S. Devasia, D. Chen, B. Paden, IEEE
// TAC 41 (1996) 930]:
//
//   W_s (y(t0) - y_rest(t0)) = 0,   W_u (y(t1) - y_rest(t1)) = 0
//
// with the left eigenvectors of the internal dynamics at rest to eigenvalues outside and inside the right half plane. F
// comes from the derivative array with y held; the problem is solved by Gauss collocation with four stages (order
// eight) and Newton's method. Large systems, and those whose states serve as coordinates at one end only (a sine at a
// right angle), are solved without elimination instead, see space_time.h.
//
// A state of rest may move steadily, see rest_point.h. References that begin or end in motion have no rest to come from
// or to go to: then the references go on as their formulas say, for as long as it takes until what was assumed at the
// far ends no longer matters, and only what lies between start and end is returned on that side.
#pragma once

#include <string>
#include <vector>

#include "invar/dae/dae.h"
#include "invar/dae/structure.h"
#include "invar/task/stable_inversion/bounded_motion.h"

namespace invar {

// What went wrong and what to do about it; empty if it converged.
std::string fault_in_words(const BoundedMotion& motion);
// What must be known about a motion that was found.
std::vector<std::string> warnings(const BoundedMotion& motion, const StableInversionSettings& settings);

BoundedMotion stable_inversion(const Dae& dae, const Offsets& offsets, const StableInversionSettings& settings);

}  // namespace invar
