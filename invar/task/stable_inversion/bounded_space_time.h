// Bounded motions by one Newton iteration over all instants (space_time.h): from rest to rest, and periodic ones.
#pragma once

#include "invar/dae/structure.h"
#include "invar/task/stable_inversion/bounded_motion.h"
#include "invar/task/stable_inversion/space_time.h"

namespace invar {

struct RestEnds {
  Jet start, end;
};

// Of the coarsest mesh: it holds the wanted times, if they are equidistant and neither too close nor too far apart.
double mesh_step(const StableInversionSettings& settings);

// Between rests, with the actuation times of `motion`, which takes the result.
void by_space_time(const Dae& dae, const Offsets& offsets, const StableInversionSettings& settings,
                   JetEvaluator& evaluator, const RestEnds& ends, BoundedMotion& motion);

// x(t + T) = x(t) with T the time from start to end: the last instant is the first again, and no other condition is
// needed, whatever directions of the internal dynamics are stable, unstable or neither, unless a free motion has the
// same period.
BoundedMotion periodic_motion(const Dae& dae, const Offsets& offsets, const StableInversionSettings& settings,
                              JetEvaluator& evaluator);

}  // namespace invar
