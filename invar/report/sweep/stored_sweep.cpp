#include "invar/report/sweep/stored_sweep.h"

#include <charconv>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "invar/record/sweep/read_sweep_table.h"
#include "invar/record/sweep/sweep_hdf5.h"
#include "invar/report/sweep/sweep_page.h"

namespace invar {
namespace {

// Cases that have reports of their own.
std::map<std::uint64_t, std::string> reports_in(const std::filesystem::path& folder) {
  std::map<std::uint64_t, std::string> reports;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(case_folder) || !std::filesystem::exists(entry.path() / "report.html")) continue;
    std::uint64_t number = 0;
    const char* end = name.data() + name.size();
    if (const auto read = std::from_chars(name.data() + std::string_view(case_folder).size(), end, number);
        read.ec == std::errc() && read.ptr == end)
      reports[number] = name + "/report.html";
  }
  return reports;
}

std::vector<std::vector<double>> rows_of_series(const std::filesystem::path& file, const std::string& name,
                                                std::size_t cases) {
  const SweepSeries series = read_sweep_series(file, name);
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < cases; ++k) {
    const std::span<const double> row = series.of(k);
    rows.emplace_back(row.begin(), row.end());
  }
  return rows;
}

}  // namespace

std::string page_of_sweep(const std::filesystem::path& folder, const std::string& name) {
  const SweepTable table = read_sweep_table(folder);
  ReportedSweep sweep = {.table = table, .folder = name, .series = {}, .reports = reports_in(folder)};
  sweep.series = [&](const std::string& column) { return rows_of_series(folder / "sweep.h5", column, table.cases()); };
  return sweep_page(sweep);
}

}  // namespace invar
