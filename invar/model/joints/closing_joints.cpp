// Joints that hold a point of one body at a distance from one of the other, or on a line or a plane of it; they close
// loops only.
#include "invar/model/joints/joint_kinds.h"
#include "invar/model/mechanism/freedoms.h"
#include "invar/model/mechanism/joint_equations.h"

namespace invar {

const JointKind distance_joint = {
    .name = "distance",
    .to = true,
    .in_plane = true,
    .points = JointKind::Points::both,
    .constrain =
        [](const Joint& joint, JointEquations& e) {
          const Vec x = e.frames().at_b - e.frames().at_a;
          e.add("length", 0.5 * (dot(x, x) - (joint.to - joint.at).squaredNorm()));
        },
    .in_reduced_chains = false,
};

const JointKind point_on_line_joint = {
    .name = "point-on-line",
    .axis = true,
    .in_plane = true,
    .points = JointKind::Points::second,
    .slide = true,
    .parts = true,
    .constrain = [](const Joint&, JointEquations& e) { e.on_line(); },
    .in_reduced_chains = false,
};

const JointKind point_on_plane_joint = {
    .name = "point-on-plane",
    .axis = true,
    .points = JointKind::Points::second,
    .parts = true,
    .constrain = [](const Joint&, JointEquations& e) { e.on_plane(); },
    .in_reduced_chains = false,
};

}  // namespace invar
