// Rest of a model written as text.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "invar/read/read_problem.h"
#include "invar/statics/held.h"
#include "invar/statics/rest.h"
#include "invar/system/start/start.h"

namespace invar {

inline double coordinate(const System& system, const std::vector<double>& x, const std::string& name) {
  for (std::size_t i = 0; i < system.coordinates.size(); ++i)
    if (system.coordinates[i].name() == name) return x[i];
  ADD_FAILURE() << "no coordinate " << name;
  return 0.0;
}

struct RestOf {
  System system;
  Rest rest;

  double q(const std::string& name) const { return coordinate(system, rest.point.state.q, name); }
  double v(const std::string& name) const { return coordinate(system, rest.point.state.v, name); }
  double lower(const std::string& name) const { return coordinate(system, rest.lower->state.q, name); }
};

// Inputs are zero.
inline RestOf rest_of(const std::string& text, RestMethod method = RestMethod::automatic, const Overrides& set = {}) {
  const Problem problem = read_problem_text(text, "model.toml", set);
  System system = held(problem.system, problem.signals, std::vector<double>(problem.system.inputs.size(), 0.0));
  const Start start = consistent_start(system, {.t = 0.0, .q = problem.q0, .v = problem.v0, .a = {}, .lambda = {}});
  system = without(system, start.redundant);
  Rest rest = find_rest(system, {0.0, start.state.q, start.state.v, {}, {}}, {.method = method});
  return {std::move(system), std::move(rest)};
}

}  // namespace invar
