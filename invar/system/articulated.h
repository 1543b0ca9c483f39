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

#include <optional>

#include "invar/system/equations.h"
#include "invar/system/joint_tree.h"

namespace invar {

// In the order of the coordinates.
struct ArticulatedMotion {
  Exprs acceleration;  // μ''
  Exprs inertia;       // D: what a freedom feels if those farther out follow as they like
};
// By coordinates: accelerations that are given, for which the joints have whatever forces it takes.
using LedFreedoms = std::vector<std::optional<Expr>>;
// An entry of `force` is τ of a coordinate.
ArticulatedMotion articulated_motion(const JointTree& tree, const Exprs& q, const Exprs& v, const Exprs& force,
                                     const LedFreedoms& led = {});

// The sizes of what each D is the difference of: so much of it, times the precision of numbers, is rounding error.
Exprs inertia_terms(const JointTree& tree, const Exprs& q);

// The forces τ of a system that its tree describes, in t, q, v, λ and u; nothing if no tree does.
Exprs tree_forces(const System& system, const Equations& e);

// The accelerations with these forces.
Exprs tree_accelerations(const System& system, const Equations& e);

}  // namespace invar
