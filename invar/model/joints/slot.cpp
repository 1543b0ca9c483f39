// A pin in a slot: a point of the second body on a line of the first, while the axis of the pin keeps its direction in
// both. The second body slides along `axis` and turns about `second_axis`; in the plane that is z.
#include "invar/model/joints/joint_kinds.h"
#include "invar/model/mechanism/freedoms.h"
#include "invar/model/mechanism/joint_equations.h"

namespace invar {

const JointKind slot_joint = {
    .name = "slot",
    .axis = true,
    .second_axis = true,
    .in_plane = true,
    .pinned_points = JointKind::Points::second,
    .angle = true,
    .slide = true,
    .turns_about_second_axis = true,
    .parts = true,
    .constrain =
        [](const Joint&, JointEquations& e) {
          e.on_line();
          e.same_second_axis();
        },
    .move =
        [](const Joint&, Freedoms& f) {
          const Displacement turned = f.turn(Freedoms::Axis::second);
          return f.compose(f.slide(), turned);
        },
};

}  // namespace invar
