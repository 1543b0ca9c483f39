// [[trajectory]]: what outputs shall do over time.
#include <algorithm>
#include <set>

#include "invar/base/message.h"
#include "invar/model/file/course.h"

namespace invar::model {
namespace {

// The outputs that are listed; none may have a trajectory already.
std::vector<const Quantity*> read_outputs(const Reading& reading, Section& section, std::set<std::string>& prescribed) {
  std::vector<const Quantity*> result;
  std::vector<std::string> known;
  for (const Quantity& output : reading.problem.system.outputs) known.push_back(output.name);
  for (const auto& [name, position] : section.strings("outputs")) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) section.fail(position, "unknown output " + in_quotes(name) + suggestion(name, known));
    if (!prescribed.insert(name).second) section.fail(position, "output " + in_quotes(name) + " is prescribed twice");
    result.push_back(&reading.problem.system.outputs[static_cast<std::size_t>(found - known.begin())]);
  }
  return result;
}

std::vector<Course> read_formulas(const Reading& reading, Section& section, const Entry& form, const Wanted& wanted) {
  refuse_details(section, "\"expr\"");
  const Known known{parameters(reading.problem.system), parameter_values(reading.problem.system),
                    reading.problem.signals};
  std::vector<Course> courses;
  const std::vector<const Value*> values = read_entries(section, form, wanted);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string where = section.title() + ": output " + in_quotes(wanted.names[i]);
    const Expr formula = read_formula(reading, *values[i], where, {});
    use_up(reading, {&formula, 1}, where);
    at_position(reading, values[i]->position, where + ": ", [&] {
      Course course{formula_of_time(formula, known), std::nullopt, 0.0};
      if (formula.is_constant()) course.constant = formula.value();
      const std::vector<double> knots = course.function->knots();
      if (!knots.empty()) course.end = knots.back();
      courses.push_back(std::move(course));
    });
  }
  return courses;
}

}  // namespace

void read_trajectories(Reading& reading, Section& top) {
  Problem& problem = reading.problem;
  for (const Reference& signal : problem.signals)
    for (const double knot : signal.function->knots()) reading.end_of_motion = std::max(reading.end_of_motion, knot);
  std::set<std::string> prescribed;
  for (Section& section : top.tables("trajectory", "[[trajectory]]")) {
    if (section.find("orientation")) {
      read_turn(reading, section, prescribed);
      continue;
    }
    const std::vector<const Quantity*> outputs = read_outputs(reading, section, prescribed);
    Wanted wanted{{}, true, true};
    for (const Quantity* output : outputs) wanted.names.push_back(output->name);
    const Entry* form = find_form(section);
    const bool by_formula = form && form->key == "expr";
    const std::vector<Course> courses =
        by_formula ? read_formulas(reading, section, *form, wanted) : read_courses(reading, section, form, wanted);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto& [name, expr] = *outputs[i];
      ServoTarget target{name, expr, {}};
      if (courses[i].constant != 0.0)
        target.follow.push_back({name, problem.system.graph.reference(name), courses[i].function});
      problem.targets.push_back(std::move(target));
      reading.end_of_motion = std::max(reading.end_of_motion, courses[i].end);
    }
  }
}

}  // namespace invar::model
