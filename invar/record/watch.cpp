// See watch.h.
#include "invar/record/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "invar/record/spread.h"
#include "invar/system/state_function.h"

namespace invar {
namespace {

constexpr std::size_t most_rows = 500, most_estimates = 50;  // evenly spread

struct Worst {
  double value, t;
};

State state_in(std::span<const double> row, std::size_t n, std::size_t m) {
  const auto part = [&](std::size_t from, std::size_t count) {
    const auto begin = row.begin() + static_cast<std::ptrdiff_t>(from);
    return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  State s;
  s.t = row.front();
  s.q = part(1, n);
  s.v = part(1 + n, n);
  s.lambda = part(1 + 2 * n, m);
  return s;
}

std::vector<std::size_t> some_rows(std::size_t rows, std::size_t most) {
  if (rows > most) return spread_rows(rows, most);
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

std::string watch_words(const std::string& subject, std::string_view what, const Worst& worst) {
  return fmt::format("{}: {}, at t = {:.4g} s", subject, fmt::format(fmt::runtime(what), worst.value), worst.t);
}

void watch_estimates(const System& system, std::span<const Reference> signals, const Trajectory& trajectory,
                     std::vector<std::string>& warnings) {
  for (const Estimated& e : system.estimated) {
    StateFunction needs(system, e.needs, signals);
    Worst worst{e.limit, 0.0};
    for (const std::size_t k : some_rows(trajectory.rows(), most_estimates)) {
      const State state = state_in(trajectory.row(k), system.coordinates.size(), system.constraints.size());
      if (const double value = e.value(needs(state)); value > worst.value) worst = {value, state.t};
    }
    if (worst.value > e.limit) warnings.push_back(watch_words(e.subject, e.what, worst));
  }
}

}  // namespace

std::vector<std::string> watch(const System& system, std::span<const Reference> signals, const Trajectory& trajectory) {
  constexpr double rounding = 1e-6;  // of the largest value of a subject
  std::vector<std::string> warnings;
  if (trajectory.rows() == 0) return warnings;
  watch_estimates(system, signals, trajectory, warnings);
  if (system.watched.empty()) return warnings;
  Exprs values;
  for (const Watched& w : system.watched) values.push_back(w.value);
  StateFunction function(system, values, signals);
  const std::size_t n = system.coordinates.size(), m = system.constraints.size();
  std::map<std::pair<std::string, std::string_view>, Worst> worst;
  std::map<std::string, double> size;
  for (const std::size_t k : some_rows(trajectory.rows(), most_rows)) {
    const State state = state_in(trajectory.row(k), n, m);
    const std::vector<double> now = function(state);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const Watched& w = system.watched[i];
      double& largest = size[w.subject];
      largest = std::max(largest, std::abs(now[i]));
      const double beyond = now[i] - w.limit;
      if (!(beyond > 0.0)) continue;
      const auto [found, added] = worst.try_emplace({w.subject, w.what}, Worst{now[i], state.t});
      if (!added && now[i] > found->second.value) found->second = {now[i], state.t};
    }
  }
  for (const Watched& w : system.watched) {
    const auto found = worst.find({w.subject, w.what});
    if (found == worst.end() || !(found->second.value - w.limit > rounding * size[w.subject])) continue;
    warnings.push_back(watch_words(w.subject, w.what, found->second));
    worst.erase(found);
  }
  return warnings;
}

}  // namespace invar
