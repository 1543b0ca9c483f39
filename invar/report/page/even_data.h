// Rows at equal distances as the page reads them, for the curves under its zoom.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/record/trajectory.h"
#include "invar/report/page/packing.h"

namespace invar {

struct EvenData {
  struct Column {
    std::string name;
    Packed values;
    std::optional<Packed> reference;  // what it shall follow
  };
  Packed time;
  std::vector<Column> columns;
};

// Every column that is shown and that is no round-off, to 6e-11 of its largest value; as many of the rows as there are
// characters for in the page. Nothing if these are fewer than `least`.
std::optional<EvenData> even_data(const Problem& problem, const Trajectory& even, std::size_t least,
                                  std::size_t most_characters);

}  // namespace invar
