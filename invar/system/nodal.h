// An open chain of bodies, for schemes that want no multipliers: its configurations, and the velocities it allows.
#pragma once

#include <string>
#include <vector>

#include "invar/expr/expr.h"

namespace invar {

struct NodalMap {
  // q₁ = image(q, δ): the configuration after each freedom k has moved by δ_k from q.
  Exprs increments;  // symbols δ
  Exprs image;       // in the symbols q of the system and δ
  // Columns of a matrix P(q) with G P = 0 for all constraints of bodies and joints, also at the mean of two
  // configurations, where directors are not orthonormal.
  std::vector<Exprs> null_space;
  // A named coordinate follows the bodies as its own constraint tells; its entries in P are zero here.
  struct Follower {
    std::size_t coordinate, constraint;
  };
  std::vector<Follower> followers;
};

}  // namespace invar
