// In which order the unknowns of a sparse symmetric system are eliminated, and which of them together: a tree of fronts
// [I. S. Duff, J. K. Reid, The multifrontal solution of indefinite sparse symmetric linear equations, ACM Trans. Math.
// Softw. 9 (1983) 302]. An unknown without a diagonal entry, as a multiplier is, goes together with one that it is
// coupled to, so that both make a pivot of size two [O. Schenk, K. Gärtner, Electron. Trans. Numer. Anal. 23 (2006)
// 158]; the pairs are ordered by minimum degree [P. R. Amestoy, T. A. Davis, I. S. Duff, SIAM J. Matrix Anal. Appl. 17
// (1996) 886].
#pragma once

#include <span>
#include <vector>

namespace invar {

// A place in a symmetric matrix: in either triangle.
struct SymmetricEntry {
  int row, col;
};

struct FrontPlan {
  struct Front {
    std::vector<int> pivots, border;  // unknowns: eliminated here, and what else they are coupled to then
    int parent = -1;
    std::vector<std::size_t> entries;  // of the matrix: those of the pivots with what is not eliminated before
  };
  std::vector<Front> fronts;  // children before their parents, and the children of one parent in a stack's order
  double work = 0.0;          // multiplications
};

// `sizes` are those of the entries, at most about one: an unknown with next to nothing on the diagonal is paired.
FrontPlan plan_fronts(std::size_t size, std::span<const SymmetricEntry> entries, std::span<const double> sizes);

}  // namespace invar
