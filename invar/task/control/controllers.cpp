// The controllers by name. To add one is to add a line; one that needs no header declares its function here.
#include "invar/task/control/controllers.h"

#include <fmt/format.h>

#include "invar/base/error.h"
#include "invar/base/nearest.h"
#include "invar/task/control/computed_torque.h"
#include "invar/task/control/feedforward.h"
#include "invar/task/control/output_feedback.h"

namespace invar {

namespace {

template <class Kind>
std::unique_ptr<Controller> make(const Problem& problem) {
  return std::make_unique<Kind>(problem);
}

struct Entry {
  std::string_view name;
  std::unique_ptr<Controller> (*make)(const Problem&);
};
constexpr Entry controllers[] = {
    {"feedforward", make<Feedforward>},
    {"computed-torque", make<ComputedTorque>},
    {"output-feedback", make<OutputFeedback>},
};

}  // namespace

std::unique_ptr<Controller> make_controller(const Problem& problem) {
  if (problem.targets.empty()) throw InputError("[control]: no output has a trajectory to follow");
  const std::string& wanted = problem.settings.of<ControlSettings>().controller;
  std::vector<std::string> names;
  for (const Entry& entry : controllers) {
    if (entry.name == wanted) return entry.make(problem);
    names.emplace_back(entry.name);
  }
  const auto meant = nearest(wanted, names);
  throw InputError(fmt::format(
      "[control]: unknown controller \"{}\"{}", wanted,
      meant ? "; did you mean \"" + *meant + "\"?" : fmt::format("; there are {}", fmt::join(names, ", "))));
}

}  // namespace invar
