// See energy_check.h.
#include "invar/task/simulate/energy_check.h"

#include <algorithm>
#include <cmath>

#include "invar/expr/derivative.h"
#include "invar/tape/term_size.h"

namespace invar {

namespace {

// Differences below this part of what was added up are round-off, also after a million steps.
constexpr double energy_round_off = 1e-10;
// So are those that changes of the coordinates and velocities by this part of the largest of them explain.
constexpr double jitter = 1e-11;
constexpr std::size_t energy_rows = 400;  // rows

// A difference of a quantity that is round-off: from its largest terms and its steepest slopes in the motion.
double noise_of(const Motion& motion, const MotionRows& rows, const Expr& quantity, double& size) {
  const Exprs q = positions(motion.system), v = velocities(motion.system);
  Exprs all = term_sizes({&quantity, 1});
  for (const Exprs& x : {q, v}) {
    Expr slope = 0.0;
    for (const Expr& g : gradient(quantity, x)) slope += abs(g);
    all.push_back(slope);
  }
  StateFunction values(motion.system, all, motion.signals);
  const double length = rows.largest_position(), interval = rows.interval();
  const double speed = rows.largest_velocity() + (interval > 0.0 ? length / interval : 0.0);
  double noise = 0.0;
  size = 0.0;
  for (const std::size_t r : rows.sample(energy_rows)) {
    const std::vector<double> x = values(rows.state(r), rows.inputs(r));
    size = std::max(size, x[0]);
    noise = std::max(noise, energy_round_off * x[0] + jitter * (x[1] * length + x[2] * speed));
  }
  return noise;
}

// Whether only forces and inputs can change the energy.
bool is_closed(System system) {
  for (Expr& f : system.forces) f = 0.0;
  system.inputs.clear();
  return why_energy_changes(system).empty();
}

// Work that forces and inputs can have done by each row: the largest power at the ends and in the middle of an interval lasts for all of it.
std::vector<double> possible_work(const Motion& motion, const MotionRows& rows) {
  Expr power = 0.0;
  const Exprs v = velocities(motion.system);
  const Equations e = equations(motion.system);
  for (std::size_t i = 0; i < v.size(); ++i) power += v[i] * e.applied[i];
  const std::size_t count = rows.table().rows();
  std::vector<double> work(count, 0.0);
  if (power.is_constant(0.0)) return work;
  StateFunction value(motion.system, {&power, 1}, motion.signals);
  State before = rows.state(0);
  double first = value(before, rows.inputs(0))[0];
  for (std::size_t r = 1; r < count; ++r) {
    const State after = rows.state(r);
    State middle = before;
    middle.t = 0.5 * (before.t + after.t);
    middle.lambda.clear();
    for (std::size_t i = 0; i < middle.q.size(); ++i) {
      middle.q[i] = 0.5 * (before.q[i] + after.q[i]);
      middle.v[i] = 0.5 * (before.v[i] + after.v[i]);
    }
    std::vector<double> u = rows.inputs(r - 1);
    if (motion.inputs) motion.inputs(middle.t, u);
    const double last = value(after, rows.inputs(r))[0];
    work[r] = work[r - 1] + (after.t - before.t) * std::max({0.0, first, value(middle, u)[0], last});
    first = last;
    before = after;
  }
  return work;
}

}  // namespace

EnergyChange measure_energy(const Motion& motion, const MotionRows& rows) {
  const std::vector<double> kinetic = rows.table().column("energy.kinetic");
  const std::vector<double> potential = rows.table().column("energy.potential");
  const auto [least, most] = std::ranges::minmax(potential);
  EnergyChange change;
  change.is_conserved = why_energy_changes(motion.system).empty();
  for (const double T : kinetic) change.scale = std::max(change.scale, std::abs(T));
  change.scale = std::max(change.scale, most - least);
  if (!is_closed(motion.system)) return change;
  double size = 0.0;
  const double noise = noise_of(motion, rows, motion.system.kinetic + motion.system.potential, size);
  const std::vector<double> work =
      change.is_conserved ? std::vector<double>(kinetic.size(), 0.0) : possible_work(motion, rows);
  for (std::size_t r = 1; r < kinetic.size(); ++r) {
    const double gain = kinetic[r] + potential[r] - kinetic[0] - potential[0];
    if (std::abs(gain) > noise) change.largest = std::max(change.largest, std::abs(gain));
    if (gain - work[r] <= std::max(change.unexplained, noise)) continue;
    change.unexplained = gain - work[r];
    change.t = rows.table().row(r)[0];
  }
  return change;
}

double largest_change(const Motion& motion, const MotionRows& rows, const Conserved& quantity) {
  double size = 0.0;
  const double noise = noise_of(motion, rows, quantity.expr, size);
  const std::vector<double> values = rows.table().column(quantity.column);
  double change = 0.0;
  for (const double x : values) change = std::max(change, std::abs(x - values.front()));
  return change > noise ? change / size : 0.0;
}

}  // namespace invar
