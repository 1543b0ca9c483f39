// Rows of a result chosen as frames of a scene, and the columns in them.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <vector>

#include "invar/record/trajectory.h"

namespace invar {

class Frames {
 public:
  Frames(const Trajectory& motion, std::size_t most) : motion_(motion) {
    const std::size_t rows = motion.rows(), count = std::min(rows, most);
    for (std::size_t k = 0; k < count; ++k) rows_.push_back(count < 2 ? 0 : k * (rows - 1) / (count - 1));
  }

  std::size_t count() const { return rows_.size(); }
  bool has(const std::string& column) const { return motion_.find(column).has_value(); }
  // The values of a column in all frames; NaN if there is none.
  std::vector<double> column(const std::string& name) const {
    std::vector<double> values(rows_.size(), std::numeric_limits<double>::quiet_NaN());
    if (const auto place = motion_.find(name))
      for (std::size_t k = 0; k < rows_.size(); ++k) values[k] = motion_.row(rows_[k])[*place];
    return values;
  }

 private:
  const Trajectory& motion_;
  std::vector<std::size_t> rows_;
};

}  // namespace invar
