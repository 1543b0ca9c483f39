// Inputs of a flat system for many points, each with parameters of its own, instant after instant: what step_program.h
// calls a step is the way to the next instant, where the sweeps of all stages (invar/dae/sweep.h) solve the equations.
//
// A point begins at the node's guess, which may be the solution for other values of the parameters; the first step may
// be of no length. From the second instant on those before lead to the next, in the end by the cubic through four. A
// point is left where that is worthless for values, or where the sweeps do not contract; derivatives may jump where
// pieces of the given functions meet.
//
//   node   values that are wanted | coefficients of the guess
//   row    t | coefficients of the given functions of time there
#pragma once

#include <span>
#include <vector>

#include "invar/dae/sweep.h"
#include "invar/device/step_program.h"

namespace invar {

struct WantedValue {
  std::size_t unknown, order;  // the derivative of this order, of which the sweep has the coefficient
};

// For a sweep whose own parameters are `own` many; `samples` are jets all along the path. The wanted values are
// watched, over each so many steps.
StepProgram instant_program(const Sweep& sweep, std::span<const Jet> samples, std::span<const WantedValue> wanted,
                            std::size_t own, std::size_t every = 1);

// The node of a point that begins at this jet.
std::vector<double> instant_node(const Sweep& sweep, const Jet& jet, std::span<const WantedValue> wanted);

}  // namespace invar
