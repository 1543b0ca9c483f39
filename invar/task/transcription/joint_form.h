// An optimal control problem of bodies written in joint coordinates: a formulation is only a way to write the same
// problem, so an optimum that was found in the one with the fewest unknowns is a first guess for all others.
#pragma once

#include <optional>

#include "invar/model/problem/joint_coordinates.h"
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
  // q, v and a of a state in joint coordinates.
  State state(const State& joints);

 private:
  JointForm(const System& given, JointCoordinates joints);

  void write_settings(const Problem& problem);
  void set_goal(const std::vector<double>& mu);

  JointCoordinates joints_;
  Problem problem_;
  Exprs given_;                         // q, v, a
  std::optional<StateFunction> state_;  // their formulas, made when they are needed
};

}  // namespace invar
