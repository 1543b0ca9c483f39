// Joints whose second body slides along or across an axis of the first: prismatic, cylindrical, screw and planar.
#include <numbers>

#include "invar/base/error.h"
#include "invar/model/joints/joint_kinds.h"
#include "invar/model/mechanism/freedoms.h"
#include "invar/model/mechanism/joint_equations.h"

namespace invar {

namespace {

double advance_per_radian(const Joint& joint) { return joint.pitch / (2.0 * std::numbers::pi); }

}  // namespace

const JointKind prismatic_joint = {
    .name = "prismatic",
    .axis = true,
    .anywhere = true,
    .in_plane = true,
    .slide = true,
    .parts = true,
    .constrain =
        [](const Joint&, JointEquations& e) {
          e.on_line();
          e.same_orientation();
        },
    .move = [](const Joint&, Freedoms& f) { return f.slide(); },
};

const JointKind cylindrical_joint = {
    .name = "cylindrical",
    .axis = true,
    .angle = true,
    .slide = true,
    .parts = true,
    .constrain =
        [](const Joint&, JointEquations& e) {
          e.on_line();
          e.same_axis();
        },
    .move =
        [](const Joint&, Freedoms& f) {
          const Displacement turned = f.turn();
          return after(f.slide(), turned);
        },
};

const JointKind screw_joint = {
    .name = "screw",
    .axis = true,
    .pitch = true,
    .angle = true,
    .slide = true,
    .always_named = true,
    .parts = true,
    .constrain =
        [](const Joint& joint, JointEquations& e) {
          expects(joint.angle && joint.slide, "a screw knows its angle and its advance");
          e.on_line();
          e.same_axis();
          e.add("thread", (at(joint.slide->variable) - joint.slide->start) -
                              advance_per_radian(joint) * (at(joint.angle->variable) - joint.angle->start));
        },
    .move = [](const Joint& joint, Freedoms& f) { return f.screw(advance_per_radian(joint)); },
    .in_reduced_chains = false,
};

const JointKind planar_joint = {
    .name = "planar",
    .axis = true,
    .anywhere = true,
    .parts = true,
    .constrain =
        [](const Joint&, JointEquations& e) {
          e.on_plane();
          e.same_axis();
        },
    .move =
        [](const Joint&, Freedoms& f) {
          const Displacement x = f.slide(Freedoms::Direction::side1), y = f.slide(Freedoms::Direction::side2);
          return f.compose(after(x, y), f.turn());
        },
};

}  // namespace invar
