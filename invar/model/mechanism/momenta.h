// Total momentum and angular momentum, and whether the model leaves them alone.
//
// A motion of all space moves the coordinates along δq; then p·δq is constant if V, constraints, forces and inputs do
// not notice (Noether). A named angle or displacement moves as its own constraint tells.
#pragma once

#include "invar/model/mechanism/assembly.h"

namespace invar {

// momentum.x … and angular_momentum.x … (in the plane momentum.x, momentum.y, angular_momentum.z), about the origin.
void add_momenta(const Mechanism& mechanism, Assembly& assembly);

}  // namespace invar
