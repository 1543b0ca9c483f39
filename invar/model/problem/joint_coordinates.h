// A problem of bodies written in joint coordinates, q = F(μ): a formulation is only a way to write the same problem,
// so what was found in the one with the fewest unknowns holds in all others.
#pragma once

#include <optional>
#include <vector>

#include "invar/expr/derivative.h"
#include "invar/math/matrix.h"
#include "invar/model/problem/problem.h"
#include "invar/system/reduce.h"
#include "invar/system/state_function.h"

namespace invar {

class JointCoordinates {
 public:
  // Nothing if the problem has no bodies, has members that bend, or stands in joint coordinates already. InputError
  // where bodies cannot be described so.
  static std::optional<JointCoordinates> of(const Problem& problem);

  // The system and what shall be followed; start and settings are those of the problem that was given.
  const Problem& problem() const { return problem_; }
  const Exprs& image() const { return mapping_.image; }              // F
  const std::vector<double>& usual_start() const { return start_; }  // μ where the mechanism was drawn

  // Formulas of q, v and a become formulas of μ and its derivatives.
  Exprs put(const Exprs& formulas) const;

  // Joint coordinates of a configuration and rates of velocities, by steps from near ones; the distance that remains.
  double follow(const std::vector<double>& q, std::vector<double>& mu);
  double rates(const std::vector<double>& mu, const std::vector<double>& v, std::vector<double>& rate);
  // q and v.
  std::vector<double> node(const std::vector<double>& mu, const std::vector<double>& rate);

 private:
  JointCoordinates(const Problem& problem, Mapping mapping, std::vector<double> start);
  struct Image {
    Vector q;
    Matrix slope;  // ∂F/∂μ
  };
  Image at_joints(const std::vector<double>& mu);

  std::vector<Variable> given_;  // q
  Mapping mapping_;
  std::vector<double> start_;
  Problem problem_;
  SparseExprs slope_;
  StateFunction image_;  // F, then the entries of ∂F/∂μ
};

}  // namespace invar
