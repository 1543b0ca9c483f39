// How well a recorded motion kept what it ought to keep, from the columns that an Observer writes.
#pragma once

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

// Columns that the trajectory lacks count as 0. A value that is not finite makes its figure infinite or NaN.
Accuracy measure_accuracy(const Trajectory& trajectory, const std::vector<Conserved>& conserved);

}  // namespace invar
