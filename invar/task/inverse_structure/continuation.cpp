// See continuation.h.
#include "invar/task/inverse_structure/continuation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "invar/tape/compilation.h"

namespace invar {

namespace {

constexpr double agreement = 0.05;            // of prediction and solution, relative to the values of a kind
constexpr double smallest_step = 1e-10;       // of the whole time: below that there is a pole
constexpr int integration_orders = 16;        // further derivatives for integration, where they are the accuracy
constexpr double beyond_bounds = 1e6;         // growth of coordinates or velocities, where that of one unit is natural
constexpr std::uint64_t most_steps = 100000;  // of an integration, and a hundred more for each instant wanted

// In natural units, as all sizes here.
double largest_of(const Jet& jet, const PathPlan& course, UnknownKind kind) {
  double largest = 0.0;
  for (std::size_t j = 0; j < course.kinds.size(); ++j)
    if (course.kinds[j] == kind) largest = std::max(largest, std::abs(jet.x[j][0]) / course.units.unknown(j));
  return largest;
}

// Do the values of coordinates and multipliers agree? The inputs follow from them. What agrees without regard to sizes
// of others does so with it.
bool agree(const std::vector<double>& predicted, const Jet& found, const PathPlan& course) {
  const auto differs = [&](std::size_t j) {
    return course.kinds[j] != UnknownKind::input &&
           !(std::abs(found.x[j][0] - predicted[j]) <= agreement * std::abs(found.x[j][0]));
  };
  std::size_t first = 0;
  while (first < course.kinds.size() && !differs(first)) ++first;
  if (first == course.kinds.size()) return true;
  const double coordinates = largest_of(found, course, UnknownKind::coordinate),
               multipliers = largest_of(found, course, UnknownKind::multiplier);
  for (std::size_t j = first; j < course.kinds.size(); ++j) {
    if (!differs(j)) continue;
    const double largest = course.kinds[j] == UnknownKind::coordinate ? coordinates : multipliers;
    const double scale = std::abs(found.x[j][0]) + (0.1 * largest + 1e-9) * course.units.unknown(j);
    if (std::abs(found.x[j][0] - predicted[j]) > agreement * scale) return false;
  }
  return true;
}

// The step for which the last two terms of the expansions of the coordinates are below the tolerance.
double step_by_tail(const Jet& jet, const PathPlan& course, double tolerance) {
  double h = std::numeric_limits<double>::infinity();
  const double scale = largest_of(jet, course, UnknownKind::coordinate) + 1e-6;
  for (std::size_t j = 0; j < course.kinds.size(); ++j) {
    if (course.kinds[j] != UnknownKind::coordinate) continue;
    for (std::size_t n = jet.x[j].size() - 2; n < jet.x[j].size(); ++n) {
      double term = std::abs(jet.x[j][n]) / course.units.unknown(j);
      for (std::size_t k = 2; k <= n; ++k) term /= static_cast<double>(k);
      if (term > 0.0) h = std::min(h, std::pow(tolerance * scale / term, 1.0 / static_cast<double>(n)));
    }
  }
  return 0.8 * h;
}

// The largest coordinate or velocity.
double largest_motion(const Jet& jet, const PathPlan& course) {
  double largest = 0.0;
  for (std::size_t j = 0; j < course.kinds.size(); ++j)
    if (course.kinds[j] == UnknownKind::coordinate)
      for (std::size_t n = 0; n < std::min<std::size_t>(2, jet.x[j].size()); ++n)
        largest = std::max(largest, std::abs(jet.x[j][n]) / course.units.unknown(j, static_cast<int>(n)));
  return largest;
}

// Has the internal dynamics left all bounds, or become too fast to be followed?
bool runs_away(const Jet& now, const Jet& start, const PathPlan& course, double limit, std::uint64_t solutions) {
  const double span = course.grid.back() - course.grid.front();
  return limit < smallest_step * span || solutions > most_steps + 100 * course.grid.size() ||
         !(largest_motion(now, course) < beyond_bounds * std::max(1.0, largest_motion(start, course)));
}

// The next place where a step must end.
double next_stop(double t, double goal, const std::vector<double>& knots) {
  const auto knot = std::upper_bound(knots.begin(), knots.end(), t);
  return knot != knots.end() && *knot < goal ? *knot : goal;
}

constexpr double batch_tolerance = 3e-3;  // of predictions: from there three or four sweeps reach round-off
constexpr std::size_t least_batch = 8, largest_batch = 264;  // rows as lane_portion.h wants them

// The grid points from `goal` on that the expansion of this jet reaches, short of a knot.
std::span<const double> within_reach(const Jet& now, std::size_t goal, const PathPlan& course) {
  const double reach = now.t + step_by_tail(now, course, batch_tolerance);
  const auto knot = std::upper_bound(course.knots.begin(), course.knots.end(), now.t);
  const double end = knot != course.knots.end() ? std::min(reach, std::nextafter(*knot, now.t)) : reach;
  const auto first = course.grid.begin() + static_cast<std::ptrdiff_t>(goal);
  const auto last = std::upper_bound(first, course.grid.end(), end);
  return {first, std::min(last, course.grid.size() - goal > largest_batch ? first + largest_batch : course.grid.end())};
}

// Solves the next grid points together and appends them; how many.
std::size_t solve_together(const Jet& now, std::size_t goal, const PathPlan& course, JetPath& path) {
  const std::span<const double> times = within_reach(now, goal, course);
  if (times.size() < least_batch) return 0;
  Sweep& sweep = course.grouped->wanted;
  const Sweep::Batch batch = sweep.solve(now, times);
  std::vector<double> predicted(now.x.size());
  std::size_t p = 0;
  for (; p < batch.solved; ++p) {
    Jet jet;
    sweep.jet(p, jet);
    for (std::size_t j = 0; j < predicted.size(); ++j) predicted[j] = sweep.predicted(p, j);
    if (!agree(predicted, jet, course)) break;
    path.jets.push_back(std::move(jet));
  }
  path.solutions += p;
  path.largest_residual = std::max(path.largest_residual, batch.error);
  return p;
}

// The jet at t with many derivatives, by the sweep for them if there is one.
bool expand(const Jet& from, double t, GroupedSweeps& sweeps, Jet& now) {
  constexpr int worth_a_sweep = 400;
  if (++sweeps.expansions > worth_a_sweep && sweeps.make_base) sweeps.base = std::exchange(sweeps.make_base, nullptr)();
  if (!sweeps.base || sweeps.base->solve(from, {&t, 1}).solved == 0) return false;
  sweeps.base->jet(0, now);
  return true;
}

}  // namespace

JetPath follow(const SolveJet& solve, const Jet& start, const PathPlan& course) {
  const int extra = course.integrates ? integration_orders
                    : course.grouped  ? std::max(course.extra, GroupedSweeps::orders)
                                      : course.extra;
  const double span = course.grid.back() - course.grid.front();
  JetPath path;
  path.jets.reserve(course.grid.size());
  Jet now = start, before;
  std::vector<double> predicted(start.x.size());
  auto refresh = [&](Side side) {
    now.side = side;
    const JetResult r = solve(now, extra);
    path.solutions += 1;
    path.last = r;
    path.largest_residual = std::max(path.largest_residual, r.error);
    return r.status == JetResult::Status::converged;
  };
  if (now.t == course.grid.front()) {
    path.jets.push_back(now);
  }
  double h = span;
  LoopProgress progress;
  for (std::size_t goal = 1; goal < course.grid.size(); ++goal) {
    progress.reached(static_cast<double>(goal - 1) / static_cast<double>(course.grid.size() - 1));
    if (const std::size_t solved = course.grouped ? solve_together(now, goal, course, path) : 0; solved > 0) {
      goal += solved - 1;
      if (!expand(now, course.grid[goal], *course.grouped, now)) {
        now = path.jets.back();
        refresh(Side::right);
      }
      path.t = now.t;
      if (course.keep_going && !course.keep_going(now.t)) {
        path.status = JetPath::Status::interrupted;
        return path;
      }
      continue;
    }
    while (now.t < course.grid[goal]) {
      const double stop = next_stop(now.t, course.grid[goal], course.knots);
      const double limit = course.integrates ? step_by_tail(now, course, course.tolerance) : span;
      if (course.integrates && runs_away(now, start, course, limit, path.solutions)) {
        path.status = JetPath::Status::runaway;
        path.step = limit;
        path.reached = now;
        return path;
      }
      h = std::min({h, limit, stop - now.t});
      const bool reaches = now.t + 1.001 * h >= stop;
      std::swap(before, now);
      shift(before, reaches ? stop : before.t + h, now);
      for (std::size_t j = 0; j < predicted.size(); ++j) predicted[j] = now.x[j][0];
      const bool knot = reaches && std::binary_search(course.knots.begin(), course.knots.end(), stop);
      if (refresh(knot ? Side::left : Side::right) && agree(predicted, now, course) &&
          (!knot || refresh(Side::right))) {
        h *= 2.0;
        path.t = now.t;
        if (course.keep_going && !course.keep_going(now.t)) {
          path.status = JetPath::Status::interrupted;
          return path;
        }
        continue;
      }
      std::swap(before, now);
      h *= 0.5;
      path.step = h;
      if (h < smallest_step * span) {
        path.status = JetPath::Status::pole;
        path.t = now.t;
        path.reached = now;
        return path;
      }
    }
    path.jets.push_back(now);
  }
  return path;
}

}  // namespace invar
