// Can a mechanism take the positions that trajectories ask of it at one instant?
//
// The configuration nearest to them: min |Φ(t,q)|² + |s(t,q) - γ(t)|², by the method of Levenberg and Marquardt from
// the given configuration and from others around it, constraints counting far more than outputs.
#pragma once

#include <string>
#include <vector>

#include "invar/dae/jet.h"

namespace invar {

struct Miss {
  std::string output;
  double distance;  // of the nearest configuration found
};

// Outputs at position level that no configuration found satisfies; none if one satisfies all, with the constraints, or
// if outputs and constraints depend on each other in every configuration.
std::vector<Miss> out_of_reach(const Dae& dae, JetEvaluator& evaluator, const Jet& jet);

// `output "hand_x" by 0.3, output "hand_y" by 1.2`.
std::string in_words(const std::vector<Miss>& misses);

}  // namespace invar
