// See bounded_space_time.h.
#include "invar/task/stable_inversion/bounded_space_time.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "invar/dae/rest_point.h"
#include "invar/task/stable_inversion/rests_along.h"
#include "invar/task/stable_inversion/wanted_instants.h"

namespace invar {

namespace {

constexpr double accurate_enough = 1e-2;  // of the inputs; what is worse is no result

}  // namespace

double mesh_step(const StableInversionSettings& settings) {
  constexpr double fewest = 200.0, most = 1600.0;  // intervals between start and end on the coarsest mesh
  constexpr double rounding = 1e-9;
  const double span = settings.end - settings.start;
  if (settings.times.size() < 2) return span / fewest;
  const double h = settings.times[1] - settings.times[0];
  if (!settings.extrapolate) return h;
  if (h > span / fewest) return h / std::ceil(h * fewest / span - rounding);
  if (h < span / most) return h * std::ceil(span / most / h - rounding);
  return h;
}

namespace {

// How much the equations and their rates differ between the two times in the same state, compared with what they do
// between them.
double period_mismatch(JetEvaluator& evaluator, const Jet& rest, double from, double to) {
  constexpr int orders = 2, samples = 32;
  Matrix f, first;
  Jet jet = rest;
  jet.t = from;
  jet.side = Side::right;
  evaluator.residuals(jet, orders, first);
  Vector range = Vector::Zero(first.rows());
  for (int k = 1; k < samples; ++k) {
    jet.t = from + (to - from) * k / samples;
    evaluator.residuals(jet, 0, f);
    range = range.cwiseMax((f.col(0) - first.col(0)).cwiseAbs());
  }
  jet.t = to;
  jet.side = Side::left;
  evaluator.residuals(jet, orders, f);
  double worst = 0.0, factor = 1.0;
  for (int m = 0; m <= orders; ++m) {
    for (Eigen::Index i = 0; i < range.size(); ++i)
      if (const double gap = factor * std::abs(f(i, m) - first(i, m)); gap > 0.0)
        worst = std::max(worst, gap / (range[i] + factor * std::abs(first(i, m))));
    factor *= (to - from) / (m + 1);
  }
  return worst;
}

// Oscillations begin at rest at the first instant and are free at the last. On the way one that a step barely keeps may
// be lost, and two that come close to each other may grow and decay for a while. Positions at both ends bind what does
// so: all that the step keeps are tried first, then those that it surely keeps, then ever fewer.
FreeEnds free_ends(JetEvaluator& evaluator, const RestEnds& ends, const BoundedMotion& motion, double time) {
  const std::vector<std::complex<double>> at_start = free_oscillations(motion.at_start, time),
                                          at_end = free_oscillations(motion.at_end, time);
  if (at_start.empty() || at_end.empty()) return {};
  FreeEnds free;
  free.counts = [at_start, at_end](double h) {
    constexpr double surely_kept = 1.8;
    constexpr std::size_t most = 4;
    const auto kept = [&](double cycle) {
      const auto slower = [&](const auto& s) { return std::abs(s) * h < cycle; };
      return static_cast<std::size_t>(
          std::min(std::ranges::count_if(at_start, slower), std::ranges::count_if(at_end, slower)));
    };
    std::vector<std::size_t> counts = {kept(kept_cycle)};
    if (const std::size_t surely = kept(surely_kept); surely < counts.back()) counts.push_back(surely);
    while (counts.back() > 0 && counts.size() < most) counts.push_back(counts.back() > 1 ? counts.back() - 2 : 0);
    return counts;
  };
  free.shapes = [&evaluator, &ends, at_start, at_end](const std::vector<Jet>& guess, double part, double h,
                                                      std::size_t count) {
    const auto slowest = [&](const std::vector<std::complex<double>>& all) {
      return std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
    };
    EndShapes shapes{start_shapes(evaluator, slowest(at_start), guess.front()),
                     end_shapes(evaluator, slowest(at_end), guess.back()),
                     {}};
    // Steady motion goes on for a step.
    const Jet rest = rest_at(evaluator, ends.start, guess.front().t), next = rest_at(evaluator, ends.start, rest.t + h);
    shapes.rest.resize(static_cast<Eigen::Index>(rest.x.size()));
    for (std::size_t j = 0; j < rest.x.size(); ++j)
      shapes.rest[static_cast<Eigen::Index>(j)] = guess.front().x[j][0] + part * (next.x[j][0] - rest.x[j][0]);
    return shapes;
  };
  return free;
}

SpaceTimeMotion between(SpaceTimeSettings mesh, const Dae& dae, const Offsets& offsets, JetEvaluator& evaluator,
                        const RestEnds& ends) {
  SpaceTimeMotion found;
  const int meshes = mesh.extrapolate ? 2 : 1;
  for (int finer = 0; finer < meshes && !found.converged; ++finer) {
    if (finer > 0) mesh.step /= 2.0;
    const std::vector<double> t = instants(mesh);
    const SpaceTimeGuess guess = [&](double part) {
      std::vector<Jet> rests = guess_along(evaluator, ends.start, t, part);
      rests.front() = rest_at(evaluator, ends.start, t.front());
      if (part == 1.0) rests.back() = rest_at(evaluator, ends.end, t.back());
      return rests;
    };
    const int before = found.iterations;
    found = space_time(evaluator, dae, offsets, mesh, guess);
    found.iterations += before;
  }
  return found;
}

}  // namespace

void by_space_time(const Dae& dae, const Offsets& offsets, const StableInversionSettings& settings,
                   JetEvaluator& evaluator, const RestEnds& ends, BoundedMotion& motion) {
  constexpr double at_rest = 1e-3;
  motion.space_time = true;
  motion.status = BoundedMotion::Status::stalled_space_time;
  SpaceTimeSettings mesh;
  mesh.first = settings.start - motion.pre_actuation;
  mesh.last = settings.end + motion.post_actuation;
  mesh.origin = settings.start;
  mesh.step = mesh_step(settings);
  mesh.extrapolate = settings.extrapolate;
  mesh.free = free_ends(evaluator, ends, motion, mesh.last - mesh.first);
  mesh.rest_at_both_ends = settings.rest_at_both_ends;
  if (mesh.free && !mesh.rest_at_both_ends) mesh.last += mesh.step;
  const SpaceTimeMotion found = between(mesh, dae, offsets, evaluator, ends);
  motion.iterations += found.iterations;
  motion.error = found.error;
  motion.factor_entries = found.factor_entries;
  motion.bound_oscillations = found.bound_oscillations;
  if (!found.converged || !(found.error < accurate_enough)) return;
  if ((motion.from_rest || motion.to_rest) && found.loose_ends > at_rest) return;
  motion.jets = with_wanted(found.jets, settings.times);
  motion.status = BoundedMotion::Status::converged;
}

BoundedMotion periodic_motion(const Dae& dae, const Offsets& offsets, const StableInversionSettings& settings,
                              JetEvaluator& evaluator) {
  constexpr double repeats = 1e-6;
  BoundedMotion motion;
  motion.space_time = true;
  Jet start = settings.guess;
  start.t = settings.start;
  frozen_point(evaluator, start);  // a guess, which may fail
  motion.status = BoundedMotion::Status::not_periodic;
  motion.error = period_mismatch(evaluator, start, settings.start, settings.end);
  if (!(motion.error < repeats)) return motion;
  motion.status = BoundedMotion::Status::resonant;
  SpaceTimeSettings mesh;
  mesh.first = mesh.origin = settings.start;
  mesh.last = settings.end;
  const double span = settings.end - settings.start;
  mesh.step = span / std::round(span / mesh_step(settings));
  mesh.ends = MotionEnds::periodic;
  mesh.extrapolate = settings.extrapolate;
  const std::vector<double> t = instants(mesh);
  const SpaceTimeMotion found =
      space_time(evaluator, dae, offsets, mesh, [&](double part) { return guess_along(evaluator, start, t, part); });
  motion.iterations = found.iterations;
  motion.error = found.error;
  motion.factor_entries = found.factor_entries;
  if (!found.converged || !(found.error < accurate_enough)) return motion;
  motion.jets = with_wanted(found.jets, settings.times);
  motion.status = BoundedMotion::Status::converged;
  return motion;
}

}  // namespace invar
