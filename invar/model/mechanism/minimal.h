// Joint coordinates of a mechanism: q = F(μ) along a tree of joints, so that the constraints of these hold by
// themselves.
//
// A body moves as its parent does, after the motion that its joint allows: x_now = A x_start + c for all points of a
// body, with
//
//   (A, c)_child = (A, c)_parent ∘ joint,   joint: x ↦ at + rotation(axis, θ)(x - at) + s axis.
//
// Bodies that no joint of the tree carries move freely. What turns freely does so by Euler parameters, with the
// condition that the sum of their squares is one, or by three angles about turning axes x, y, z. Joints that close
// loops, cables and gears stay constraints; so do the named coordinates that belong to them.
#pragma once

#include <string>
#include <vector>

#include "invar/model/mechanism/assembly.h"
#include "invar/system/reduce.h"

namespace invar {

struct MinimalForm {
  Mapping mapping;
  std::vector<double> start, rate;  // μ and μ' at the start
  std::vector<std::string> loops;   // joints that are not in the tree
};

MinimalForm minimal_form(const Mechanism& mechanism, const Assembly& assembly);

}  // namespace invar
