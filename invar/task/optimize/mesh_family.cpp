// See mesh_family.h.
#include "invar/task/optimize/mesh_family.h"

#include <fmt/format.h>

#include <cmath>

#include "invar/task/optimize/mesh_motion.h"

namespace invar {

namespace {

// Each from the motion on the one before.
std::vector<OptimalMotion> one_from_the_other(OptimalSearch& search, const OptimizeSettings& settings) {
  std::vector<OptimalMotion> chain;
  for (int mesh = 0; mesh < settings.refine && !search.stopped(); ++mesh) {
    const std::size_t intervals = static_cast<std::size_t>(settings.intervals) << mesh;
    chain.push_back(chain.empty() || !solved(chain.back())
                        ? search.run(intervals)
                        : search.improve(chain.back().motion, intervals, chain.back().origin));
  }
  return chain;
}

// What turns fast is soon elsewhere on a coarse mesh. It is one motion if that of the finer mesh leads to it again.
bool is_counterpart(const OptimalMotion& now, const OptimalMotion& again, const OptimalMotion& finer) {
  constexpr double same = 1e-8, near = 0.1;  // of the cost
  const auto within = [&](double part, const OptimalMotion& a, const OptimalMotion& b) {
    return std::abs(a.solution.cost - b.solution.cost) <= part * std::abs(b.solution.cost);
  };
  return solved(now) && solved(again) && now.doubt.empty() && within(same, now, again) && within(near, now, finer);
}

std::string left_out(const OptimalMotion& m) {
  return fmt::format(
      "{} intervals lead to another motion (cost {:.6g}), which is left out of the limit of finer meshes",
      m.motion.intervals(), m.solution.cost);
}

std::string instead(const OptimalMotion& first, const OptimalMotion& now) {
  return fmt::format(
      "{} intervals first led to another optimum (cost {:.6g}); begun with the motion of the finer meshes they "
      "have one like theirs (cost {:.6g})",
      first.motion.intervals(), first.solution.cost, now.solution.cost);
}

}  // namespace

MeshFamily refined(OptimalSearch& search, const OptimizeSettings& settings) {
  std::vector<OptimalMotion> chain = one_from_the_other(search, settings);
  OptimalMotion best = std::move(chain.back());
  chain.pop_back();
  MeshFamily family;
  if (!chain.empty() && solved(chain.back()) && !search.stopped()) {
    OptimalMotion fresh = search.run(best.motion.intervals(), &best);
    if (better(fresh, best)) {
      if (solved(best))
        family.notes.push_back(
            fmt::format("refining the motion of the coarsest mesh leads to an optimum of cost {:.6g}; from its own "
                        "guesses the finest mesh "
                        "has one of cost {:.6g}, which is followed instead",
                        best.solution.cost, fresh.solution.cost));
      best = std::move(fresh);
    }
  }
  family.members.push_back(std::move(best));
  for (; !chain.empty() && solved(family.members.front()) && !search.stopped(); chain.pop_back()) {
    const OptimalMotion& finer = family.members.front();
    OptimalMotion now = std::move(chain.back());
    if (!solved(now) || !move_alike(now.motion, finer.motion)) {
      OptimalMotion again = search.improve(finer.motion, now.motion.intervals(), finer.origin);
      if (!is_counterpart(now, again, finer)) {
        if (!solved(again) || !move_alike(again.motion, finer.motion)) {
          if (solved(now)) family.notes.push_back(left_out(now));
          break;
        }
        if (solved(now)) family.notes.push_back(instead(now, again));
        now = std::move(again);
      }
    }
    family.members.insert(family.members.begin(), std::move(now));
  }
  return family;
}

}  // namespace invar
