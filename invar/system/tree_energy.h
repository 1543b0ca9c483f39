// Energies of a tree of bodies, body by body in its own axes: their length grows with the number of bodies, and momenta
// and equations of motion that follow by differentiation are as short.
//
//   T = Σ ½ m |v_C|² + ½ ωᵀ J_C ω,    V = -Σ m g·x_C
#pragma once

#include "invar/system/joint_tree.h"

namespace invar {

// In the coordinates of the system and their rates.
Expr tree_kinetic(const JointTree& tree, const Exprs& q, const Exprs& v);
// Of gravity.
Expr tree_potential(const JointTree& tree, const Exprs& q);

}  // namespace invar
