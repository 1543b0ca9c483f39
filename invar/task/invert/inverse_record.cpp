// See inverse_record.h.
#include "invar/task/invert/inverse_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "invar/base/error.h"
#include "invar/record/watch.h"

namespace invar {

namespace {

// Outputs and what a system shows besides; what is a coordinate, or an output, under its own name has its column
// already.
std::vector<Quantity> seen_of(const System& system) {
  std::unordered_map<std::string, Expr> known;
  for (const Variable& x : system.coordinates) known.try_emplace(x.name(), at(x));
  std::vector<Quantity> seen;
  for (const std::vector<Quantity>* list : {&system.outputs, &system.shown})
    for (const Quantity& y : *list) {
      const auto [found, added] = known.try_emplace(y.name, y.expr);
      if (added || found->second != y.expr) seen.push_back(y);
    }
  return seen;
}

// Everything that is a formula of the unknowns and references, as the equations of a Dae to be evaluated along jets.
Dae observation(const Problem& problem, const Dae& dae) {
  Dae d = dae;
  d.equations.clear();
  auto add = [&](const std::string& name, const Expr& expr) {
    d.equations.push_back({name, expr, EquationKind::servo});
  };
  const System& system = problem.system;
  for (const Constraint& c : system.constraints)
    if (!c.tension.is_constant(0.0)) add("tension." + c.name, c.tension * at(c.multiplier));
  for (const Quantity& y : seen_of(system)) add(y.name, y.expr);
  for (const ServoTarget& t : problem.targets)
    for (const Reference& r : t.follow) add("reference." + t.output, at(r.value));
  for (const ServoTarget& t : problem.targets)
    add("error." + t.output, t.follow.empty() ? t.expr : t.expr - at(t.follow[0].value));
  add("energy.kinetic", system.kinetic);
  add("energy.potential", system.potential);
  add("energy.total", system.kinetic + system.potential);
  return d;
}

// `between t = 1.65 and t = 2.42, between t = 2.8 and t = 3`, or nothing if the values never are negative.
std::string negative_spans(const std::vector<double>& t, const std::vector<double>& value) {
  double largest = 0.0;
  for (double x : value) largest = std::max(largest, std::abs(x));
  const double noise = 1e-9 * largest;
  std::string spans;
  for (std::size_t first = 0; first < value.size(); ++first) {
    if (value[first] >= -noise) continue;
    std::size_t last = first;
    while (last + 1 < value.size() && value[last + 1] < -noise) ++last;
    spans += fmt::format("{}between t = {:.4g} s and t = {:.4g} s", spans.empty() ? "" : ", ", t[first], t[last]);
    first = last;
  }
  return spans;
}

}  // namespace

InverseRecord::InverseRecord(const Problem& problem, const Dae& dae, bool conditioned)
    : problem_(problem),
      dae_(dae),
      observed_(observation(problem, dae), JetEvaluator::Needs::values),
      conditioned_(conditioned) {
  std::vector<std::string>& columns = trajectory_.columns;
  columns.push_back("t");
  for (const Variable& q : problem.system.coordinates) columns.push_back(q.name());
  for (const Variable& q : problem.system.coordinates) columns.push_back(q.name() + "'");
  for (std::size_t j = problem.system.coordinates.size(); j < dae_.unknowns.size(); ++j)
    columns.push_back(dae_.unknowns[j].name);
  for (const DaeEquation& e : observation(problem, dae_).equations) {
    columns.push_back(e.name);
    if (e.name.starts_with("tension.")) tensions_.push_back(e.name);
    if (e.name.starts_with("error.")) errors_.push_back(columns.size() - 1);
  }
  if (conditioned_) columns.push_back("conditioning");
}

void InverseRecord::add(std::span<const Jet* const> jets, std::span<const double> conditioning) {
  const std::size_t n = problem_.system.coordinates.size();
  const std::span<const double> observed = observed_.values_at(jets);
  for (std::size_t p = 0; p < jets.size(); ++p) {
    const Jet& jet = *jets[p];
    const std::span<double> row = trajectory_.append();
    double* next = row.data();
    *next++ = jet.t;
    for (std::size_t j = 0; j < n; ++j) *next++ = jet.x[j][0];
    for (std::size_t j = 0; j < n; ++j) *next++ = jet.x[j].size() > 1 ? jet.x[j][1] : 0.0;
    for (std::size_t j = n; j < jet.x.size(); ++j) *next++ = jet.x[j][0];
    for (std::size_t i = p; i < observed.size(); i += jets.size()) *next++ = observed[i];
    if (conditioned_) *next++ = conditioning[p];
    expects(next == row.data() + row.size(), "one number per column");
    for (const std::size_t error : errors_) largest_servo_error_ = std::max(largest_servo_error_, std::abs(row[error]));
  }
}

Trajectory InverseRecord::inputs() const {
  Trajectory t;
  t.columns = {"t"};
  for (const Input& u : problem_.system.inputs) t.columns.push_back(u.name);
  std::vector<std::size_t> places;
  for (const std::string& column : t.columns) places.push_back(trajectory_.index(column));
  t.reserve(trajectory_.rows());
  for (std::size_t k = 0; k < trajectory_.rows(); ++k) {
    const std::span<const double> all = trajectory_.row(k);
    const std::span<double> row = t.append();
    for (std::size_t i = 0; i < places.size(); ++i) row[i] = all[places[i]];
  }
  return t;
}

std::string InverseRecord::tension_in_words() const {
  std::string text;
  for (const std::string& name : tensions_) {
    const std::vector<double> value = trajectory_.column(name);
    const auto least = std::min_element(value.begin(), value.end());
    if (least == value.end() || *least < 0.0) continue;
    text += fmt::format(" {} stays positive, least {:.4g} N at t = {:.4g} s.", name, *least,
                        trajectory_.value(static_cast<std::size_t>(least - value.begin()), "t"));
  }
  return text;
}

std::vector<std::string> InverseRecord::warnings() const {
  std::vector<std::string> list;
  const std::vector<double> t = trajectory_.column("t");
  for (const std::string& name : tensions_) {
    const std::vector<double> value = trajectory_.column(name);
    if (const std::string spans = negative_spans(t, value); !spans.empty()) {
      const auto least = std::min_element(value.begin(), value.end());
      list.push_back(fmt::format("{} is negative {} (down to {:.4g} N at t = {:.4g} s): a cable cannot push", name,
                                 spans, *least, t[static_cast<std::size_t>(least - value.begin())]));
    }
  }
  for (std::string& words : watch(problem_.system, problem_.signals, trajectory_)) list.push_back(std::move(words));
  return list;
}

}  // namespace invar
