// What stable inversion is asked for and what it gives; see stable_inversion.h.
#pragma once

#include <optional>
#include <vector>

#include "invar/dae/jet.h"
#include "invar/dae/zero_dynamics.h"

namespace invar {

struct StableInversionSettings {
  double start = 0.0, end = 1.0;  // the references are at rest outside
  Jet guess = {};                 // roughly the rest at the start
  enum class Engine { automatic, collocation, space_time };
  Engine engine = Engine::automatic;
  std::optional<ZeroDynamics> zero = {};  // of both ends, where elimination is to be avoided; for space-time
  int k = 0;                              // of the derivative array; 0 if the structural Jacobian is regular
  std::vector<double> times = {};         // at which jets are wanted besides the nodes of the method
  double decay = 1e-10;  // how far internal motion has died away at the ends of pre- and post-actuation
  std::optional<double> pre_actuation = {}, post_actuation = {};  // in place of what `decay` tells
  bool extrapolate = true;                                        // in space-time, to remove the error of the step
  bool rest_at_both_ends = false;  // in space-time, also for oscillations, which otherwise begin at rest only
  bool periodic = false;           // the motion repeats itself from `end` on
};

struct BoundedMotion {
  enum class Status {
    converged,
    no_rest_at_start,  // no equilibrium there
    no_rest_at_end,
    mismatched,  // as many conditions as states only if both ends have equally many unstable directions
    stalled,
    stalled_space_time,
    unbalanced,    // rest in position binds as many stable as unstable directions, and there are not as many
    unsuited,      // constraints or outputs at velocity level
    not_periodic,  // the references are not
    resonant,      // no periodic motion was found
  };
  Status status = Status::stalled;
  std::vector<Jet> jets;  // ascending times, from the start of pre-actuation to the end of post-actuation
  double pre_actuation = 0.0, post_actuation = 0.0;
  ZeroDynamics at_start, at_end;
  int iterations = 0;
  double error = 0.0;  // last change of the states, relative to their size; in space-time that of the inputs
  bool from_rest = true, to_rest = true;
  bool space_time = false;
  std::size_t factor_entries = 0;      // of the Newton matrix of the coarsest mesh in space-time
  std::size_t bound_oscillations = 0;  // see space_time.h
  // How much of a wrong state at the far end is left at the start and at the end, where references are in motion there.
  double left_of_start = 0.0, left_of_end = 0.0;
};

}  // namespace invar
