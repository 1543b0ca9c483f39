// See watch.h.
#include "invar/record/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "invar/system/state_function.h"

namespace invar {
namespace {

constexpr std::size_t most_rows = 500;  // evenly spread

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

}  // namespace

std::vector<std::string> watch(const System& system, std::span<const Reference> signals, const Trajectory& trajectory) {
  constexpr double rounding = 1e-6;  // of the largest value of a subject
  if (system.watched.empty() || trajectory.rows() == 0) return {};
  Exprs values;
  for (const Watched& w : system.watched) values.push_back(w.value);
  StateFunction function(system, values, signals);
  const std::size_t n = system.coordinates.size(), m = system.constraints.size();
  std::map<std::pair<std::string, std::string_view>, Worst> worst;
  std::map<std::string, double> size;
  const std::size_t stride = std::max<std::size_t>(1, trajectory.rows() / most_rows);
  for (std::size_t k = 0; k < trajectory.rows(); k += stride) {
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
  std::vector<std::string> warnings;
  for (const Watched& w : system.watched) {
    const auto found = worst.find({w.subject, w.what});
    if (found == worst.end() || !(found->second.value - w.limit > rounding * size[w.subject])) continue;
    warnings.push_back(fmt::format("{}: {}, at t = {:.4g}", w.subject,
                                   fmt::format(fmt::runtime(w.what), found->second.value), found->second.t));
    worst.erase(found);
  }
  return warnings;
}

}  // namespace invar
