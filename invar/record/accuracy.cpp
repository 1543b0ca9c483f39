// Largest departures over the rows of a motion.
#include "invar/record/accuracy.h"

#include <algorithm>
#include <cmath>

namespace invar {

namespace {

constexpr const char* from_zero[] = {"drift.position", "drift.velocity", "energy.kinetic", "energy.potential"};

}  // namespace

// Once not a number, it stays so.
void AccuracyMeter::Departure::add(std::span<const double> rows, std::size_t width, bool first) {
  if (!column) return;
  if (first && from_start) start = rows[*column];
  for (std::size_t place = *column; place < rows.size(); place += width) {
    const double distance = std::abs(rows[place] - start);
    if (!(distance <= largest) && !std::isnan(largest)) largest = distance;
  }
}

AccuracyMeter::AccuracyMeter(const Trajectory& columns, const std::vector<Conserved>& conserved)
    : conserved_(conserved) {
  for (const char* name : from_zero) departures_.push_back({columns.find(name), false});
  for (const Conserved& c : conserved) departures_.push_back({columns.find(c.column), true});
}

void AccuracyMeter::add_rows(std::span<const double> rows, std::size_t width) {
  if (rows.empty()) return;
  for (Departure& d : departures_) d.add(rows, width, first_);
  first_ = false;
}

Accuracy AccuracyMeter::accuracy() const {
  Accuracy result;
  result.measured = true;
  result.drift_position = departures_[0].largest;
  result.drift_velocity = departures_[1].largest;
  for (std::size_t k = 0; k < conserved_.size(); ++k) {
    const Conserved& c = conserved_[k];
    const InvariantDrift drift = {c.column, departures_[std::size(from_zero) + k].largest, c.expected, c.why_not};
    if (c.column == result.energy.name)
      result.energy = drift;
    else
      result.invariants.push_back(drift);
  }
  const double scale = std::max(departures_[2].largest, departures_[3].largest);
  result.energy_relative = result.energy.drift == 0.0 ? 0.0 : result.energy.drift / scale;
  return result;
}

Accuracy measure_accuracy(const Trajectory& trajectory, const std::vector<Conserved>& conserved) {
  AccuracyMeter meter(trajectory, conserved);
  for (std::size_t r = 0; r < trajectory.rows(); ++r) meter.add(trajectory.row(r));
  return meter.accuracy();
}

}  // namespace invar
