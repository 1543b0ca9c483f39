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

StateBlock::StateBlock(const StateFunction& f)
    : coordinates_(f.coordinates_),
      lambda_(1 + 3 * coordinates_),
      u_(lambda_ + f.multipliers_),
      given_place_(u_ + f.inputs_ + f.parameters_.size()),
      references_(f.references_),
      given_(references_.symbols().size()),
      points_(f.function_) {
  points_.fill(u_ + f.inputs_, f.parameters_);
}

void StateBlock::add(double t, std::span<const double> q, std::span<const double> v, std::span<const double> lambda,
                     std::span<const double> u) {
  expects(!is_full() && q.size() == coordinates_ && v.size() == coordinates_, "room for a state of this system");
  points_.set(0, count_, t);
  points_.set(1, count_, q);
  points_.set(1 + coordinates_, count_, v);
  points_.set(lambda_, count_, lambda);
  points_.set(u_, count_, u);
  if (!given_.empty()) {
    references_(t, given_);
    points_.set(given_place_, count_, given_);
  }
  ++count_;
}

void StateBlock::evaluate() { points_.evaluate(count_); }

}  // namespace invar
