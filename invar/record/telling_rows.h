// A long table made short for a page: some of its rows, whole and unchanged, so that what is shown together happened
// together. The rows are those at which columns have their extremes, over the whole and within stretches as short as
// the number of rows allows, and others evenly between them.
#pragma once

#include <vector>

#include "invar/record/trajectory.h"

namespace invar {

// Places of at most `most` rows (at least four), ascending, the first and the last among them; all rows of a short
// table. The extremes are those of the columns at `places`; those of the whole table come first, should the rows not be
// enough for all.
std::vector<std::size_t> telling_rows(const Trajectory& table, const std::vector<std::size_t>& places,
                                      std::size_t most);

// Of each column, whether straight lines between these rows, or values held from one to the next, come near to what it
// is in the rows between them: to a tenth of its range.
std::vector<bool> followed(const Trajectory& table, const std::vector<std::size_t>& rows,
                           const std::vector<bool>& held);

Trajectory rows_of(const Trajectory& table, const std::vector<std::size_t>& rows);

}  // namespace invar
