// Orientations and inertia tensors from the numbers in a file.
#pragma once

#include <span>

#include "invar/model/mechanism/mechanism.h"

namespace invar {

// Of length one; InputError if it is zero. w first.
Matrix3 rotation_from_quaternion(std::span<const double> wxyz);
// By rows; InputError if the columns are not orthonormal to six digits, or left-handed.
Matrix3 rotation_from_matrix(std::span<const double> numbers);
// Turns about the axes x, y and z that have turned with the body: R = Rx(a) Ry(b) Rz(c).
Matrix3 rotation_from_bryant(std::span<const double> angles);

// From xx yy zz, or xx yy zz xy xz yz (entries of the tensor), or all nine. The principal moments of a body are not
// negative, and none exceeds the sum of the others, since J_x + J_y - J_z = 2 ∫ z² dm. InputError otherwise.
Matrix3 inertia_from(std::span<const double> numbers);

}  // namespace invar
