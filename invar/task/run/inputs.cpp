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
  many_.reset();
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
  for (const OfProgram& f : functions_) u[f.input] = f(t);
}

double InputValues::OfProgram::operator()(double t) const {
  const double value = function(t);
  if (!std::isfinite(value))
    throw InputError(fmt::format("input \"{}\": its function gives {} at t = {:.6g} s", name, value, t));
  return value;
}

void InputValues::at(std::span<const double> t, std::span<double> u) {
  std::ranges::fill(u, 0.0);
  if (!by_formula_.empty()) formulas_at(t, u);
  for (std::size_t p = 0; p < t.size(); ++p) {
    for (const Samples& s : samples_) u[s.input * t.size() + p] = interpolated(s.time, s.value, t[p]);
    for (const OfProgram& f : functions_) u[f.input * t.size() + p] = f(t[p]);
  }
}

void InputValues::formulas_at(std::span<const double> t, std::span<double> u) {
  if (!many_) {
    many_.emplace(formulas_);
    many_->fill(1, std::span(in_).subspan(1));
  }
  const std::size_t given = references_.symbols().size(), place = in_.size() - given;
  for (std::size_t first = 0; first < t.size(); first += many_->room()) {
    const std::size_t count = std::min(many_->room(), t.size() - first);
    for (std::size_t p = 0; p < count; ++p) {
      many_->set(0, p, t[first + p]);
      if (given == 0) continue;
      references_(t[first + p], std::span(in_).last(given));
      many_->set(place, p, std::span(in_).last(given));
    }
    many_->evaluate(count);
    for (std::size_t k = 0; k < by_formula_.size(); ++k)
      std::ranges::copy(many_->out(k).first(count),
                        u.begin() + static_cast<std::ptrdiff_t>(by_formula_[k] * t.size() + first));
  }
}

}  // namespace invar
