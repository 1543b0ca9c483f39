// Do bounds and path conditions hold between the nodes of a mesh too?
//
// Between two nodes a motion runs on the cubic with their positions and velocities; for a step of second order this is
// as exact as the nodes are. Formulas with inputs or multipliers have one value per interval, in its middle, and are
// not asked here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/system/state_function.h"
#include "invar/task/optimize/optimal_task.h"

namespace invar {

class BetweenNodes {
 public:
  explicit BetweenNodes(const OptimalTask& task);

  // The peaks of all limits that can be asked, as far as they come near them.
  std::vector<Breach> peaks(const MeshMotion& motion);
  // What counts as nothing, of every limit that was asked last.
  const std::vector<double>& tolerances() const { return tolerance_; }
  // Of the formulas asked, how far a state is beyond their limits.
  std::vector<double> beyond(const State& state);
  const std::vector<std::size_t>& tested_limits() const { return tested_limits_; }

 private:
  // How far all formulas are beyond their limits at many places: that of formula f at place i stands at f·count + i.
  std::vector<double> sampled(const MeshMotion& motion, std::size_t per_interval);
  State state_at(const MeshMotion& motion, double place) const;
  double beyond(std::size_t formula, double value) const;
  void set_tolerances(const MeshMotion& motion, std::span<const double> samples);
  Breach peak(const MeshMotion& motion, std::size_t formula, double from, double to);

  const OptimalTask& task_;
  std::vector<std::size_t> tested_limits_;  // limits
  StateFunction formulas_, slopes_;
  ReferenceValues references_;
  Function lanes_;  // of t, q, v, parameters, references
  Scratch scratch_;
  bool of_time_;  // does a formula contain the time itself?
  std::vector<double> tolerance_;
};

// `path condition "x^2+y^2"` or `bound on "x"`.
std::string name_of_limit(const OptimalTask& task, std::size_t limit);

}  // namespace invar
