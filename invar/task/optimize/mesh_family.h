// Ever finer meshes that follow one and the same optimum. A coarse mesh may have optima of its own, and refining one
// leads to a bad optimum or to a jump: so the finest mesh is also solved afresh, and the coarser ones again from the
// best that it has.
#pragma once

#include <vector>

#include "invar/task/optimize/optimal_search.h"

namespace invar {

struct MeshFamily {
  std::vector<OptimalMotion> members;  // the coarsest first; each but the last is solved, and moves as the next does
  std::vector<std::string> notes;      // what the user should know about the others
};

MeshFamily refined(OptimalSearch& search, const OptimizeSettings& settings);

}  // namespace invar
