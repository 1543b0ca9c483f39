// See mesh_family.h.
#include "invar/task/mesh_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace invar {

namespace {

bool solved(const OptimalMotion& m) { return m.solution.status == SolverStatus::solved; }

// Each from the motion on the one before.
std::vector<OptimalMotion> one_from_the_other(OptimalSearch& search, const OptimizeSettings& settings) {
  std::vector<OptimalMotion> chain;
  for (int mesh = 0; mesh < settings.refine && !search.stopped(); ++mesh) {
    const std::size_t intervals = static_cast<std::size_t>(settings.intervals) << mesh;
    chain.push_back(chain.empty() || !solved(chain.back()) ? search.run(intervals)
                                                           : search.improve(chain.back(), intervals));
  }
  return chain;
}

std::string left_out(const OptimalMotion& m) {
  return fmt::format("{} intervals lead to another motion (cost {:.6g}), which is left out of the limit of finer meshes",
                     m.motion.intervals(), m.solution.cost);
}

}  // namespace

bool move_alike(const MeshMotion& a, const MeshMotion& b) {
  const MeshMotion& coarse = a.intervals() < b.intervals() ? a : b;
  const MeshMotion& fine = a.intervals() < b.intervals() ? b : a;
  constexpr double alike = 0.1, hardly = 0.01;  // of the way of a coordinate; of the longest way
  const std::size_t n = fine.x.front().size() / 2, ratio = fine.intervals() / coarse.intervals();
  if (std::abs(coarse.horizon - fine.horizon) > alike * fine.horizon) return false;
  std::vector<double> way(n), difference(n);
  for (std::size_t i = 0; i < n; ++i) {
    double least = fine.x[0][i], most = least;
    for (const std::vector<double>& x : fine.x) {
      least = std::min(least, x[i]);
      most = std::max(most, x[i]);
    }
    way[i] = most - least;
    for (std::size_t k = 0; k <= coarse.intervals(); ++k)
      difference[i] = std::max(difference[i], std::abs(coarse.x[k][i] - fine.x[k * ratio][i]));
  }
  const double longest = *std::max_element(way.begin(), way.end());
  for (std::size_t i = 0; i < n; ++i)
    if (difference[i] > alike * std::max(way[i], hardly * longest)) return false;
  return true;
}

MeshFamily refined(OptimalSearch& search, const OptimizeSettings& settings) {
  std::vector<OptimalMotion> chain = one_from_the_other(search, settings);
  OptimalMotion best = std::move(chain.back());
  chain.pop_back();
  MeshFamily family;
  if (!chain.empty() && solved(chain.back()) && !search.stopped()) {
    OptimalMotion fresh = search.run(best.motion.intervals());
    if (better(fresh, best)) {
      if (solved(best))
        family.notes.push_back(fmt::format(
            "refining the motion of the coarsest mesh leads to an optimum of cost {:.6g}; from its own guesses the finest mesh "
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
      OptimalMotion again = search.improve(finer, now.motion.intervals());
      if (!solved(again) || !move_alike(again.motion, finer.motion)) {
        if (solved(now)) family.notes.push_back(left_out(now));
        break;
      }
      now = std::move(again);
    }
    family.members.insert(family.members.begin(), std::move(now));
  }
  return family;
}

}  // namespace invar
