// See batch_parameters.h.
#include "invar/task/batch/batch_parameters.h"

#include <algorithm>
#include <set>

#include "invar/expr/parse.h"

namespace invar {

KernelParameters batch_parameters(const Problem& problem, const std::vector<std::string>& varied) {
  std::set<std::string, std::less<>> differing(varied.begin(), varied.end());
  KernelParameters result;
  for (const Parameter& p : problem.system.parameters) {
    const auto formula = problem.parameter_use.formulas.find(p.name);
    if (formula != problem.parameter_use.formulas.end()) {
      bool follows = false;
      const auto look = [&](std::string_view name, int) -> std::optional<Expr> {
        follows = follows || differing.contains(name);
        return Expr(1.5);  // any number at which formulas have values, or not
      };
      try {
        parse(formula->second, {look, {}});
      } catch (const FormulaError&) {
        follows = true;
      }
      if (follows) differing.insert(p.name);
    }
    if (differing.contains(p.name)) result.own.push_back(result.values.size());
    result.values.push_back(p.value);
  }
  return result;
}

std::vector<std::string> names_in(std::span<const Overrides> cases) {
  std::set<std::string> names;
  for (const Overrides& one : cases)
    for (const auto& [name, value] : one) names.insert(name);
  return {names.begin(), names.end()};
}

}  // namespace invar
