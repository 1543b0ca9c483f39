// Makes bounds and path conditions hold between the nodes: a semi-infinite program, solved by exchange [R. Hettich, K.
// O. Kortanek, Semi-infinite programming, SIAM Rev. 35 (1993) 380]: where a limit is passed inside an interval it
// becomes a condition there, and the motion is sought again, until nothing is passed any more.
#pragma once

#include "invar/task/optimize/between_nodes.h"
#include "invar/task/optimize/optimal_search.h"

namespace invar {

// From a motion whose limits hold at the nodes, to one whose peaks are known. If it cannot be made to hold between the
// nodes, it is the motion that came nearest. Counts its iterations.
OptimalMotion hold_between_nodes(const OptimalTask& task, OptimalMotion found, const RunOptions& options,
                                 int& iterations);

// The peak that passes its limit most, measured by its tolerance; none if there is no peak.
const Breach* worst(const std::vector<Breach>& peaks);

}  // namespace invar
