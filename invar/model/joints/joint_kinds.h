// All kinds of joints. A new kind is a file of its own and its name in the two lists below.
#pragma once

#include <array>

#include "invar/model/mechanism/joint_kind.h"

namespace invar {

extern const JointKind fixed_joint, revolute_joint, prismatic_joint, cylindrical_joint, spherical_joint,
    universal_joint, planar_joint, distance_joint, point_on_line_joint, point_on_plane_joint, screw_joint, slot_joint;

inline constexpr std::array joint_kinds = {
    &fixed_joint,  &revolute_joint, &prismatic_joint,     &cylindrical_joint,    &spherical_joint, &universal_joint,
    &planar_joint, &distance_joint, &point_on_line_joint, &point_on_plane_joint, &screw_joint,     &slot_joint,
};

}  // namespace invar
