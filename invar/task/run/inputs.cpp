// See inputs.h.
#include "invar/task/run/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"

namespace invar {

namespace {

std::size_t index_of(const System& system, const std::string& name) {
  for (std::size_t i = 0; i < system.inputs.size(); ++i)
    if (system.inputs[i].name == name) return i;
  throw InputError("inputs: the system has no input \"" + name + "\"");
}

Exprs formulas(const std::vector<InputSignal>& signals) {
  Exprs values;
  for (const InputSignal& s : signals)
    if (s.formula) values.push_back(*s.formula);
  return values;
}

Function function(const System& system, const std::vector<InputSignal>& signals, const Exprs& references) {
  Exprs arguments = {system.graph.time()};
  for (const Parameter& p : system.parameters) arguments.push_back(p.symbol);
  arguments.insert(arguments.end(), references.begin(), references.end());
  return {arguments, formulas(signals)};
}

double interpolated(const std::vector<double>& time, const std::vector<double>& value, double t) {
  if (t <= time.front()) return value.front();
  if (t >= time.back()) return value.back();
  const auto after = std::upper_bound(time.begin(), time.end(), t);
  const auto i = static_cast<std::size_t>(after - time.begin());
  const double share = (t - time[i - 1]) / (time[i] - time[i - 1]);
  return value[i - 1] + share * (value[i] - value[i - 1]);
}

}  // namespace

InputValues::InputValues(const System& system, const std::vector<InputSignal>& signals,
                         const std::vector<Reference>& references)
    : references_(formulas(signals), references), formulas_(function(system, signals, references_.symbols())) {
  for (const InputSignal& s : signals) {
    const std::size_t input = index_of(system, s.input);
    if (s.formula)
      by_formula_.push_back(input);
    else if (s.function)
      functions_.push_back({input, s.input, s.function});
    else
      samples_.push_back({input, s.time, s.value});
  }
  in_.resize(formulas_.input_count());
  set_parameters(parameter_values(system));
  out_.resize(by_formula_.size());
}

void InputValues::set_parameters(std::span<const double> values) {
  expects(1 + values.size() + references_.symbols().size() == in_.size(), "a value for every parameter");
  std::copy(values.begin(), values.end(), in_.begin() + 1);
}

void InputValues::operator()(double t, std::span<double> u) {
  std::fill(u.begin(), u.end(), 0.0);
  if (!by_formula_.empty()) {
    in_[0] = t;
    references_(t, std::span(in_).last(references_.symbols().size()));
    formulas_(in_, out_, scratch_);
    for (std::size_t k = 0; k < out_.size(); ++k) u[by_formula_[k]] = out_[k];
  }
  for (const Samples& s : samples_) u[s.input] = interpolated(s.time, s.value, t);
  for (const OfProgram& f : functions_) {
    u[f.input] = f.function(t);
    if (!std::isfinite(u[f.input]))
      throw InputError(fmt::format("input \"{}\": its function gives {} at t = {:.6g} s", f.name, u[f.input], t));
  }
}

}  // namespace invar
