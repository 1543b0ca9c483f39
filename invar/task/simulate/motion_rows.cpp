// See motion_rows.h.
#include "invar/task/simulate/motion_rows.h"

#include <algorithm>
#include <cmath>

namespace invar {

MotionRows::MotionRows(const System& system, const Trajectory& trajectory)
    : trajectory_(trajectory),
      n_(system.coordinates.size()),
      m_(system.constraints.size()),
      inputs_(system.inputs.size()) {
  for (std::size_t r = 0; r < trajectory.rows(); ++r) {
    const std::span<const double> row = trajectory.row(r);
    for (std::size_t i = 1; i <= n_; ++i) {
      largest_position_ = std::max(largest_position_, std::abs(row[i]));
      largest_velocity_ = std::max(largest_velocity_, std::abs(row[n_ + i]));
    }
  }
}

State MotionRows::state(std::size_t r) const {
  const std::span<const double> row = trajectory_.row(r);
  const auto part = [&](std::size_t first, std::size_t size) {
    const std::span<const double> values = row.subspan(first, size);
    return std::vector<double>(values.begin(), values.end());
  };
  return {row[0], part(1, n_), part(1 + n_, n_), {}, part(1 + 2 * n_, m_)};
}

std::vector<double> MotionRows::inputs(std::size_t r) const {
  const std::span<const double> values = trajectory_.row(r).subspan(1 + 2 * n_ + m_, inputs_);
  return {values.begin(), values.end()};
}

std::vector<std::size_t> MotionRows::sample(std::size_t most) const {
  const std::size_t count = trajectory_.rows(), stride = std::max<std::size_t>(1, count / most);
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < count; r += stride) rows.push_back(r);
  if (rows.empty() || rows.back() + 1 != count) rows.push_back(count - 1);
  for (const char* name : {"drift.position", "drift.velocity"})
    if (const auto column = trajectory_.find(name)) {
      std::size_t worst = 0;
      const std::size_t width = trajectory_.columns.size();
      const double* const values = trajectory_.values.data() + *column;
      for (std::size_t r = 0; r < count; ++r)
        if (values[r * width] > values[worst * width]) worst = r;
      rows.push_back(worst);
    }
  return rows;
}

double MotionRows::interval() const {
  const std::size_t count = trajectory_.rows();
  return count < 2 ? 0.0 : (trajectory_.row(count - 1)[0] - trajectory_.row(0)[0]) / static_cast<double>(count - 1);
}

}  // namespace invar
