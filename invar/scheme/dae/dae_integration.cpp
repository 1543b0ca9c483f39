// See dae_integration.h.
#include "invar/scheme/dae/dae_integration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/scheme/dae/dae_step.h"

namespace invar {

namespace {

// Knots closer together than this part of a step are one, and a step may be longer than asked for by as much: both only
// differ by rounding.
constexpr double same_time = 1e-9;

void check_times(double t0, double t1, double h) {
  if (!(t1 > t0) || !std::isfinite(t0) || !std::isfinite(t1))
    throw InputError(fmt::format("the end {} must lie after the start {}", t1, t0));
  if (!(h > 0.0)) throw InputError(fmt::format("the step must be positive, got {}", h));
  constexpr double most_steps = 1e8;
  if ((t1 - t0) / h > most_steps) throw InputError(fmt::format("a step of {} is too small for {} … {}", h, t0, t1));
}

void record(const DaeStep& step, Eigen::Index row, DaeMotion& motion) {
  for (Eigen::Index j = 0; j < motion.value.cols(); ++j) {
    motion.value(row, j) = step.value(static_cast<std::size_t>(j));
    motion.rate(row, j) = step.rate(static_cast<std::size_t>(j));
  }
}

// A node as a jet of a reduced system: values and rates of the original unknowns, and of the others what the motion
// has, or else the expansion of a jet nearby.
Jet taken_from(const DaeMotion& motion, std::size_t node, const Jet& around, const ReducedDae& reduced,
               std::size_t original) {
  Jet jet = shifted(around, motion.t[node]);
  const auto row = static_cast<Eigen::Index>(node);
  for (std::size_t j = 0; j < jet.x.size(); ++j) {
    const auto found = std::find(motion.unknowns.begin(), motion.unknowns.end(), reduced.dae.unknowns[j].name);
    if (found == motion.unknowns.end()) continue;
    expects(j >= original || found == motion.unknowns.begin() + static_cast<std::ptrdiff_t>(j), "the same unknowns");
    const auto column = static_cast<Eigen::Index>(found - motion.unknowns.begin());
    const double rate = motion.rate(row, column);
    jet.x[j].resize(std::max<std::size_t>(jet.x[j].size(), 2), 0.0);
    jet.x[j][0] = motion.value(row, column);
    if (std::isfinite(rate)) jet.x[j][1] = rate;
  }
  return jet;
}

}  // namespace

std::size_t DaeMotion::column(std::string_view unknown) const {
  const auto found = std::find(unknowns.begin(), unknowns.end(), unknown);
  if (found == unknowns.end()) throw InputError(fmt::format("there is no unknown \"{}\"", unknown));
  return static_cast<std::size_t>(found - unknowns.begin());
}

std::vector<double> step_grid(const std::vector<Reference>& references, double t0, double t1, double h) {
  check_times(t0, t1, h);
  std::vector<double> ends;
  for (const Reference& r : references)
    for (const double knot : r.function->knots())
      if (knot > t0 + same_time * h && knot < t1 - same_time * h) ends.push_back(knot);
  ends.push_back(t1);
  std::sort(ends.begin(), ends.end());
  std::vector<double> grid = {t0};
  for (const double end : ends) {
    const double begin = grid.back();
    if (end - begin <= same_time * h) continue;
    const auto steps = static_cast<int>(std::ceil((end - begin) / h * (1.0 - same_time)));
    for (int i = 1; i < steps; ++i) grid.push_back(begin + (end - begin) * i / steps);
    grid.push_back(end);
  }
  return grid;
}

DaeMotion integrate(const Dae& dae, const Scheme& scheme, double t0, double t1, double h, const Jet& start,
                    const DaeIntegrationOptions& options) {
  options.newton.check();
  if (scheme.rule == nullptr)
    throw InputError(
        fmt::format("{}: steps from the equations of motion of a system, not from equations in general; "
                    "implicit-euler, bdf2 and radau5 do",
                    scheme.info.name));
  DaeMotion motion;
  motion.t = step_grid(dae.references, t0, t1, h);
  for (const DaeUnknown& unknown : dae.unknowns) motion.unknowns.push_back(unknown.name);
  for (const Dummy& dummy : options.dummies)
    motion.dummies.push_back(dae.unknowns[static_cast<std::size_t>(dummy.place)].name);
  motion.value.resize(static_cast<Eigen::Index>(motion.t.size()), static_cast<Eigen::Index>(motion.unknowns.size()));
  motion.rate.resizeLike(motion.value);

  DaeStep step(dae, scheme.rule(), options);
  motion.unknown_count = step.unknown_count();
  if (options.before)
    step.start(start, start.t - options.before->t, &*options.before);
  else
    step.start(start, motion.t[1] - motion.t[0]);
  record(step, 0, motion);
  for (std::size_t i = 1; i < motion.t.size(); ++i) {
    poll_interrupt();
    motion.newton = step.advance(motion.t[i - 1], motion.t[i]);
    motion.iterations += motion.newton.iterations;
    if (motion.newton.status != NewtonStatus::converged) {
      motion.complete = false;
      motion.failed_at = motion.t[i];
      motion.fault = step.fault(motion.newton);
      motion.t.resize(i);
      motion.value.conservativeResize(static_cast<Eigen::Index>(i), Eigen::NoChange);
      motion.rate.conservativeResize(static_cast<Eigen::Index>(i), Eigen::NoChange);
      break;
    }
    record(step, static_cast<Eigen::Index>(i), motion);
  }
  return motion;
}

DaeMotion integrate(const ReducedDae& reduced, const Scheme& scheme, double t0, double t1, double h, const Jet& start,
                    const NewtonOptions& newton) {
  expects(reduced.regular(), "a reduced system");
  return integrate(reduced.dae, scheme, t0, t1, h, extended(reduced, start), {newton, reduced.dummies});
}

DaeMotion go_on(const DaeMotion& so_far, const ReducedDae& reduced, const Scheme& scheme, double t1, double h,
                const Jet& near, const NewtonOptions& newton) {
  expects(so_far.complete && reduced.regular() && so_far.t.size() > 1, "a motion that can go on");
  const std::size_t last = so_far.t.size() - 1, original = near.x.size();
  const Jet around = extended(reduced, near);
  const Jet now = taken_from(so_far, last, around, reduced, original);
  const DaeMotion next = integrate(reduced.dae, scheme, so_far.t[last], t1, h, now,
                                   {newton, reduced.dummies, taken_from(so_far, last - 1, around, reduced, original)});
  DaeMotion all = next;
  const auto before = static_cast<Eigen::Index>(last), after = next.value.rows(),
             columns = static_cast<Eigen::Index>(original);
  all.t.insert(all.t.begin(), so_far.t.begin(), so_far.t.end() - 1);
  all.unknowns.resize(original);
  all.value.resize(before + after, columns);
  all.value << so_far.value.topLeftCorner(before, columns), next.value.leftCols(columns);
  all.rate.resize(before + after, columns);
  all.rate << so_far.rate.topLeftCorner(before, columns), next.rate.leftCols(columns);
  all.iterations += so_far.iterations;
  return all;
}

}  // namespace invar
