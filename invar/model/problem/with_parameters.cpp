// See with_parameters.h. The numbers are those that reading the file with the same values gives, to the last bit: the
// same text is evaluated.
#include "invar/model/problem/with_parameters.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "invar/base/error.h"
#include "invar/base/message.h"
#include "invar/expr/parse.h"

namespace invar {

namespace {

using Values = std::map<std::string, double, std::less<>>;

double number(const std::string& formula, const Values& values, const std::string& where) {
  const auto find = [&](std::string_view name, int order) -> std::optional<Expr> {
    const auto found = values.find(name);
    return found != values.end() && order == 0 ? std::optional<Expr>(found->second) : std::nullopt;
  };
  try {
    return parse(formula, {find, {}}).value();
  } catch (const FormulaError& error) {
    throw InputError(where + ": " + error.what());
  }
}

// The last value counts where one is given twice.
Values checked(const Problem& problem, const Overrides& overrides) {
  std::vector<std::string> known;
  for (const Parameter& p : problem.system.parameters) known.push_back(p.name);
  Values values;
  for (const auto& [name, value] : overrides) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("cannot set unknown parameter " + in_quotes(name) + suggestion(name, known));
    if (!std::isfinite(value)) throw InputError("cannot set parameter " + in_quotes(name) + ": not a finite number");
    values[name] = value;
  }
  return values;
}

void refuse_if_fixed(const Problem& problem, const Parameter& changed, bool given) {
  const auto fixed = problem.parameter_use.fixed.find(changed.name);
  if (fixed == problem.parameter_use.fixed.end()) return;
  throw InputError(std::string("cannot change parameter ") + in_quotes(changed.name) +
                   (given ? "" : ", which follows from those that are set,") + " in a model that is made: " +
                   fixed->second + " was computed from it; read or build the model with the new value");
}

void follow(const std::vector<std::string>& formulas, const Values& values, const Problem& problem, const char* prime,
            std::vector<double>& numbers) {
  for (std::size_t i = 0; i < formulas.size(); ++i)
    if (!formulas[i].empty())
      numbers[i] = number(formulas[i], values, "[initial]: " + in_quotes(problem.system.coordinates[i].name() + prime));
}

}  // namespace

Problem with_parameters(const Problem& problem, const Overrides& overrides) {
  Problem changed = problem;
  if (overrides.empty()) return changed;
  const Values given = checked(problem, overrides);
  Values values;
  for (Parameter& p : changed.system.parameters) {
    const auto formula = problem.parameter_use.formulas.find(p.name);
    const auto set = given.find(p.name);
    double value = p.value;
    if (set != given.end()) {
      value = set->second;
      changed.parameter_use.formulas.erase(p.name);
    } else if (formula != problem.parameter_use.formulas.end()) {
      value = number(formula->second, values, "parameter " + in_quotes(p.name));
    }
    if (value != p.value) refuse_if_fixed(problem, p, set != given.end());
    p.value = value;
    values[p.name] = value;
  }
  follow(problem.parameter_use.q0, values, problem, "", changed.q0);
  follow(problem.parameter_use.v0, values, problem, "'", changed.v0);
  if (problem.plant) {
    Overrides of_plant = overrides;
    for (const auto& own : problem.plant->parameter_use.of_plant) of_plant.push_back(own);
    changed.plant = std::make_shared<Problem>(with_parameters(*problem.plant, of_plant));
  }
  return changed;
}

}  // namespace invar
