// A long table made short for a page without hiding peaks: of every stretch of rows each column keeps its least and its largest value, in the
// order in which they occur.
#pragma once

#include "invar/record/trajectory.h"

namespace invar {

// At most `most` rows (at least four); a short table stays as it is. The first column, time, keeps begin and end of every stretch.
Trajectory thinned(const Trajectory& table, std::size_t most);

}  // namespace invar
