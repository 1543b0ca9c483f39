// Where the rows of a result go as they come: into a file, into a sample that is kept, or both.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "invar/record/trajectory.h"

namespace invar {

class RowSink {
 public:
  virtual ~RowSink() = default;

  // Before the first row; about so many will come.
  virtual void begin(const std::vector<std::string>& columns, std::size_t expected) = 0;
  virtual void append(std::span<const double> row) = 0;
  // So many at once, one after the other.
  virtual void append_rows(std::span<const double> rows, std::size_t width) {
    for (; !rows.empty(); rows = rows.subspan(width)) append(rows.first(width));
  }
  // After the last one: only then is it known that all are stored.
  virtual void finish() = 0;
};

// Rows in a file, written by one process after the other.
class RowFile : public RowSink {
 public:
  // Has the disk store all rows so far. The mark says how far that is.
  virtual std::string store() = 0;
  // Before begin(): the first rows are those of another file, up to a mark that it gave. Returns the mark of that place
  // here.
  virtual std::string go_on(const std::filesystem::path& from, const std::string& mark) = 0;
};

// A whole table.
inline void write_rows(const Trajectory& table, RowSink& sink) {
  sink.begin(table.columns, table.rows());
  for (std::size_t i = 0; i < table.rows(); ++i) sink.append(table.row(i));
  sink.finish();
}

}  // namespace invar
