// The curves of a run as one still picture for a paper: by what they are, and by their units.
#pragma once

#include <string>

#include "invar/model/problem/problem.h"
#include "invar/record/summary.h"
#include "invar/record/trajectory.h"

namespace invar {

// Of a table as report_table() makes it.
std::string paper_plot(const Problem& problem, const Summary& summary, const Trajectory& table);

}  // namespace invar
