// Accelerations of a tree of bodies by the articulated-body algorithm, as formulas whose length grows with the number
// of bodies: no mass matrix is made, and none is factorised
// [R. Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, sec. 7.3].
//
// In axes of the link, with inertia I, motion s of its joint and velocity v,
//
//   outward:  v = X v_parent + s μ',   c = v × s μ',   I_A = I,   p = v ×* I v
//   inward:   U = I_A s,   D = sᵀU,   u = τ - sᵀp;   to the parent: I_A - U Uᵀ/D  and  p + (I_A - U Uᵀ/D) c + U u/D
//   outward:  a = X a_parent + c,   μ'' = (u - Uᵀa)/D,   a += s μ''
//
// Gravity is an acceleration of the ground; all other forces are in τ.
#pragma once

#include "invar/system/equations.h"
#include "invar/system/joint_tree.h"

namespace invar {

// μ'' of the links, in the order of the coordinates. An entry of `force` is τ of a coordinate.
Exprs articulated_accelerations(const JointTree& tree, const Exprs& q, const Exprs& v, const Exprs& force);

// q'' of a system in t, q, v, λ and u, where its tree describes it; nothing otherwise.
Exprs tree_accelerations(const System& system, const Equations& e);

}  // namespace invar
