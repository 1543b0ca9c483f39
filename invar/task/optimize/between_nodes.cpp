// See between_nodes.h.
#include "invar/task/optimize/between_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"
#include "invar/system/equations.h"

namespace invar {

namespace {

std::vector<std::size_t> limits_of_states(const OptimalTask& task) {
  std::vector<std::size_t> list;
  Exprs others = inputs(task.system);
  append(others, multipliers(task.system));
  for (std::size_t i = 0; i < task.settings.bounds.size(); ++i)
    if (!depends(task.settings.bounds[i].formula, others)) list.push_back(i);
  return list;
}

Exprs formulas_of(const OptimalTask& task, const std::vector<std::size_t>& limits) {
  Exprs list;
  for (const std::size_t i : limits) list.push_back(task.settings.bounds[i].formula);
  return list;
}

// Of every formula by q and v.
Exprs slopes_of(const OptimalTask& task, const std::vector<std::size_t>& limits) {
  Exprs state = positions(task.system), list;
  append(state, velocities(task.system));
  for (const Expr& f : formulas_of(task, limits)) append(list, gradient(f, state));
  return list;
}

Exprs arguments_of_states(const OptimalTask& task, const Exprs& references) {
  Exprs all = {task.system.graph.time()};
  for (const Exprs& part : {positions(task.system), velocities(task.system), parameters(task.system), references})
    append(all, part);
  return all;
}

std::size_t samples_per_interval(std::size_t intervals, bool of_time) {
  constexpr std::size_t least = 16, in_all = 2000,
                        of_functions_of_time = 20000;  // a bell of 1e-3 of the horizon is seen
  return std::max(least, (of_time ? of_functions_of_time : in_all) / intervals);
}

}  // namespace

std::string name_of_limit(const OptimalTask& task, std::size_t limit) {
  const Limit& l = task.settings.bounds[limit];
  Exprs named = positions(task.system);
  append(named, velocities(task.system));
  for (const Quantity& y : task.system.outputs) named.push_back(y.expr);
  const bool bound = std::find(named.begin(), named.end(), l.formula) != named.end();
  return fmt::format("{} \"{}\"", bound ? "the bound on" : "path condition", l.name);
}

BetweenNodes::BetweenNodes(const OptimalTask& task)
    : task_(task),
      tested_limits_(limits_of_states(task)),
      formulas_(task.system, formulas_of(task, tested_limits_), task.problem.signals),
      slopes_(task.system, slopes_of(task, tested_limits_), task.problem.signals),
      references_(formulas_of(task, tested_limits_), task.problem.signals),
      lanes_(arguments_of_states(task, references_.symbols()), formulas_of(task, tested_limits_)),
      of_time_(false) {
  for (const Expr& f : formulas_of(task, tested_limits_))
    of_time_ = of_time_ || depends(f, Exprs{task.system.graph.time()}) || !reference_symbols({&f, 1}).empty();
}

// At `place` intervals from the start.
State BetweenNodes::state_at(const MeshMotion& motion, double place) const {
  const std::size_t n = task_.start.q.size();
  const std::size_t k = std::min(static_cast<std::size_t>(place), motion.intervals() - 1);
  const double s = place - static_cast<double>(k), h = motion.horizon / static_cast<double>(motion.intervals());
  State state{h * place, {}, {}, {}, {}};
  state.q.reserve(n);
  state.v.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double q0 = motion.x[k][i], first = h * motion.x[k][n + i], last = h * motion.x[k + 1][n + i];
    const double way = motion.x[k + 1][i] - q0;
    const double bend = 3.0 * way - 2.0 * first - last, twist = first + last - 2.0 * way;
    state.q.push_back(q0 + s * (first + s * (bend + s * twist)));
    state.v.push_back((first + s * (2.0 * bend + s * 3.0 * twist)) / h);
  }
  return state;
}

double BetweenNodes::beyond(std::size_t formula, double value) const {
  const Limit& limit = task_.settings.bounds[tested_limits_[formula]];
  return std::max(limit.lower - value, value - limit.upper);
}

std::vector<double> BetweenNodes::beyond(const State& state) {
  std::vector<double> values = formulas_(state);
  for (std::size_t f = 0; f < values.size(); ++f) values[f] = beyond(f, values[f]);
  return values;
}

std::vector<double> BetweenNodes::sampled(const MeshMotion& motion, std::size_t per_interval) {
  const std::size_t count = per_interval * motion.intervals() + 1, n = task_.start.q.size();
  const std::vector<double> parameters = parameter_values(task_.system);
  std::vector<double> in(lanes_.input_count() * count), out(tested_limits_.size() * count);
  std::vector<double> given(references_.symbols().size());
  const auto put = [&](std::span<const double> part, std::size_t first, std::size_t place) {
    for (std::size_t i = 0; i < part.size(); ++i) in[(first + i) * count + place] = part[i];
  };
  for (std::size_t i = 0; i < count; ++i) {
    const State state = state_at(motion, static_cast<double>(i) / static_cast<double>(per_interval));
    references_(state.t, given);
    in[i] = state.t;
    put(state.q, 1, i);
    put(state.v, 1 + n, i);
    put(parameters, 1 + 2 * n, i);
    put(given, 1 + 2 * n + parameters.size(), i);
  }
  lanes_.lanes(count, in, out, scratch_);
  for (std::size_t f = 0; f < tested_limits_.size(); ++f)
    for (std::size_t i = 0; i < count; ++i) out[f * count + i] = beyond(f, out[f * count + i]);
  return out;
}

