// How well a recorded motion kept what it ought to keep, from the columns that an Observer writes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "invar/record/trajectory.h"
#include "invar/system/conserved.h"

namespace invar {

struct InvariantDrift {
  std::string name;      // column
  double drift = 0.0;    // max |I - I_start|
  bool expected = true;  // ought it to be constant?
  std::string why_not = {};
};

struct Accuracy {
  bool measured = false;
  double drift_position = 0.0;  // largest over the run
  double drift_velocity = 0.0;
  InvariantDrift energy = {.name = "energy.total"};
  double energy_relative = 0.0;            // drift over the largest kinetic or potential energy met
  std::vector<InvariantDrift> invariants;  // all but the energy
};

// Row by row. Columns that there are not count as 0. A value that is not finite makes its figure infinite or NaN.
class AccuracyMeter {
 public:
  AccuracyMeter(const Trajectory& columns, const std::vector<Conserved>& conserved);
  void add(std::span<const double> row) { add_rows(row, row.size()); }
  // So many at once, one after the other.
  void add_rows(std::span<const double> rows, std::size_t width);
  Accuracy accuracy() const;

  // To go on, see state_bytes.h.
  template <class Archive>
  void store(Archive& archive) {
    archive(first_);
    for (Departure& d : departures_) archive(d.start, d.largest);
  }

 private:
  // Of a column: its first value, and how far it goes from there or from zero.
  struct Departure {
    std::optional<std::size_t> column;
    bool from_start;
    double start = 0.0, largest = 0.0;

    void add(std::span<const double> rows, std::size_t width, bool first);
  };

  const std::vector<Conserved> conserved_;
  std::vector<Departure> departures_;  // of positions, velocities, kinetic and potential energy, what is conserved
  bool first_ = true;
};

// The same for a whole table.
Accuracy measure_accuracy(const Trajectory& trajectory, const std::vector<Conserved>& conserved);

}  // namespace invar
