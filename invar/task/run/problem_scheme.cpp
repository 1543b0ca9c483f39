// See problem_scheme.h.
#include "invar/task/run/problem_scheme.h"

#include <fmt/format.h>

#include "invar/base/error.h"
#include "invar/scheme/choose.h"

namespace invar {

const Scheme& scheme_for(const Problem& problem, const System& system, const std::string& name) {
  const bool lie = problem.formulation == Formulation::lie;
  const Scheme& scheme = choose_scheme(system, lie && name == "auto" ? "lie-rk4" : name);
  if (lie && !scheme.info.on_rotations)
    throw InputError(fmt::format(
        "formulation \"lie\" needs a method on the rotation group, such as lie-rk4, and not {}", scheme.info.name));
  return scheme;
}

}  // namespace invar
