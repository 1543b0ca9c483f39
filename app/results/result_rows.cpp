// See result_rows.h.
#include "app/results/result_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "invar/base/error.h"
#include "invar/base/state_bytes.h"
#include "invar/model/columns/column_groups.h"
#include "invar/record/csv_rows.h"
#include "invar/record/file.h"
#include "invar/record/hdf5_rows.h"
#include "invar/record/row_sample.h"

namespace invar::app {

namespace {

// Numbers from which on HDF5 is the usual format: as CSV they take about a hundred megabytes, and longer to write than
// most runs take to compute.
constexpr std::size_t many_numbers = 5'000'000;

void read_csv_rows(const std::filesystem::path& path, RowSink& sink) { write_rows(read_csv(path), sink); }

void annotate(const std::filesystem::path& path, const Problem& problem, const Trajectory& table,
              const Summary& summary) {
  Hdf5Notes notes{{{"t", "s"}}, to_json(summary), problem.text};
  const ColumnGroups groups(problem);
  for (const std::string& column : table.columns)
    if (const std::string unit = groups.unit_of(column); !unit.empty()) notes.units.emplace_back(column, unit);
  annotate_hdf5(path, notes);
}

constexpr RowFormat all_formats[] = {
    {.name = "csv",
     .file = "result.csv",
     .open = [](const std::filesystem::path& path) -> std::unique_ptr<RowFile> {
       return std::make_unique<CsvRows>(path);
     },
     .read = read_csv_rows},
    {.name = "hdf5",
     .file = "result.h5",
     .open = [](const std::filesystem::path& path) -> std::unique_ptr<RowFile> {
       return std::make_unique<Hdf5Rows>(path);
     },
     .annotate = annotate,
     .read = read_hdf5},
};

}  // namespace

std::span<const RowFormat> row_formats() { return all_formats; }

std::string row_format_names() {
  std::string list(automatic_format);
  for (const RowFormat& f : all_formats)
    list += fmt::format("{}{}", &f == &std::rbegin(all_formats)[0] ? " or " : ", ", f.name);
  return list;
}

Trajectory read_rows(const std::filesystem::path& folder) {
  RowSample sample(kept_numbers);
  const auto there =
      std::ranges::find_if(all_formats, [&](const RowFormat& f) { return std::filesystem::exists(folder / f.file); });
  const RowFormat& format = there == std::end(all_formats) ? all_formats[0] : *there;
  format.read(folder / format.file, sample);
  return sample.take();
}

ResultRows::ResultRows(std::filesystem::path folder, const std::string& format) : folder_(std::move(folder)) {
  if (format == automatic_format) return;
  const auto found = std::ranges::find(all_formats, format, &RowFormat::name);
  if (found == std::end(all_formats))
    throw InputError(fmt::format("--format: there is no \"{}\"; choose {}", format, row_format_names()));
  if (found->name == "hdf5" && !has_hdf5()) Hdf5Rows{folder_};  // says so
  format_ = &*found;
}

void ResultRows::begin(const std::vector<std::string>& columns, std::size_t expected) {
  if (format_ == nullptr)
    format_ = expected * columns.size() > many_numbers && has_hdf5() ? &all_formats[1] : &all_formats[0];
  if (!file_) file_ = format_->open(path());
  file_->begin(columns, expected);
  even_.begin(columns, expected);
  if (earlier_.empty()) return;
  std::string place;
  StateReader reader(earlier_);
  reader(place, even_);
}

void ResultRows::append(std::span<const double> row) {
  even_.append(row);
  if (!loss_.empty()) return;
  try {
    file_->append(row);
  } catch (const OutputError& e) {
    loss_ = e.what();
  }
}

void ResultRows::finish() {
  if (!loss_.empty()) throw OutputError(loss_);
  file_->finish();
}

std::string ResultRows::store() {
  if (!loss_.empty()) throw OutputError(loss_);
  std::string place = file_->store();
  StateWriter writer;
  writer(place, even_);
  return writer.take();
}

std::string ResultRows::go_on(const std::filesystem::path& from, const std::string& mark) {
  const auto there = std::ranges::find_if(all_formats, [&](const RowFormat& f) {
    return std::filesystem::exists(from / f.file) || std::filesystem::exists((from / f.file).string() + ".1");
  });
  if (there == std::end(all_formats)) throw InputError(from.string() + ": the table of the run is not there");
  format_ = &*there;
  file_ = format_->open(path());
  std::string place;
  EvenRows even{kept_numbers};
  StateReader reader(mark);
  reader(place, even);
  place = file_->go_on(from / format_->file, place);
  StateWriter writer;
  writer(place, even);
  earlier_ = writer.take();
  return earlier_;
}

void ResultRows::annotate(const Problem& problem, const Trajectory& table, const Summary& summary) const {
  if (format_->annotate != nullptr) format_->annotate(path(), problem, table, summary);
}

}  // namespace invar::app
