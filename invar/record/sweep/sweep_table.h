// What a sweep found: a table with a row for each case, its values that were varied, how its run ended, and the figures
// that were kept of it.
//
// As sweep.h5:
//
//   /varied/NAME    a number for each case: the value that it was given
//   /figures/NAME   a number for each case, NaN where there is none, as in runs that failed
//   /status         a whole number for each case: 0 done, 1 failed, 2 stopped
//   /reason         a text for each case, empty if it is done
//   /series/NAME    a row for each case, filled up with NaN to the longest; with /series/t
//   /model          the model file as text;  /summary  summary.json as text
//
// Cases are counted from 0; the position of a set among its like is its attribute "position". Attributes of the file
// are "version", "name", "task", "cases". As table.csv: the columns case, the varied ones, status, the figures, reason;
// a number that there is not is an empty cell.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "invar/record/file.h"

namespace invar {

// Stopped: for it took too long, or needed too much memory.
enum class CaseStatus : std::uint8_t { done, failed, stopped };

std::string_view name_of(CaseStatus status);

struct SweepTable {
  std::vector<std::string> varied, figures;
  std::vector<std::string> series = {};  // names of those that are in the file, t among them
  std::vector<double> values;            // of what is varied, case by case
  std::vector<double> numbers;           // figures, case by case
  std::vector<CaseStatus> status;
  std::vector<std::string> reasons;
  std::string name, task, version, model, summary;

  std::size_t cases() const { return status.size(); }
  std::span<const double> values_of(std::size_t k) const {
    return std::span(values).subspan(k * varied.size(), varied.size());
  }
  std::span<const double> figures_of(std::size_t k) const {
    return std::span(numbers).subspan(k * figures.size(), figures.size());
  }
  std::vector<double> varied_column(std::size_t place) const;
  std::vector<double> figure_column(std::size_t place) const;
};

// table.csv, case by case in their order. Numbers have as many digits as they need.
class SweepCsv {
 public:
  // OutputError if it cannot be written.
  SweepCsv(const std::filesystem::path& path, const SweepTable& about);
  void add(std::span<const double> varied, CaseStatus status, const std::string& reason,
           std::span<const double> figures);
  void finish();

 private:
  void write();

  OutputFile file_;
  std::string text_;
  std::uint64_t next_ = 0;
};

}  // namespace invar
