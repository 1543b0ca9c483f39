// Joints that hold a point: fixed, revolute, universal and spherical.
#include <Eigen/Geometry>

#include "invar/model/joints/joint_kinds.h"
#include "invar/model/mechanism/freedoms.h"
#include "invar/model/mechanism/joint_equations.h"

namespace invar {

const JointKind fixed_joint = {
    .name = "fixed",
    .anywhere = true,
    .in_plane = true,
    .constrain =
        [](const Joint&, JointEquations& e) {
          e.same_point();
          e.same_orientation();
        },
    .move = [](const Joint&, Freedoms&) { return Displacement{}; },
};

const JointKind revolute_joint = {
    .name = "revolute",
    .axis = true,
    .in_plane = true,
    .pinned_points = JointKind::Points::both,
    .angle = true,
    .constrain =
        [](const Joint&, JointEquations& e) {
          e.same_point();
          e.same_axis();
        },
    .move = [](const Joint&, Freedoms& f) { return f.turn(); },
};

const JointKind universal_joint = {
    .name = "universal",
    .axis = true,
    .second_axis = true,
    .constrain =
        [](const Joint& joint, JointEquations& e) {
          e.same_point();
          e.add("cross", dot(e.frames().a[2], e.frames().second_b[2]) -
                             joint.axis.normalized().dot(joint.second_axis.normalized()));
        },
    .move =
        [](const Joint&, Freedoms& f) {
          const Displacement first = f.turn(Freedoms::Axis::first, ".angle1"),
                             second = f.turn(Freedoms::Axis::second, ".angle2");
          return f.compose(first, second);
        },
};

const JointKind spherical_joint = {
    .name = "spherical",
    .points = JointKind::Points::both,
    .constrain = [](const Joint&, JointEquations& e) { e.same_point(); },
    .move = [](const Joint&, Freedoms& f) { return f.turn_freely(); },
};

}  // namespace invar
