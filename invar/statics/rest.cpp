// See rest.h.
#include "invar/statics/rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/math/rank.h"
#include "invar/statics/descent.h"
#include "invar/statics/direction_names.h"
#include "invar/statics/large_rest.h"
#include "invar/statics/load_path.h"

namespace invar {

namespace {

constexpr double nudge = 1e-3;  // of the size of the system: off an equilibrium, but near it
constexpr int most_nudges = 10;

class RestSearch {
 public:
  RestSearch(const System& system, const State& start, const RestOptions& options)
      : statics_(system, start.q), options_(options), start_(start) {
    rest_.steady = steady_coordinates(statics_, start);
    for (double& v : start_.v) v = 0.0;
    for (const std::size_t z : rest_.steady.all) start_.v[z] = start.v[z];
  }

  Rest run() {
    if (by_path()) return finish();
    if (asks_for_path()) return std::move(rest_);
    if (options_.method == RestMethod::minimum)
      rest_.point = statics_.at(start_.q, start_.v);
    else if (by_newton())
      return finish();
    rest_.reason = why_not_balanced();
    if (options_.method == RestMethod::newton || asks_for_motion(rest_.point)) return std::move(rest_);
    if (!downhill(start_)) return std::move(rest_);
    return finish();
  }

 private:
  bool asks_for_path() const { return options_.method == RestMethod::path || options_.follow; }

  // The last digits are those of Newton's method from the end of the path.
  bool by_path() {
    constexpr std::size_t large = 60;  // coordinates, from which on dense steps are dear
    const bool fits = options_.method == RestMethod::automatic && start_.q.size() > large && rest_.steady.all.empty();
    if (!asks_for_path() && !fits) return false;
    const std::optional<LoadPath> path = follow_load_path(statics_.system(), start_, options_.follow, options_.visit);
    if (!path) rest_.reason = "a load path needs constraints at position level";
    if (path && !path->complete) rest_.reason = path->reason;
    if (!path || !path->complete) return false;
    rest_.steps = path->steps;
    rest_.turns = path->turns;
    const bool found = by_newton(path->end);
    rest_.by = RestMethod::path;
    return found;
  }
  bool by_newton() { return by_newton(start_); }
  bool by_newton(const State& from) {
    Balance b = find_balance(statics_, rest_.steady, from, options_.tolerance);
    rest_.iterations = b.iterations;
    rest_.point = std::move(b.point);
    rest_.found = b.found;
    rest_.by = RestMethod::newton;
    return b.found;
  }

  bool asks_for_motion(const StaticPoint& p) const {
    return p.violation > options_.tolerance && p.worst_constraint >= 0 &&
           statics_.level(p.worst_constraint) != Level::position;
  }
  std::string why_not_balanced() {
    const StaticPoint& p = rest_.point;
    if (!p.is_finite) return "a formula has no finite value at the start";
    if (asks_for_motion(p))
      return fmt::format("constraint \"{}\" asks for a motion that cannot go on steadily",
                         statics_.system().constraints[static_cast<std::size_t>(p.worst_constraint)].name);
    return fmt::format("Newton's method leaves {:.1e} of the forces, most of them along {}", p.imbalance,
                       strongest_direction(p));
  }
  std::string strongest_direction(const StaticPoint& p) const {
    return in_a_list(direction_names(statics_.system(), p, p.force));
  }

  // Downhill, and on from every unstable place where that ends.
  bool downhill(const State& from) {
    Descent d = descend(statics_, rest_.steady, from, options_.tolerance);
    rest_.steps += d.steps;
    rest_.by = RestMethod::minimum;
    rest_.found = d.end == Descent::End::settled;
    if (!rest_.found) {
      rest_.reason = why_not_settled(d);
      rest_.point = std::move(d.point);
      return false;
    }
    rest_.point = std::move(d.point);
    for (int k = 0; k < most_nudges; ++k) {
      const Stability s = judge_stability(statics_, rest_.steady, rest_.point);
      if (s.downhill.size() == 0) break;
      std::optional<StaticPoint> next = below(rest_.point, s);
      if (!next) break;
      rest_.point = std::move(*next);
    }
    return true;
  }

