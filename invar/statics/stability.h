// Does a system that rests, or goes on steadily, come back after a small push? Linearised about the place, with Z the
// motions that the constraints allow, all in the metric of the masses:
//
//   M ξ'' + D ξ' + K ξ = 0,   K = Zᵀ (∂²V + Σ λ ∂²Φ − ∂f/∂q) Z,   solutions e^{st}
//
// Where forces have a potential, K decides: a minimum of the potential is stable (Lagrange, Dirichlet), and friction
// does not save a place that is none (Kelvin, Tait, Chetaev). A stiffness is none if it is less than rounding of the
// elimination, or than it differs between this place and others that cannot be told from it: seen, not guessed from the
// largest terms, since bending may be softer than stretching by many orders of magnitude. Otherwise the eigenvalues s
// decide, each with what rounding may have done to it. Steady coordinates do not count: where they are matters to
// nothing, and a push changes their rate for good.
#pragma once

#include <complex>
#include <vector>

#include "invar/statics/rest_kinds.h"
#include "invar/statics/statics.h"
#include "invar/statics/steady.h"

namespace invar {

struct Stability {
  StabilityKind kind = StabilityKind::first_order;
  std::vector<std::complex<double>> eigenvalues;  // s in 1/s, ascending by real part
  double growth = 0.0;                            // the largest real part, if it is unstable
  double lowest_frequency = 0.0;                  // in Hz, zero if nothing oscillates
  bool by_energy = false;                         // a symmetric stiffness decided
  Matrix open;                                    // directions y without stiffness, besides those of steady coordinates
  Vector downhill;                                // y along which the potential falls most, if it does
};

Stability judge_stability(Statics& statics, const SteadyCoordinates& steady, const StaticPoint& p);

}  // namespace invar
