// sweep.h5, written case by case in their order; its layout is told in sweep_table.h. The same cases give the same
// bytes: nothing in it knows when or by whom it was written.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "invar/record/sweep/sweep_table.h"

namespace invar {

// Names and texts of the table; its numbers come one case after the other.
class SweepHdf5 {
 public:
  // OutputError if it cannot be written; InputError if there is no HDF5.
  SweepHdf5(std::filesystem::path path, const SweepTable& about, std::uint64_t cases);
  ~SweepHdf5();

  // Series by their names in `about`, empty where the case has none.
  void add(std::span<const double> varied, CaseStatus status, const std::string& reason,
           std::span<const double> figures, std::span<const std::span<const double>> series);
  void finish();

 private:
  struct Contents;
  std::shared_ptr<Contents> file_;
};

// The names of the series and the model, into the table.
void read_sweep_file(const std::filesystem::path& path, SweepTable& table);

// A series of all cases: as many rows as cases, each filled up with NaN to the same length.
struct SweepSeries {
  std::size_t length = 0;
  std::vector<double> values;

  std::span<const double> of(std::size_t k) const { return std::span(values).subspan(k * length, length); }
};

// InputError if it is no such file, or has no such series.
SweepSeries read_sweep_series(const std::filesystem::path& path, const std::string& name);

}  // namespace invar
