// Rows of a result chosen as frames of a scene, and the columns in them.
#pragma once

#include <string>
#include <vector>

#include "invar/record/trajectory.h"

namespace invar {

class Frames {
 public:
  // So many rows at most, evenly spread until `end`, and those nearest to `times`.
  Frames(const Trajectory& motion, std::size_t most, double end, const std::vector<double>& times);

  std::size_t count() const { return rows_.size(); }
  bool has(const std::string& column) const { return motion_.find(column).has_value(); }
  // The values of a column in all frames; NaN if there is none.
  std::vector<double> column(const std::string& name) const;

 private:
  const Trajectory& motion_;
  std::vector<std::size_t> rows_;
};

}  // namespace invar
