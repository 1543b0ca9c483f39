// Integration of a System whose outputs follow trajectories, with the inputs as unknowns of every step
// (scheme/servo.h): inverse dynamics by any scheme that is made for equations of motion.
//
// Inputs and multipliers of mid-point schemes belong to the middle of a step. Their values at a node are the mean of
// both sides, which also takes out what changes its sign from step to step; at a knot, where they may have a kink, and
// at the end they come from the last three steps, as the combination u + ½ (u_- - u_--) that does so too.
#pragma once

#include <span>

#include "invar/scheme/dae/dae_integration.h"

namespace invar {

// Unknowns and start as in the Dae that servo() makes of the same; `signals` are references that the formulas
// themselves contain.
struct ServoSystem {
  const System& system;
  const std::vector<ServoTarget>& targets;
  const std::vector<Reference>& signals;
  Level level = Level::position;  // at which outputs are prescribed, see servo.h
};

// Steps as in dae_integration.h. InputError if the scheme has no equations of this kind.
DaeMotion integrate(const ServoSystem& servo, const Scheme& scheme, double t0, double t1, double h, const Jet& start,
                    const NewtonOptions& newton = {});

// Values at the nodes t of what is known in the middle of the steps between them. `knots` are ascending.
std::vector<double> at_nodes(std::span<const double> t, std::span<const double> in_steps, double first,
                             std::span<const double> knots);

}  // namespace invar
