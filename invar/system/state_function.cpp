// See state_function.h; the order of the arguments is t, q, v, a, λ, u, parameters, references.
#include "invar/system/state_function.h"

#include "invar/base/error.h"

namespace invar {

namespace {

Exprs arguments(const System& system, const Exprs& references) {
  Exprs all = {system.graph.time()};
  for (const Exprs& part : {positions(system), velocities(system), accelerations(system), multipliers(system),
                            inputs(system), parameters(system), references})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

StateFunction::StateFunction(const System& system, std::span<const Expr> outputs, std::span<const Reference> references)
    : coordinates_(system.coordinates.size()),
      multipliers_(system.constraints.size()),
      inputs_(system.inputs.size()),
      parameters_(parameter_values(system)),
      references_(outputs, references),
      function_(arguments(system, references_.symbols()), outputs) {}

std::vector<double> StateFunction::operator()(const State& state, std::span<const double> u) {
  std::vector<double> in = {state.t};
  auto append = [&](std::span<const double> part, std::size_t size) {
    expects(part.empty() || part.size() == size, "a state of this system");
    in.insert(in.end(), part.begin(), part.end());
    if (part.empty()) in.resize(in.size() + size, 0.0);
  };
  append(state.q, coordinates_);
  append(state.v, coordinates_);
  append(state.a, coordinates_);
  append(state.lambda, multipliers_);
  append(u, inputs_);
  append(parameters_, parameters_.size());
  std::vector<double> given(references_.symbols().size());
  references_(state.t, given);
  append(given, given.size());
  std::vector<double> out(function_.output_count());
  function_(in, out, scratch_);
  return out;
}

void StateFunction::set_parameters(std::span<const double> values) {
  expects(values.size() == parameters_.size(), "a value for every parameter");
  parameters_.assign(values.begin(), values.end());
}

}  // namespace invar
