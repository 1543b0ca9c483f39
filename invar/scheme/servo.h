// Inverse dynamics with the equations of a scheme: the inputs of a step are unknowns, and the outputs s(t,q) are
// prescribed at its end,
//
//   s(t1,q1) = γ(t1)     or     ṡ(t1,q1,v1) = γ'(t1)
//
// A scheme with q1 - q0 = h (v0 + v1)/2 differentiates what is prescribed for q by the trapezoidal rule,
// v1 = 2 (γ1 - γ0)/h - v0, which leaves undamped errors that change their sign in every step. Where inputs act on the
// outputs through further bodies (index 5), each derivative on the way enlarges them by 1/h, until they are of the size
// of the inputs. Prescribed velocities need one derivative less; positions then follow with an error of the order of
// the scheme.
//
// A scheme that uses inputs at both ends of a step has two sets of unknowns and prescribes both.
#pragma once

#include <span>
#include <vector>

#include "invar/dae/dae.h"
#include "invar/scheme/step_symbols.h"

namespace invar {

struct Servo {
  std::vector<ServoTarget> targets = {};  // as many as inputs, or none: then inputs are given
  Level level = Level::position;          // at which outputs that are given by positions are prescribed
};

struct SoughtInputs {
  Exprs before = {};  // symbols of the inputs of the step before, from which the search begins
  Exprs mean = {};    // of the inputs of this step
  double at = 1.0;    // the part of the step to which they belong
};

// Adds the unknowns and equations. InputError if an output stands at acceleration level.
SoughtInputs seek_inputs(const Servo& servo, const Equations& e, const Scheme& scheme, StepSymbols& setup, Residual& r);

}  // namespace invar
