// The start of an open tree of bodies: every position and velocity is consistent, if only Euler parameters have the
// length one, and accelerations follow by recursion.
#pragma once

#include <optional>
#include <span>

#include "invar/system/equations.h"
#include "invar/system/start/start_result.h"

namespace invar {

// The formulas of such a start; a copy shares them.
class TreeStart {
 public:
  // Of an open tree.
  static bool serves(const System& system);
  TreeStart(const System& system, std::span<const Reference> references);

  // Nothing where a number is not finite or a freedom has hardly any inertia of its own: others know more of such
  // starts.
  std::optional<Start> solve(const State& given, std::span<const double> u, std::span<const double> parameters) const;

 private:
  std::shared_ptr<const JointTree> tree_;
  bool constant_mass_;
  StateFunction forces_;
};

// The velocities of such a system that have these rates, by the least change in the metric of its masses; nothing where
// no tree describes it, and where a start says nothing.
std::optional<std::vector<double>> led_velocities(const System& system, const State& given,
                                                  std::span<const std::optional<double>> rates);

}  // namespace invar
