// Rows of a run at equal distances, in bounded memory: every one as long as there is room, then every second, every
// fourth … Where samples that tell most (row_sample.h) say what happened, these say how it went on in between.
#pragma once

#include "invar/record/row_sink.h"
#include "invar/record/trajectory.h"

namespace invar {

class EvenRows : public RowSink {
 public:
  // Of at most so many numbers.
  explicit EvenRows(std::size_t numbers) : numbers_(numbers) {}

  void begin(const std::vector<std::string>& columns, std::size_t expected) override;
  void append(std::span<const double> row) override;
  void finish() override {}

  const Trajectory& rows() const { return rows_; }
  std::size_t distance() const { return distance_; }  // of the rows, in rows of the run

  // To go on after begin() with the same columns, see state_bytes.h.
  template <class Archive>
  void store(Archive& archive) {
    archive(distance_, seen_, rows_.values);
  }

 private:
  std::size_t numbers_, most_ = 0, distance_ = 1, seen_ = 0;
  Trajectory rows_;
};

// Every second row of a table, from the first one on.
Trajectory every_second(const Trajectory& table);

}  // namespace invar
