// Rows of a result chosen as frames of a scene, and the columns in them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "invar/record/column_places.h"
#include "invar/record/trajectory.h"

namespace invar {

class Frames {
 public:
  enum class Spread { equal, uneven };  // the latter does not fall into step with what repeats itself

  // So many rows at most, spread over all of the motion, and those nearest to `times`.
  Frames(const Trajectory& motion, std::size_t most, const std::vector<double>& times, Spread spread = Spread::equal);

  // The same frames and between any two of them another row where there is one, never twice at the same part of the
  // way: what repeats itself from frame to frame is seen there.
  Frames with_probes() const;

  std::size_t count() const { return rows_.size(); }
  bool is_probe(std::size_t frame) const { return !probes_.empty() && probes_[frame]; }
  bool has(const std::string& column) const { return places_->find(column).has_value(); }
  // The values of a column in all frames; NaN if there is none. And those of one that is there in all rows.
  std::vector<double> column(const std::string& name) const;
  std::vector<double> in_all_rows(const std::string& name) const;  // of the motion

 private:
  Frames(const Trajectory& motion, std::shared_ptr<const ColumnPlaces> places)
      : motion_(&motion), places_(std::move(places)) {}
  const Trajectory* motion_;
  std::shared_ptr<const ColumnPlaces> places_;
  std::vector<std::size_t> rows_;
  std::vector<bool> probes_;  // none of them, if empty
};

}  // namespace invar
