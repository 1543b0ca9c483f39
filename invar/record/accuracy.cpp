// Largest departures over the rows of a trajectory.
#include "invar/record/accuracy.h"

#include <algorithm>
#include <cmath>

namespace invar {

namespace {

// max |x - from|; NaN if any of them is.
double largest(const std::vector<double>& x, double from = 0.0) {
  double most = 0.0;
  for (double value : x) {
    const double distance = std::abs(value - from);
    if (!(distance <= most)) most = distance;
    if (std::isnan(distance)) return distance;
  }
  return most;
}

std::vector<double> values_of(const Trajectory& trajectory, const std::string& name) {
  return trajectory.find(name) ? trajectory.column(name) : std::vector<double>{};
}

InvariantDrift drift_of(const Trajectory& trajectory, const Conserved& c) {
  const std::vector<double> x = values_of(trajectory, c.column);
  return {c.column, x.empty() ? 0.0 : largest(x, x.front()), c.expected, c.why_not};
}

}  // namespace

Accuracy measure_accuracy(const Trajectory& trajectory, const std::vector<Conserved>& conserved) {
  Accuracy result;
  result.measured = true;
  result.drift_position = largest(values_of(trajectory, "drift.position"));
  result.drift_velocity = largest(values_of(trajectory, "drift.velocity"));
  for (const Conserved& c : conserved) {
    const InvariantDrift drift = drift_of(trajectory, c);
    if (c.column == result.energy.name)
      result.energy = drift;
    else
      result.invariants.push_back(drift);
  }
  const double scale =
      std::max(largest(values_of(trajectory, "energy.kinetic")), largest(values_of(trajectory, "energy.potential")));
  result.energy_relative = result.energy.drift == 0.0 ? 0.0 : result.energy.drift / scale;
  return result;
}

}  // namespace invar
