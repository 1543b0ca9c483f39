// The scheme that a task takes for a problem: the one that was asked for, or what suits the system and its formulation.
#pragma once

#include <string>

#include "invar/model/problem/problem.h"
#include "invar/scheme/scheme.h"

namespace invar {

// InputError if there is none of this name, or if the formulation needs another one. `system` is that of the problem,
// perhaps without redundant constraints.
const Scheme& scheme_for(const Problem& problem, const System& system, const std::string& name);

// That of a simulation. InputError also if it cannot do what the settings ask of it: Baumgarte's terms at this step,
// minimal extension.
const Scheme& simulation_scheme(const Problem& problem);

}  // namespace invar
