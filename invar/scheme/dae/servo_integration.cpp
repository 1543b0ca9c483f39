// See servo_integration.h.
#include "invar/scheme/dae/servo_integration.h"

#include <fmt/format.h>

#include <algorithm>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/scheme/steps/stepper.h"

namespace invar {

namespace {

std::vector<Reference> references_of(const ServoSystem& servo) {
  std::vector<Reference> all = servo.signals;
  for (const ServoTarget& target : servo.targets) all.insert(all.end(), target.follow.begin(), target.follow.end());
  return all;
}

double derivative(const Derivatives& x, std::size_t order) { return order < x.size() ? x[order] : 0.0; }

State state_of(const Jet& jet, std::size_t n, std::size_t m) {
  State state{jet.t, {}, {}, {}, {}};
  for (std::size_t j = 0; j < n; ++j) {
    state.q.push_back(jet.x[j][0]);
    state.v.push_back(derivative(jet.x[j], 1));
    state.a.push_back(derivative(jet.x[j], 2));
  }
  for (std::size_t j = n; j < n + m; ++j) state.lambda.push_back(jet.x[j][0]);
  return state;
}

void record(Stepper& stepper, Eigen::Index row, DaeMotion& motion) {
  Eigen::Index column = 0;
  for (const double x : stepper.q()) motion.value(row, column++) = x;
  for (const double x : stepper.lambda()) motion.value(row, column++) = x;
  for (const double x : stepper.u()) motion.value(row, column++) = x;
  motion.rate.row(row).setConstant(std::numeric_limits<double>::quiet_NaN());
  column = 0;
  for (const double v : stepper.v()) motion.rate(row, column++) = v;
}

std::string fault_of(const Stepper& stepper, const NewtonResult& result) {
  if (result.status == NewtonStatus::singular && result.singular_unknown >= 0)
    return fmt::format("unknown \"{}\"", stepper.unknown(result.singular_unknown));
  return result.worst_equation < 0 ? "" : stepper.equation(result.worst_equation);
}

void cut(std::size_t nodes, DaeMotion& motion) {
  const auto rows = static_cast<Eigen::Index>(nodes);
  motion.t.resize(nodes);
  motion.value.conservativeResize(rows, Eigen::NoChange);
  motion.rate.conservativeResize(rows, Eigen::NoChange);
}

// Columns of the middle of steps become columns of the nodes.
void move_to_nodes(Eigen::Index first, Eigen::Index last, const std::vector<double>& knots, DaeMotion& motion) {
  for (Eigen::Index j = first; j < last; ++j) {
    std::vector<double> in_steps;
    for (Eigen::Index k = 1; k < motion.value.rows(); ++k) in_steps.push_back(motion.value(k, j));
    const std::vector<double> nodal = at_nodes(motion.t, in_steps, motion.value(0, j), knots);
    for (Eigen::Index k = 0; k < motion.value.rows(); ++k) motion.value(k, j) = nodal[static_cast<std::size_t>(k)];
  }
}

DaeMotion empty_motion(const ServoSystem& servo, const std::vector<Reference>& references, double t0, double t1,
                       double h) {
  DaeMotion motion;
  motion.t = step_grid(references, t0, t1, h);
  for (const DaeUnknown& unknown : invar::servo(servo.system, servo.targets).unknowns)
    motion.unknowns.push_back(unknown.name);
  motion.value.resize(static_cast<Eigen::Index>(motion.t.size()), static_cast<Eigen::Index>(motion.unknowns.size()));
  motion.rate.resizeLike(motion.value);
  return motion;
}

std::vector<double> knots_of(const std::vector<Reference>& references) {
  std::vector<double> knots;
  for (const Reference& r : references)
    for (const double knot : r.function->knots()) knots.push_back(knot);
  std::sort(knots.begin(), knots.end());
  return knots;
}

}  // namespace

std::vector<double> at_nodes(std::span<const double> t, std::span<const double> in_steps, double first,
                             std::span<const double> knots) {
  expects(t.size() == in_steps.size() + 1, "one step between two nodes");
  std::vector<double> values = {first};
  std::size_t begin = 0;  // the step with which the present smooth piece begins
  for (std::size_t k = 1; k < t.size(); ++k) {
    const std::size_t steps = k - begin;
    const double u = in_steps[k - 1];
    const bool ends = k + 1 == t.size() || std::binary_search(knots.begin(), knots.end(), t[k]);
    if (!ends)
      values.push_back(0.5 * (u + in_steps[k]));
    else if (steps > 2)
      values.push_back(u + 0.5 * (in_steps[k - 2] - in_steps[k - 3]));
    else
      values.push_back(steps == 2 ? 1.5 * u - 0.5 * in_steps[k - 2] : u);
    if (ends) begin = k;
  }
  return values;
}

DaeMotion integrate(const ServoSystem& servo, const Scheme& scheme, double t0, double t1, double h, const Jet& start,
                    const NewtonOptions& newton) {
  const std::vector<Reference> references = references_of(servo);
  const std::size_t n = servo.system.coordinates.size(), m = servo.system.constraints.size();
  DaeMotion motion = empty_motion(servo, references, t0, t1, h);
  Stepper stepper(servo.system, scheme, {.scheme = {}, .newton = newton}, references, {servo.targets, servo.level});
  motion.unknown_count = stepper.unknown_count();
  std::vector<double> u;
  for (std::size_t j = n + m; j < start.x.size(); ++j) u.push_back(start.x[j][0]);
  stepper.start(state_of(start, n, m), motion.t[1] - motion.t[0], u);
  stepper.set_t(t0);
  record(stepper, 0, motion);
  for (std::size_t k = 1; k < motion.t.size(); ++k) {
    poll_interrupt();
    motion.newton = stepper.advance(motion.t[k] - motion.t[k - 1], {});
    motion.iterations += motion.newton.iterations;
    if (motion.newton.status != NewtonStatus::converged) {
      motion.complete = false;
      motion.failed_at = motion.t[k];
      motion.fault = fault_of(stepper, motion.newton);
      cut(k, motion);
      break;
    }
    stepper.set_t(motion.t[k]);
    record(stepper, static_cast<Eigen::Index>(k), motion);
  }
  const auto inputs = static_cast<Eigen::Index>(n + m), all = motion.value.cols();
  const std::vector<double> knots = knots_of(references);
  if (stepper.inputs_at() < 1.0) {
    motion.step_input = motion.value.bottomRows(motion.value.rows() - 1).rightCols(all - inputs);
    move_to_nodes(inputs, all, knots, motion);
  }
  if (scheme.info.multipliers_at < 1.0) move_to_nodes(static_cast<Eigen::Index>(n), inputs, knots, motion);
  return motion;
}

}  // namespace invar
