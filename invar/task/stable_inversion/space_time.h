// The bounded motion of a servo-constrained system from rest to rest, all instants at once: nothing is eliminated.
//
// With x = (q, λ, u) at equidistant instants, the equations f(t, x, x', x'') = 0 as they stand, constraints and outputs
// at position level, and central differences
//
//   f(t_k, x_k, (q_{k+1} - q_{k-1})/(2h), (q_{k+1} - 2 q_k + q_{k-1})/h²) = 0,   k = 1 … N-1,   q_0 and q_N at rest,
//
// are as many equations as unknowns in any formulation and need no choice of internal states and no derivative of a
// reference; one sparse Newton iteration solves them. Rest in position at both ends is the right number of conditions
// if the internal dynamics has as many stable as unstable directions; oscillations without a growing partner begin at
// rest and are free at the end, see free_oscillations.h. The error is a series in h², which solutions with h, h/2, h/4,
// … remove term by term (Richardson); what the last one changes is the error estimate. Where a derivative of a
// reference jumps, the inputs next to that instant may be of first order only, and the estimate shows it.
#pragma once

#include <functional>
#include <vector>

#include "invar/dae/dae.h"
#include "invar/dae/jet.h"
#include "invar/dae/structure.h"
#include "invar/task/stable_inversion/space_time_mesh.h"

namespace invar {

// Unknowns by instant of the coarsest mesh, with rest in the first and last, if the references go only a part of their
// way.
using SpaceTimeGuess = std::function<std::vector<Jet>(double part)>;
// Oscillations that are free at the end of such a motion with steps h.
struct FreeEnds {
  // How many, the slowest ones: what to try one after the other.
  std::function<std::vector<std::size_t>(double h)> counts;
  std::function<EndShapes(const std::vector<Jet>& guess, double part, double h, std::size_t count)> shapes;

  explicit operator bool() const { return static_cast<bool>(shapes); }
};

struct SpaceTimeSettings {
  double first = 0.0, last = 1.0;    // at rest before and after, or one period
  double origin = 0.0, step = 0.01;  // instants are origin + k step; the coarsest mesh
  MotionEnds ends = MotionEnds::fixed;
  FreeEnds free = {};              // none if empty
  bool rest_at_both_ends = false;  // nothing is free in the result, only on the way to it
  bool extrapolate = true;         // otherwise the solution of the coarsest mesh, compared with that of the next
  int halvings = 2;                // at most; fewer where they no longer improve the inputs
  double tolerance = 1e-8;         // of the inputs, relative to the largest
};

struct SpaceTimeMotion {
  bool converged = false;
  std::vector<Jet> jets;  // at the instants of the coarsest mesh: q, q', q'', λ, u
  int iterations = 0;
  double error = 0.0;              // estimate for the inputs, relative to the largest
  std::size_t factor_entries = 0;  // of the coarsest mesh: what a Newton step costs
  double loose_ends = 0.0;         // largest speed next to ends where nothing is free, relative to the largest of all
  // Oscillations that the steps keep and that were yet bound to rest at both ends, since no motion was found otherwise.
  std::size_t bound_oscillations = 0;
};

// Whether the equations have the form above: coordinates at most twice differentiated, constraints and outputs at
// position level.
bool suits_space_time(const JetEvaluator& evaluator, const Dae& dae);

SpaceTimeMotion space_time(JetEvaluator& evaluator, const Dae& dae, const Offsets& offsets,
                           const SpaceTimeSettings& settings, const SpaceTimeGuess& guess);

// The instants of the coarsest mesh: they enclose first and last.
std::vector<double> instants(const SpaceTimeSettings& settings);

}  // namespace invar
