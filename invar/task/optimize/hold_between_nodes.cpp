// See hold_between_nodes.h.
#include "invar/task/optimize/hold_between_nodes.h"

#include <algorithm>
#include <cmath>

namespace invar {

namespace {

constexpr double enough = 0.1;  // of the tolerance: what is left is not asked for again

// Adds the places where limits are passed. Conditions that are equations cannot hold at further places: the inputs of
// an interval are used up by those at its ends.
bool add_places(const OptimalTask& task, const std::vector<Breach>& peaks, std::vector<InnerPlace>& places) {
  constexpr double same = 1e-3;  // fraction of an interval
  bool added = false;
  for (const Breach& b : peaks) {
    const Limit& limit = task.settings.bounds[b.limit];
    if (b.size() <= enough || limit.lower == limit.upper || b.fraction < same || b.fraction > 1.0 - same) continue;
    const bool known = std::any_of(places.begin(), places.end(), [&](const InnerPlace& p) {
      return p.limit == b.limit && p.interval == b.interval && std::abs(p.fraction - b.fraction) < same;
    });
    if (known) continue;
    places.push_back({b.limit, b.interval, b.fraction});
    added = true;
  }
  return added;
}

double size(const Breach* b) { return b == nullptr ? -1.0 : b->size(); }

}  // namespace

const Breach* worst(const std::vector<Breach>& peaks) {
  const auto found = std::max_element(peaks.begin(), peaks.end(),
                                      [](const Breach& a, const Breach& b) { return a.size() < b.size(); });
  return found == peaks.end() ? nullptr : &*found;
}

OptimalMotion hold_between_nodes(const OptimalTask& task, OptimalMotion found, const RunOptions& options,
                                 int& iterations) {
  constexpr int rounds = 10;
  BetweenNodes between(task);
  OptimalMotion best = std::move(found);
  best.peaks = between.peaks(best.motion);
  std::vector<InnerPlace> places;
  std::vector<Breach> peaks = best.peaks;
  OptimalMotion last = best;
  for (int round = 0; round < rounds && add_places(task, peaks, places); ++round) {
    Transcription form(task.system, task.scheme, task.settings, task.problem.signals, places, task.joints);
    OptimalSearch search(task, form, options);
    OptimalMotion next = search.improve_with_places(last);
    iterations += search.iterations();
    if (next.solution.status == SolverStatus::interrupted) best.solution.status = SolverStatus::interrupted;
    if (next.solution.status != SolverStatus::solved) break;
    last = next;
    peaks = between.peaks(last.motion);
    if (size(worst(peaks)) > size(worst(best.peaks))) continue;
    best = std::move(next);
    best.peaks = peaks;
    best.inner_places = places.size();
  }
  return best;
}

}  // namespace invar
