// An optimal control problem of bodies written in joint coordinates: a formulation is only a way to write the same
// problem, so an optimum that was found in the one with the fewest unknowns is a first guess for all others.
#pragma once

#include <optional>

#include "invar/system/reduce.h"
#include "invar/system/state_function.h"
#include "invar/task/transcription/goal.h"

namespace invar {

// A start and a goal on the constraints of a system.
struct StartAndGoal {
  const System& system;
  const State& start;
  const Goal& goal;
};

class JointForm {
 public:
  // Nothing if the problem has no bodies, stands in joint coordinates already or does not reach its goal in them.
  static std::optional<JointForm> of(const Problem& problem, const StartAndGoal& ends);

  // In joint coordinates q = F(μ). Of final values that say the same, also by momenta that nothing changes, one is
  // kept, where possible as a value of a coordinate.
  const Problem& problem() const { return problem_; }

  // q and v of a motion in joint coordinates, at its nodes.
  std::vector<std::vector<double>> nodes(const MeshMotion& joints);

 private:
  JointForm(const Problem& problem, const Mapping& mapping);

  // Joint coordinates of a configuration and rates of velocities, by steps from near ones; the distance that remains.
  double follow(const std::vector<double>& q, std::vector<double>& mu);
  std::vector<double> rates(const std::vector<double>& mu, const std::vector<double>& v);
  void write_settings(const Problem& problem);
  void set_goal(const std::vector<double>& mu);

  Problem problem_;
  Exprs from_, to_;  // q and v, and what they become
  std::size_t n_, old_;
  StateFunction image_;  // F, then ∂F/∂μ by rows
  StateFunction nodes_;  // q, v
};

}  // namespace invar