// A limit is measured by itself or, if it is zero, by how much the formula changes on the way. One that is met exactly
// at the nodes does not change: it is measured by what the motions of the coordinates could do to it.
void BetweenNodes::set_tolerances(const MeshMotion& motion, std::span<const double> samples) {
  constexpr double of_limit = 1e-3, of_range = 1e-6, of_equation = 1e-2;
  const std::size_t size = 2 * task_.start.q.size();
  std::vector<double> way(size), slope(tested_limits_.size(), 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    const auto [least, most] = std::minmax_element(motion.x.begin(), motion.x.end(),
                                                   [i](const auto& a, const auto& b) { return a[i] < b[i]; });
    way[i] = (*most)[i] - (*least)[i];
  }
  for (std::size_t k = 0; k <= motion.intervals(); ++k) {
    const std::vector<double> slopes = slopes_(state_at(motion, static_cast<double>(k)));
    for (std::size_t f = 0; f < tested_limits_.size(); ++f) {
      double sum = 0.0;
      for (std::size_t i = 0; i < size; ++i) sum += std::abs(slopes[f * size + i]) * way[i];
      slope[f] = std::max(slope[f], sum);
    }
  }
  tolerance_.assign(tested_limits_.size(), 0.0);
  const std::size_t count = samples.size() / tested_limits_.size();
  for (std::size_t f = 0; f < tested_limits_.size(); ++f) {
    const Limit& limit = task_.settings.bounds[tested_limits_[f]];
    double bound = std::numeric_limits<double>::infinity();
    const auto [lowest, highest] = std::ranges::minmax(samples.subspan(f * count, count));
    for (const double b : {limit.lower, limit.upper})
      if (std::isfinite(b) && b != 0.0) bound = std::min(bound, std::abs(b));
    const double range = highest - lowest;
    tolerance_[f] = limit.lower == limit.upper ? of_equation * std::max(slope[f], std::abs(limit.lower))
                                               : of_limit * std::min(bound, range) + of_range * range;
    tolerance_[f] = std::max(tolerance_[f], std::numeric_limits<double>::min());
  }
}

// Golden section.
Breach BetweenNodes::peak(const MeshMotion& motion, std::size_t formula, double from, double to) {
  const double ratio = 0.5 * (std::sqrt(5.0) - 1.0);
  const auto value = [&](double place) { return beyond(state_at(motion, place))[formula]; };
  double a = from, b = to, c = b - ratio * (b - a), d = a + ratio * (b - a), at_c = value(c), at_d = value(d);
  constexpr int steps = 25;  // to 1e-5 of the distance of two samples
  for (int i = 0; i < steps; ++i) {
    const bool left = at_c > at_d;
    (left ? b : a) = left ? d : c;
    (left ? d : c) = left ? c : d;
    (left ? at_d : at_c) = left ? at_c : at_d;
    (left ? c : d) = left ? b - ratio * (b - a) : a + ratio * (b - a);
    (left ? at_c : at_d) = value(left ? c : d);
  }
  const double place = at_c > at_d ? c : d;
  const std::size_t k = std::min(static_cast<std::size_t>(place), motion.intervals() - 1);
  return {tested_limits_[formula],        k,
          place - static_cast<double>(k), place * motion.horizon / static_cast<double>(motion.intervals()),
          std::max(at_c, at_d),           tolerance_[formula]};
}

std::vector<Breach> BetweenNodes::peaks(const MeshMotion& motion) {
  std::vector<Breach> list;
  if (tested_limits_.empty()) return list;
  const std::size_t per = samples_per_interval(motion.intervals(), of_time_), count = per * motion.intervals();
  const auto place = [per](std::size_t i) { return static_cast<double>(i) / static_cast<double>(per); };
  const std::vector<double> samples = sampled(motion, per);
  set_tolerances(motion, samples);
  for (std::size_t f = 0; f < tested_limits_.size(); ++f)
    for (std::size_t i = 1; i < count; ++i) {
      const double* const sample = samples.data() + f * (count + 1) + i;
      const double before = sample[-1], here = sample[0], after = sample[1];
      // Between samples a peak rises above them by less than they differ.
      if (here < before || here < after || here < std::min(before, after) - here) continue;
      list.push_back(peak(motion, f, place(i - 1), place(i + 1)));
    }
  return list;
}

}  // namespace invar
