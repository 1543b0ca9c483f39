// What a step with unknowns is made of: its functions, and where their arguments stand.
//
//   unknowns | t0, h | q0, v0, λ0, carried | u at each fraction | parameters | pace, part of the step | given functions
#pragma once

#include <memory>
#include <vector>

#include "invar/base/pattern.h"
#include "invar/system/reference.h"
#include "invar/tape/function.h"

namespace invar {

struct StepFormulas {
  struct Given {
    std::shared_ptr<const TimeFunction> function;
    std::size_t order;
  };

  Function residual;  // the residual, then the Jacobian in the places of the pattern
  Function guess;     // of the unknowns
  Function carry;     // the next node, like q0, v0, λ0, carried
  Function start;     // what the first node carries, of h, q, v, a, λ and the parameters
  Function instants;  // of the given functions, of t0 and h
  Pattern pattern;
  std::vector<int> kinds;         // of the unknowns
  std::vector<double> fractions;  // of a step at which inputs are needed
  std::vector<Given> given;
  std::size_t node, node_size, inputs, input_width, parameters, parameter_count;  // places and sizes

  std::size_t unknowns() const { return kinds.size(); }
  std::size_t pace() const { return parameters + parameter_count; }
  std::size_t first_given() const { return pace() + 2; }
};

}  // namespace invar
