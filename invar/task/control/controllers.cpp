// The controllers by name. Each is a file of its own; to add one is to add its line.
#include "invar/task/control/controllers.h"

#include <fmt/format.h>

#include "invar/base/error.h"
#include "invar/base/nearest.h"

namespace invar {

using Maker = std::unique_ptr<Controller>(const Problem& problem);
Maker make_feedforward, make_computed_torque, make_output_feedback;

namespace {

struct ControllerKind {
  std::string_view name;
  Maker* make;
};
constexpr ControllerKind controllers[] = {
    {"feedforward", make_feedforward},
    {"computed-torque", make_computed_torque},
    {"output-feedback", make_output_feedback},
};

}  // namespace

std::vector<std::string> controller_names() {
  std::vector<std::string> names;
  for (const ControllerKind& kind : controllers) names.emplace_back(kind.name);
  return names;
}

std::unique_ptr<Controller> make_controller(const Problem& problem) {
  if (problem.targets.empty()) throw InputError("[control]: no output has a trajectory to follow");
  const std::string& wanted = problem.settings.of<ControlSettings>().controller;
  const std::vector<std::string> names = controller_names();
  for (const ControllerKind& kind : controllers)
    if (kind.name == wanted) return kind.make(problem);
  const auto meant = nearest(wanted, names);
  throw InputError(fmt::format(
      "[control]: unknown controller \"{}\"{}", wanted,
      meant ? "; did you mean \"" + *meant + "\"?" : fmt::format("; there are {}", fmt::join(names, ", "))));
}

}  // namespace invar
