// See energy_check.h.
#include "invar/task/simulate/energy_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "invar/base/once.h"
#include "invar/expr/derivative.h"
#include "invar/tape/term_size.h"

namespace invar {

namespace {

// Differences below this part of what was added up are round-off, also after a million steps.
constexpr double energy_round_off = 1e-10;
// So are those that changes of the coordinates and velocities by this part of the largest of them explain.
constexpr double jitter = 1e-11;
constexpr std::size_t energy_rows = 400;  // rows

// The sum of its terms, and its slopes along positions and velocities.
Exprs size_formulas(const System& system, const Expr& quantity) {
  Exprs all = term_sizes({&quantity, 1});
  for (const Exprs& x : {positions(system), velocities(system)}) {
    Expr slope = 0.0;
    for (const Expr& g : gradient(quantity, x)) slope += abs(g);
    all.push_back(slope);
  }
  return all;
}

// Whether only forces and inputs can change the energy.
bool is_closed(System system) {
  for (Expr& f : system.forces) f = 0.0;
  system.inputs.clear();
  return why_energy_changes(system).empty();
}

Expr power_of(const System& system) {
  Expr power = 0.0;
  const Exprs v = velocities(system);
  const Equations e = equations(system);
  for (std::size_t i = 0; i < v.size(); ++i) power += v[i] * e.applied[i];
  return power;
}

}  // namespace

struct QuantityNoise::Formulas {
  System system;
  std::vector<Reference> signals;
  Expr quantity;
  Once<StateFunction> values;
};

QuantityNoise::QuantityNoise(const System& system, std::span<const Reference> signals, const Expr& quantity)
    : formulas_(new Formulas{system, {signals.begin(), signals.end()}, quantity, {}}) {}

bool QuantityNoise::is_surely_noise(double difference, double sum) {
  return std::abs(difference) <= energy_round_off * std::abs(sum);
}

QuantityNoise::Size QuantityNoise::measure(const MotionRows& rows, std::span<const double> parameters) const {
  const Formulas& f = *formulas_;
  StateFunction values =
      formulas_->values.get([&] { return StateFunction(f.system, size_formulas(f.system, f.quantity), f.signals); });
  values.set_parameters(parameters);
  const double length = rows.largest_position(), interval = rows.interval();
  const double speed = rows.largest_velocity() + (interval > 0.0 ? length / interval : 0.0);
  Size size;
  rows.evaluate(values, rows.sample(energy_rows), [&](std::span<const std::size_t> some, const StateBlock& x) {
    for (std::size_t p = 0; p < some.size(); ++p) {
      const double terms = x.values(0)[p];
      size.terms = std::max(size.terms, terms);
      size.noise =
          std::max(size.noise, energy_round_off * terms + jitter * (x.values(1)[p] * length + x.values(2)[p] * speed));
    }
  });
  return size;
}

EnergyCheck::EnergyCheck(const System& system, std::span<const Reference> signals)
    : is_conserved_(why_energy_changes(system).empty()), is_closed_(is_closed(system)) {
  if (!is_closed_) return;
  noise_.emplace(system, signals, system.kinetic + system.potential);
  if (is_conserved_) return;
  const Expr power = power_of(system);
  if (!power.is_constant(0.0)) power_.emplace(system, Exprs{power}, signals);
}

namespace {

// Power in the middle of each interval between rows, in vector lanes.
std::vector<double> power_between(const StateFunction& power, const Motion& motion, const MotionRows& rows) {
  const std::size_t n = motion.system.coordinates.size(), inputs = motion.system.inputs.size();
  std::vector<double> found, times, u, q(n), v(n), held(inputs);
  for (std::size_t r = 1; r < rows.table().rows(); ++r) times.push_back(0.5 * (rows.t(r - 1) + rows.t(r)));
  if (motion.inputs) {
    u.resize(inputs * times.size());
    motion.inputs(times, u);
  }
  StateBlock block(power);
  for (std::size_t r = 0; r < times.size(); ++r) {
    const auto mean = [](std::span<const double> a, std::span<const double> b, std::vector<double>& middle) {
      for (std::size_t i = 0; i < middle.size(); ++i) middle[i] = 0.5 * (a[i] + b[i]);
    };
    mean(rows.q(r), rows.q(r + 1), q);
    mean(rows.v(r), rows.v(r + 1), v);
    std::ranges::copy(rows.u(r), held.begin());
    if (motion.inputs)
      for (std::size_t k = 0; k < inputs; ++k) held[k] = u[k * times.size() + r];
    block.add(times[r], q, v, {}, held);
    if (!block.is_full() && r + 1 < times.size()) continue;
    block.evaluate();
    found.insert(found.end(), block.values(0).begin(), block.values(0).end());
    block.clear();
  }
  return found;
}

}  // namespace

// Work that forces and inputs can have done by each row: the largest power at the ends and in the middle of an interval
// lasts for all of it.
std::vector<double> EnergyCheck::possible_work(const Motion& motion, const MotionRows& rows) const {
  const std::size_t count = rows.table().rows();
  std::vector<double> work(count, 0.0);
  if (!power_) return work;
  StateFunction value = *power_;
  value.set_parameters(parameter_values(motion.system));
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<double> power(count);
  rows.evaluate(value, all, [&](std::span<const std::size_t> some, const StateBlock& x) {
    std::ranges::copy(x.values(0), power.begin() + static_cast<std::ptrdiff_t>(some.front()));
  });
  const std::vector<double> between = power_between(value, motion, rows);
  for (std::size_t r = 1; r < count; ++r)
    work[r] = work[r - 1] + (rows.t(r) - rows.t(r - 1)) * std::max({0.0, power[r - 1], between[r - 1], power[r]});
  return work;
}

EnergyChange EnergyCheck::measure(const Motion& motion, const MotionRows& rows) const {
  const std::vector<double> kinetic = rows.table().column("energy.kinetic");
  const std::vector<double> potential = rows.table().column("energy.potential");
  const auto [least, most] = std::ranges::minmax(potential);
  EnergyChange change;
  change.is_conserved = is_conserved_;
  for (const double T : kinetic) change.scale = std::max(change.scale, std::abs(T));
  change.scale = std::max(change.scale, most - least);
  if (!is_closed_) return change;
  const auto gained = [&](std::size_t r) { return kinetic[r] + potential[r] - kinetic[0] - potential[0]; };
  const double terms = std::abs(kinetic[0]) + std::abs(potential[0]);
  bool in_doubt = false;
  for (std::size_t r = 1; r < kinetic.size(); ++r)
    in_doubt = in_doubt || !QuantityNoise::is_surely_noise(gained(r), terms);
  if (!in_doubt) return change;
  const double noise = noise_->measure(rows, parameter_values(motion.system)).noise;
  double most_gained = 0.0;
  for (std::size_t r = 1; r < kinetic.size(); ++r) {
    const double gain = gained(r);
    most_gained = std::max(most_gained, gain);
    if (std::abs(gain) > noise) change.largest = std::max(change.largest, std::abs(gain));
  }
  if (most_gained < energy_from_nowhere * change.scale) return change;  // whatever the work was
  const std::vector<double> work = possible_work(motion, rows);
  for (std::size_t r = 1; r < kinetic.size(); ++r) {
    const double gain = gained(r);
    if (gain - work[r] <= std::max(change.unexplained, noise)) continue;
    change.unexplained = gain - work[r];
    change.t = rows.table().row(r)[0];
  }
  return change;
}

double largest_change(const MotionRows& rows, const std::string& column, const QuantityNoise& noise,
                      std::span<const double> parameters) {
  const std::vector<double> values = rows.table().column(column);
  double change = 0.0;
  for (const double x : values) change = std::max(change, std::abs(x - values.front()));
  if (QuantityNoise::is_surely_noise(change, values.front())) return 0.0;
  const QuantityNoise::Size size = noise.measure(rows, parameters);
  return change > size.noise ? change / size.terms : 0.0;
}

}  // namespace invar