  std::string why_not_settled(const Descent& d) {
    if (!d.point.is_finite) return "a formula has no finite value at the start";
    if (d.end == Descent::End::stalled)
      return fmt::format("no equilibrium was found: {:.1e} of the forces are left, most of them along {}",
                         d.point.imbalance, strongest_direction(d.point));
    const StaticPoint start = statics_.at(start_.q, start_.v);
    return fmt::format("there is no equilibrium that forces lead to: along {} nothing holds it",
                       in_a_list(direction_names(statics_.system(), start, d.direction)));
  }

  // The lower of the two places to which a nudge to either side of a place leads.
  std::optional<StaticPoint> below(const StaticPoint& p, const Stability& s) {
    std::optional<StaticPoint> best;
    for (const double sign : {1.0, -1.0}) {
      const State off = p.moved(sign * nudge * p.size * s.downhill);
      Descent d = descend(statics_, rest_.steady, off, options_.tolerance);
      rest_.steps += d.steps;
      if (d.end != Descent::End::settled || p.way_to(d.point).norm() < 0.5 * nudge * p.size) continue;
      if (!best || statics_.potential(d.point) < statics_.potential(*best)) best = std::move(d.point);
    }
    return best;
  }

  Rest finish() {
    const StaticPoint& p = rest_.point;
    rest_.stability = judge_stability(statics_, rest_.steady, p);
    rest_.singular = rank(p.directions) < statics_.constraints();
    find_family();
    if (rest_.stability.downhill.size() > 0 && statics_.has_potential() && options_.method != RestMethod::minimum) {
      const int steps = rest_.steps;
      rest_.lower = below(p, rest_.stability);
      rest_.steps = steps;  // those that led to the place itself
      if (rest_.lower && judge_stability(statics_, rest_.steady, *rest_.lower).kind == StabilityKind::unstable)
        rest_.lower.reset();
    }
    return std::move(rest_);
  }

  // Along open directions a family goes on: from a place off this one Newton's method does not come back.
  void find_family() {
    const StaticPoint& p = rest_.point;
    const Matrix& open = rest_.stability.open;
    std::vector<Vector> free, flat;
    for (Eigen::Index k = 0; k < open.cols(); ++k) {
      const double off = nudge * p.size;
      const Balance b = find_balance(statics_, rest_.steady, p.moved(off * open.col(k)), options_.tolerance);
      (b.found && p.way_to(b.point).norm() > 0.5 * off ? free : flat).push_back(open.col(k));
    }
    for (const std::size_t z : rest_.steady.all)
      if (p.state.v[z] == 0.0) free.push_back(p.L.row(static_cast<Eigen::Index>(z)).transpose());
    rest_.free = names(free);
    rest_.flat = names(flat);
  }
  std::vector<std::string> names(const std::vector<Vector>& directions) const {
    Matrix all(statics_.coordinates(), static_cast<Eigen::Index>(directions.size()));
    for (std::size_t k = 0; k < directions.size(); ++k) all.col(static_cast<Eigen::Index>(k)) = directions[k];
    return direction_names(statics_.system(), rest_.point, all);
  }

  Statics statics_;
  RestOptions options_;
  State start_;
  Rest rest_;
};

}  // namespace

Rest find_rest(const System& system, const State& start, const RestOptions& options) {
  constexpr std::size_t dear = 400, most = 2000;  // coordinates and constraints, for dense matrices
  const std::size_t size = system.coordinates.size() + system.constraints.size();
  if (size > dear) {
    std::optional<Rest> rest = find_large_rest(system, start, options);
    if (rest && (rest->found || size > most || options.follow || options.method == RestMethod::path))
      return std::move(*rest);
    if (size > most)
      throw InputError(fmt::format(
          "of {} coordinates and constraints together, more than {}, an equilibrium is found along the load path only: "
          "with method = \"path\", constraints of places alone, and no coordinate on whose place nothing depends",
          size, most));
  }
  return RestSearch(system, start, options).run();
}

}  // namespace invar
