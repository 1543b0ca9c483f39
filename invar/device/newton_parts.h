// The correction of a Newton iteration in parts, for machines on which arithmetic is cheap and values that wait for
// their use are dear.
//
// In an elimination every entry of the upper factor waits for the back substitution. With pivots 1 … n in groups
// G₁ … G_k the last unknowns are found first, and nothing of the others waits for them:
//
//   part k      eliminates G₁ … G_{k-1}, solves for the unknowns of G_k, and forgets everything else
//   part j < k  eliminates G₁ … G_{j-1} once more, with the unknowns of G_{j+1} … G_k as numbers on the right
//
// The equations of the pivots of G₁ … G_j are those of a leading block of the matrix, whose pivots are the same.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "invar/base/pattern.h"
#include "invar/tape/function.h"

namespace invar {

struct NewtonPart {
  Function function;
  std::vector<std::size_t> unknowns;  // whose corrections it finds; then its share of the loss (newton_line.h)
};

// In the order in which they are to be done. The arguments are those of `residual`, then the corrections of all
// unknowns, of which those of earlier parts are used. None if the Jacobian is singular at `in`, or if an elimination
// takes more than `most` operations.
std::vector<NewtonPart> newton_parts(const Function& residual, const Pattern& pattern, std::span<const double> in,
                                     double most, std::size_t parts);

}  // namespace invar
