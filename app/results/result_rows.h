// The table of a result folder, result.csv or result.h5: written while a run goes on, or afterwards.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "invar/model/problem/problem.h"
#include "invar/record/row_sink.h"
#include "invar/record/summary.h"
#include "invar/report/rows/even_rows.h"

namespace invar::app {

struct RowFormat {
  std::string_view name;  // as --format has it
  std::string_view file;
  std::unique_ptr<RowFile> (*open)(const std::filesystem::path& path);
  // Adds what is known only after the run.
  void (*annotate)(const std::filesystem::path& path, const Problem& problem, const Trajectory& table,
                   const Summary& summary) = nullptr;
  // Reads all rows of such a file.
  void (*read)(const std::filesystem::path& path, RowSink& sink);
};

// In the order in which a result folder is searched for them. To add one is to add a line.
std::span<const RowFormat> row_formats();
inline constexpr std::string_view automatic_format = "auto";  // CSV, or HDF5 for long runs
std::string row_format_names();                               // "auto, csv or hdf5"

// So many numbers of a table are kept in memory, in true rows, for pictures and pages.
inline constexpr std::size_t kept_numbers = std::size_t{1} << 20;

// Reads the table of a result folder, or a sample of it if it is long.
Trajectory read_rows(const std::filesystem::path& folder);

class ResultRows : public RowFile {
 public:
  // InputError if there is no such format.
  ResultRows(std::filesystem::path folder, const std::string& format);

  void begin(const std::vector<std::string>& columns, std::size_t expected) override;
  // What the system refuses while a run goes on is told at the end: the run has more to say.
  void append(std::span<const double> row) override;
  void finish() override;
  std::string store() override;
  // Of the table in another folder, in its format.
  std::string go_on(const std::filesystem::path& from, const std::string& mark) override;
  std::string format() const { return std::string(format_->name); }

  bool has_begun() const { return file_ != nullptr; }
  const Trajectory& even() const { return even_.rows(); }  // some of the rows, at equal distances
  void give_up() { file_.reset(); }                        // what was written needs no room any more
  void annotate(const Problem& problem, const Trajectory& table, const Summary& summary) const;

 private:
  std::filesystem::path path() const { return folder_ / format_->file; }

  std::filesystem::path folder_;
  const RowFormat* format_ = nullptr;  // none until the length of the run decides
  std::unique_ptr<RowFile> file_;
  std::string loss_, earlier_;  // the mark of the rows that are gone on with
  EvenRows even_{kept_numbers};
};

}  // namespace invar::app
