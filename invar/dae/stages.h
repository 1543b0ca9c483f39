// The staged Taylor scheme: the unknowns of a Dae and their derivatives at one instant, one order after the other.
//
// For k = -max d, …, -1, 0, 1, …, p the equations f_i^(k+c_i) = 0 determine the derivatives x_j^(k+d_j); the matrix of
// every stage is a part of J_ij = ∂f_i/∂x_j^(d_j-c_i). Stages that contain an equation for the first time (k + c_i = 0)
// are nonlinear, the others linear. A flat system is solved at any instant to round-off this way, without integration;
// with degrees of freedom left, stages k < 0 have fewer equations than unknowns and the nearest solution to the guess
// is taken
// [J. D. Pryce, Numer. Algorithms 19 (1998) 195; N. Nedialkov, J. Pryce, BIT 45 (2005) 561].
#pragma once

#include <optional>
#include <vector>

#include "invar/dae/jet.h"
#include "invar/dae/jet_newton.h"
#include "invar/dae/jet_result.h"
#include "invar/dae/structure.h"

namespace invar {

class StagedSolver {
 public:
  StagedSolver(JetEvaluator& evaluator, const Offsets& offsets);

  // From a guess to a jet that satisfies all stages, with derivatives x_j^(0 … d_j + extra). jet.t and jet.side say
  // where. A guess that is good already, as along a path, takes a short cut through all stages at once.
  JetResult solve(Jet& jet, int extra);

  // J at a jet, and its reciprocal condition in natural units, noise dropped: zero also if all of a row or column
  // vanishes.
  Matrix system_jacobian(const Jet& jet);
  double condition(const Jet& jet);

 private:
  struct Stage {
    int k;
    std::vector<int> equations, unknowns;
    bool nonlinear;
  };
  JetResult solve_stage(const Stage& stage, Jet& jet);
  Stage stage(int k) const;
  double residual(const Stage& stage, const Jet& jet, Vector& r);

  JetEvaluator& evaluator_;
  const Offsets offsets_;
  std::vector<int> entry_;  // places in the list of partials that make up J
  int highest_c_ = 0;
  std::optional<JetNewton> at_once_;  // for flat systems
  Matrix f_, p_;
};

}  // namespace invar
