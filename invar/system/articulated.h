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
// A ball has three freedoms, the axes of the link, which are eliminated one after the other; its accelerations become
// those of Euler parameters of length one.
//
// Gravity is an acceleration of the ground; all other forces are in τ.
#pragma once

#include <optional>

#include "invar/system/equations.h"
#include "invar/system/joint_tree.h"

namespace invar {

struct ArticulatedMotion {
  Exprs acceleration;  // μ'', in the order of the coordinates
  Exprs inertia;       // D of all freedoms, link by link: what one feels if those farther out follow as they like
};
// By coordinates: accelerations that are given, for which the joints have whatever forces it takes; none of a ball.
using LedFreedoms = std::vector<std::optional<Expr>>;
// An entry of `force` is τ of a coordinate.
ArticulatedMotion articulated_motion(const JointTree& tree, const Exprs& q, const Exprs& v, const Exprs& force,
                                     const LedFreedoms& led = {});

// The sizes of what each D is the difference of: so much of it, times the precision of numbers, is rounding error.
Exprs inertia_terms(const JointTree& tree, const Exprs& q);

// Does its tree describe the system, with no loops, cables and gears? The only constraints, if any, are the conditions
// of balls.
bool is_open_tree(const System& system);

// The forces τ of an open tree, in t, q, v and u.
Exprs tree_forces(const System& system, const Equations& e);

// The accelerations with these forces; nothing if the system is no open tree.
Exprs tree_accelerations(const System& system, const Equations& e);

}  // namespace invar
