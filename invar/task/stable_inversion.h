// Bounded inputs for unstable internal dynamics: a two-point boundary value problem instead of an initial value problem.
//
// Followed from a given start, unstable internal states y' = F(t,y) run away. Bounded for all times is only the solution that
// leaves the first rest along its unstable directions, before the reference moves (pre-actuation), and reaches the last rest
// along stable ones, after it has stopped (post-actuation) [S. Devasia, D. Chen, B. Paden, IEEE TAC 41 (1996) 930]:
//
//   W_s (y(t0) - y_rest(t0)) = 0,   W_u (y(t1) - y_rest(t1)) = 0
//
// with the left eigenvectors of the internal dynamics at rest to eigenvalues outside and inside the right half plane. F
// comes from the derivative array with y held; the problem is solved by Gauss collocation with four stages (order eight)
// and Newton's method. Large systems, and those whose states serve as coordinates at one end only (a sine at a right angle),
// are solved without elimination instead, see space_time.h.
//
// A state of rest may move steadily, see rest_point.h. References that begin or end in motion have no rest to come from or to
// go to: then the references go on as their formulas say, for as long as it takes until what was assumed at the far ends no
// longer matters, and only what lies between start and end is returned on that side.
#pragma once

#include <string>
#include <vector>

#include "invar/system/dae.h"
#include "invar/system/jet.h"
#include "invar/system/structure.h"
#include "invar/system/zero_dynamics.h"

namespace invar {

struct StableInversionSettings {
  double start = 0.0, end = 1.0;  // the references are at rest outside
  Jet guess = {};                 // roughly the rest at the start
  enum class Engine { automatic, collocation, space_time };
  Engine engine = Engine::automatic;
  int k = 0;                       // of the derivative array; 0 if the structural Jacobian is regular
  std::vector<double> times = {};  // at which jets are wanted besides the nodes of the method
  double decay = 1e-10;            // how far internal motion has died away at the ends of pre- and post-actuation
};

struct BoundedMotion {
  enum class Status {
    converged,
    no_rest_at_start,  // no equilibrium there
    no_rest_at_end,
    mismatched,  // as many conditions as states only if both ends have equally many unstable directions
    stalled,
    stalled_space_time,
  };
  Status status = Status::stalled;
  std::vector<Jet> jets;  // ascending times, from the start of pre-actuation to the end of post-actuation
  double pre_actuation = 0.0, post_actuation = 0.0;
  ZeroDynamics at_start, at_end;
  int iterations = 0;
  double error = 0.0;  // last change of the states, relative to their size; in space-time that of the inputs
  bool from_rest = true, to_rest = true;
  bool space_time = false;
  // How much of a wrong state at the far end is left at the start and at the end, where references are in motion there.
  double left_of_start = 0.0, left_of_end = 0.0;
};

// What went wrong and what to do about it; empty if it converged.
std::string fault_in_words(const BoundedMotion& motion);
// What must be known about a motion that was found.
std::vector<std::string> warnings(const BoundedMotion& motion, const StableInversionSettings& settings);

BoundedMotion stable_inversion(const Dae& dae, const Offsets& offsets, const StableInversionSettings& settings);

}  // namespace invar
