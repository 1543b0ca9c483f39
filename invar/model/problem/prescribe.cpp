// See prescribe.h.
#include "invar/model/problem/prescribe.h"

#include <algorithm>
#include <vector>

#include "invar/base/error.h"
#include "invar/base/message.h"

namespace invar {

void prescribe(Problem& problem, const std::string& output, const TimeFunctionPtr& course) {
  std::vector<std::string> known;
  for (const Quantity& y : problem.system.outputs) known.push_back(y.name);
  const auto found = std::ranges::find(problem.system.outputs, output, &Quantity::name);
  if (found == problem.system.outputs.end())
    throw InputError("unknown output " + in_quotes(output) + suggestion(output, known));
  if (std::ranges::find(problem.targets, output, &ServoTarget::output) != problem.targets.end())
    throw InputError("output " + in_quotes(output) + " is prescribed twice");
  const Variable reference = problem.system.graph.reference(output);
  problem.targets.push_back({output, found->expr, {{output, reference, course}}});
}

}  // namespace invar
