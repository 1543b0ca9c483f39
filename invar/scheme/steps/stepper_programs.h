// What a Stepper never changes: tapes of a step, and where their numbers stand. See stepper.h.
#pragma once

#include "invar/scheme/steps/stepper.h"

namespace invar {

struct Stepper::Given {
  std::shared_ptr<const TimeFunction> function;
  std::size_t order;
};

struct Stepper::Group {
  std::size_t first, size;        // equations and unknowns
  Pattern pattern;                // of the Jacobian
  Function residual;              // residual, then Jacobian values
  std::optional<Function> alone;  // the residual, for factors that are kept
  std::vector<int> kinds;         // of the unknowns
  std::optional<CoupledStages> coupled = {};
  bool linear = false;
};

struct Stepper::Programs {
  std::vector<Group> groups;
  Function guess;                         // first guess of the unknowns
  Function carry;                         // the new node: q, v, λ and what it carries
  Function start;                         // the same for the first node
  Function instants;                      // at which the given functions are needed, of t0 and h
  std::optional<Function> inside, error;  // q, v, λ; of q and v
  std::vector<Given> given;
  std::vector<std::string> equations, unknowns;  // names
  NewtonOptions newton;
  std::size_t inputs, input_width, parameters, parameter_count;  // places in in_ and sizes
  std::vector<double> fractions;                                 // of a step at which inputs are needed
};

}  // namespace invar
