// See controller.h.
#include "invar/task/control/controller.h"

#include "invar/model/trajectory/profile.h"

namespace invar {

std::vector<Reference> all_references(const Problem& problem) {
  std::vector<Reference> all = problem.signals;
  for (const ServoTarget& target : problem.targets) all.insert(all.end(), target.follow.begin(), target.follow.end());
  return all;
}

Problem standing_still(Problem problem) {
  ControlSettings& settings = problem.settings.of<ControlSettings>();
  settings.until = settings.period;
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

}  // namespace invar
