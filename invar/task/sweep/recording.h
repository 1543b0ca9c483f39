// What a sweep keeps of a run: --record figures,end,F.peak,s.series
//
//   figures                     numbers of the summary
//   COLUMN.end                  the value in the last row
//   COLUMN.min .max .peak       the least and the largest one, and the largest by amount
//   COLUMN.mean .rms            over time, by the trapezoidal rule
//   COLUMN.series               the whole column
//   end, min, …                 of every column
//
// What is kept bears the name by which it was asked for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "invar/base/error.h"
#include "invar/record/row_sink.h"
#include "invar/record/summary.h"

namespace invar {

struct NamedNumber {
  std::string name;
  double value;
};

struct NamedSeries {
  std::string name;
  std::vector<double> values;
};

class RecordingChoice {
 public:
  // InputError about the first item that is none.
  explicit RecordingChoice(const std::vector<std::string>& items);

  bool wants_figures() const { return figures_; }
  bool wants_series() const;

  struct Item {
    std::string column;  // empty: every one
    std::size_t kind;    // place in the list of kinds
  };
  const std::vector<Item>& items() const { return items_; }

 private:
  bool figures_ = false;
  std::vector<Item> items_;
};

// "end", "peak" …
std::string_view recording_word(const RecordingChoice::Item& item);

// A column is asked for that no run of this task has: not a mistake of one case.
class UnknownColumn : public InputError {
 public:
  using InputError::InputError;
};

// Takes the rows of a run as they come and keeps what was chosen, in memory that grows only with the series.
class Recording : public RowSink {
 public:
  explicit Recording(const RecordingChoice& choice);
  ~Recording() override;

  // UnknownColumn if a column is missing.
  void begin(const std::vector<std::string>& columns, std::size_t expected) override;
  void append(std::span<const double> row) override;
  void append_rows(std::span<const double> rows, std::size_t width) override;
  void finish() override;

  bool has_begun() const { return begun_; }
  // In the order in which they were asked for. Of a run without rows there are none.
  std::vector<NamedNumber> numbers() const;
  std::vector<NamedSeries> series() const;  // t first, if there are any

 private:
  struct Kept {
    std::string name;
    std::size_t column, kind;
  };
  // Of a column, over the rows so far.
  struct Running {
    std::size_t column = 0;
    double min = 0.0, max = 0.0, integral = 0.0, square = 0.0;

    void begin(double x) { min = max = x; }
    void add(double before, double x, double h);
  };
  void keep(const std::vector<std::string>& columns, std::size_t column, std::size_t kind);
  const RecordingChoice* choice_;  // never null
  bool begun_ = false;
  std::vector<Kept> kept_;
  std::vector<Running> running_;             // of columns of which more than the end is kept
  std::vector<std::vector<double>> series_;  // by column, empty if nobody asked
  std::vector<std::size_t> in_series_;       // columns
  std::vector<double> last_;                 // row
  std::size_t rows_ = 0, time_ = 0;
  double begin_ = 0.0;
};

// Numbers of the summary that say what was found and how well: "steps", "accuracy.energy.relative",
// "inversion.equation_residual". None of them tells how long anything took.
std::vector<NamedNumber> figures_of(const Summary& summary);

}  // namespace invar
