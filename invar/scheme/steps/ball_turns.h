// Balls in explicit steps: four Euler parameters that turn freely, as numbers of positions and velocities.
//
// As coordinates they are moved onto |p| = 1 and p·p' = 0. On the rotation group speeds are the spin ω in turned axes,
// a step turns by p₀ ∘ map(θ), and θ changes at the rate dmap⁻¹_{-θ} ω; three numbers in the places of the first three
// parameters, while the fourth is zero. The map is that of lie.h.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "invar/scheme/scheme.h"

namespace invar {

struct Ball {
  std::size_t first;  // parameter
  double sign = 1.0;  // of its rotation vector
};

class BallTurns {
 public:
  explicit BallTurns(std::vector<Ball> balls, std::optional<RotationMap> map = {})
      : balls_(std::move(balls)), map_(map) {}

  bool on_group() const { return map_.has_value(); }

  // What follows changes nothing but balls, and nothing at all unless said otherwise where they are coordinates.

  // Rates of parameters at q become spins, their accelerations changes of spins, and back.
  void to_spins(std::span<const double> q, std::span<double> rates) const;
  void to_rates(std::span<const double> q, std::span<double> spins) const;
  // Positions become increments from there.
  void begin(std::span<double> q) const;
  // Increments from `from` and speeds become positions and velocities; as coordinates these are moved onto their
  // conditions. `rate`, if any, gets the rates of the increments.
  void arrive(std::span<const double> from, std::span<double> q, std::span<double> v,
              std::span<double> rate = {}) const;

 private:
  std::vector<Ball> balls_;
  std::optional<RotationMap> map_;
};

}  // namespace invar
