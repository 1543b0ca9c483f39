// See joint_form.h.
#include "invar/model/mechanism/joint_form.h"

#include <algorithm>

#include "invar/base/error.h"
#include "invar/model/mechanism/assemble.h"
#include "invar/system/joint_form.h"
#include "invar/system/joint_tree.h"

namespace invar {

MinimalForm minimal_form_of(const Mechanism& mechanism, const Exprs& coordinates) {
  const Assembly again = assemble(mechanism);
  MinimalForm form = minimal_form(mechanism, again);
  const Exprs own = positions(again.system);
  if (!form.mapping.tree || own.size() != coordinates.size()) return form;
  JointTree tree = *form.mapping.tree;
  tree.other_potential = substitute(Exprs{tree.other_potential}, own, coordinates)[0];
  form.mapping.tree = std::make_shared<const JointTree>(std::move(tree));
  return form;
}

namespace {

// Free turns have parameters that are nowhere singular, whatever the mechanism asks for where it is written in them.
std::optional<TreeForm> joint_form(const Mechanism& drawn, const Exprs& coordinates) {
  Mechanism mechanism = drawn;
  mechanism.free_turns = FreeTurns::quaternions;
  for (Body& body : mechanism.bodies) body.own_angles = false;
  try {
    MinimalForm minimal = minimal_form_of(mechanism, coordinates);
    if (!minimal.loops.empty() || !minimal.mapping.tree) return std::nullopt;
    return TreeForm{std::move(minimal.mapping), std::move(minimal.start)};
  } catch (const InputError&) {  // it cannot be described so
    return std::nullopt;
  }
}

}  // namespace

void know_joints(System& system, const std::shared_ptr<const Mechanism>& mechanism) {
  const auto is_driven = [](const Joint& joint) { return joint.motion.has_value(); };
  const bool may_be_open = !mechanism->is_flexible() && mechanism->joints.size() <= mechanism->bodies.size() &&
                           mechanism->gears.empty() && mechanism->cables.empty() && mechanism->spins.empty() &&
                           std::ranges::none_of(mechanism->joints, is_driven);
  if (may_be_open)
    system.joints =
        std::make_shared<JointForms>(system, [mechanism, q = positions(system)] { return joint_form(*mechanism, q); });
}

}  // namespace invar
