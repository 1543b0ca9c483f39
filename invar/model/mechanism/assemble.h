// From bodies and joints to equations, in redundant coordinates without rotations.
//
// A body in space is its centre of mass φ and three directors d_i, 12 coordinates with constant mass,
//
//   T = ½ m φ'·φ' + ½ Σ E_ij d_i'·d_j',   E = ½ tr(J) I - J,   d_i·d_j = δ_ij,
//
// in the plane 6, a point mass 3 or 2. Joints are constraints (joint_equations.h). An angle or displacement with a
// name, and the length of a wound cable, are further coordinates, tied to the others by one constraint each
// ("coordinate augmentation"), so that drives and springs act on them directly. How forces and torques enter is in
// loads.h, which makes balances of energy and angular momentum exact in the discrete equations too.
// [P. Betsch, S. Leyendecker, Int. J. Numer. Meth. Engng 67 (2006) 499; R. Siebert, Mechanical integrators for the
// optimal control in multibody dynamics, Univ. Siegen 2012, ch. 4]
#pragma once

#include "invar/model/mechanism/assembly.h"

namespace invar {

// How the damping of an angle acts. Both are the same in continuous time; as torques between the bodies it does not
// depend, in the discrete equations, on whether the angle is a coordinate, while in minimal coordinates its rate is
// simply there.
enum class Friction { between_bodies, on_angles };

// InputError that names the part at fault.
Assembly assemble(const Mechanism& mechanism, Friction friction = Friction::between_bodies);

}  // namespace invar
