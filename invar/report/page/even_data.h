// Rows at equal distances as the page reads them, for the curves under its zoom.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "invar/model/problem/problem.h"
#include "invar/record/trajectory.h"

namespace invar {

// Every column that is shown and that is no round-off, to 6e-11 of its largest value, with what outputs shall follow;
// as many of the rows as a page can hold. Null if these are fewer than `least`.
nlohmann::ordered_json even_data(const Problem& problem, const Trajectory& even, std::size_t least);

}  // namespace invar
