// The controllers by name. To add one is to add a line.
#include "invar/task/controller.h"

#include <fmt/format.h>

#include "invar/expr/error.h"
#include "invar/expr/parse.h"
#include "invar/model/profile.h"
#include "invar/task/computed_torque.h"
#include "invar/task/feedforward.h"
#include "invar/task/output_feedback.h"

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

std::vector<Reference> all_references(const Problem& problem) {
  std::vector<Reference> all = problem.signals;
  for (const ServoTarget& target : problem.targets) all.insert(all.end(), target.follow.begin(), target.follow.end());
  return all;
}

Problem standing_still(Problem problem) {
  problem.control.until = problem.control.period;
  for (ServoTarget& target : problem.targets)
    for (Reference& r : target.follow) {
      double value = 0.0;
      r.function->series(0.0, Side::right, {&value, 1});
      r.function = constant_function(value);
    }
  for (Reference& r : problem.signals) {
    double value = 0.0;
    r.function->series(0.0, Side::right, {&value, 1});
    r.function = constant_function(value);
  }
  return problem;
}

std::unique_ptr<Controller> make_controller(const Problem& problem) {
  if (problem.targets.empty()) throw InputError("[control]: no output has a trajectory to follow");
  std::vector<std::string> names;
  for (const Entry& entry : controllers) {
    if (entry.name == problem.control.controller) return entry.make(problem);
    names.emplace_back(entry.name);
  }
  const auto meant = nearest(problem.control.controller, names);
  throw InputError(fmt::format(
      "[control]: unknown controller \"{}\"{}", problem.control.controller,
      meant ? "; did you mean \"" + *meant + "\"?" : fmt::format("; there are {}", fmt::join(names, ", "))));
}

}  // namespace invar
