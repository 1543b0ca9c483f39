// The only file that knows HDF5, see hdf5_library.h.
#include "invar/record/hdf5_rows.h"

#include <fmt/format.h>

#include "invar/base/error.h"
#include "invar/record/file.h"

#ifdef INVAR_HDF5
#include <algorithm>
#include <nlohmann/json.hpp>

#include "invar/record/hdf5_library.h"

namespace invar {

namespace {

using namespace from_hdf5;

constexpr std::size_t buffered_numbers = std::size_t{1} << 18;
constexpr std::size_t shortest_chunk = 16, longest_chunk = 8192;  // rows
constexpr const char* columns_group = "/columns";

std::size_t chunk_of(std::size_t columns) {
  return std::clamp(buffered_numbers / std::max<std::size_t>(columns, 1), shortest_chunk, longest_chunk);
}

}  // namespace

bool has_hdf5() { return true; }

struct Hdf5Rows::File {
  Handle file;
  std::vector<Handle> columns = {};
  std::size_t chunk = 0, filled = 0;  // rows
  hsize_t stored = 0;
  std::vector<double> buffer = {};  // by columns

  bool store() {
    if (filled == 0) return true;
    const hsize_t count = filled, size = stored + filled;
    const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (H5Dset_extent(columns[j], &size) < 0) return false;
      const Handle place(H5Dget_space(columns[j]), H5Sclose);
      H5Sselect_hyperslab(place, H5S_SELECT_SET, &stored, nullptr, &count, nullptr);
      if (H5Dwrite(columns[j], H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, buffer.data() + j * chunk) < 0)
        return false;
    }
    stored = size;
    filled = 0;
    return true;
  }
};

Hdf5Rows::Hdf5Rows(std::filesystem::path path) : path_(std::move(path)) {}
Hdf5Rows::~Hdf5Rows() = default;

void Hdf5Rows::begin(const std::vector<std::string>& columns, std::size_t expected) {
  be_quiet();
  columns_ = columns;
  expected_ = expected;
  file_ =
      std::make_unique<File>(File{Handle(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose)});
  if (file_->file < 0) throw OutputError(path_.string() + ": cannot be written");
  const Handle group(H5Gcreate2(file_->file, columns_group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  file_->chunk = std::min(chunk_of(columns.size()), std::max(expected, shortest_chunk));
  file_->buffer.resize(file_->chunk * columns.size());
  const hsize_t none = 0, any = H5S_UNLIMITED, chunk = file_->chunk;
  const Handle space(H5Screate_simple(1, &none, &any), H5Sclose);
  const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose), access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk(layout, 1, &chunk);
  H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER);
  H5Pset_chunk_cache(access, 0, 0, 1.0);  // whole chunks go straight to the file
  for (std::size_t j = 0; j < columns.size(); ++j) {
    file_->columns.emplace_back(
        H5Dcreate2(group, link_name(columns[j]).c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, access),
        H5Dclose);
    if (file_->columns.back() < 0) throw OutputError(path_.string() + ": cannot be written: column " + columns[j]);
    Notes notes(file_->columns.back(), path_);
    notes.number("position", static_cast<double>(j));
    if (link_name(columns[j]) != columns[j]) notes.text("name", columns[j]);
  }
}

void Hdf5Rows::append(std::span<const double> row) {
  File& f = *file_;
  for (std::size_t j = 0; j < row.size(); ++j) f.buffer[j * f.chunk + f.filled] = row[j];
  ++rows_;
  if (++f.filled == f.chunk && !f.store()) throw OutputError(path_.string() + ": cannot be written: is the disk full?");
}

void Hdf5Rows::close_file() {
  bool stored = file_->store();
  for (Handle& column : file_->columns) stored = column.close() && stored;
  if (!(file_->file.close() && stored)) throw OutputError(path_.string() + ": cannot be written: is the disk full?");
  file_.reset();
}

void Hdf5Rows::finish() {
  close_file();
  if (parts_ > 0) join_parts();
}

namespace {

std::filesystem::path part_of_rows(const std::filesystem::path& path, std::size_t number) {
  return path.string() + "." + std::to_string(number);
}

void rename_part(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code error;
  std::filesystem::rename(from, to, error);
  if (error) throw OutputError(from.string() + ": cannot be written: " + error.message());
}

// Rows of several tables, as those of one that has begun.
class FurtherRows : public RowSink {
 public:
  explicit FurtherRows(RowSink& all) : all_(all) {}
  void begin(const std::vector<std::string>&, std::size_t) override {}
  void append(std::span<const double> row) override { all_.append(row); }
  void finish() override {}

 private:
  RowSink& all_;
};

}  // namespace

std::string Hdf5Rows::store() {
  close_file();
  ++parts_;
  rename_part(path_, part_of_rows(path_, parts_));
  flush_to_disk(part_of_rows(path_, parts_));
  begin(columns_, expected_);
  return mark();
}

std::string Hdf5Rows::mark() const { return std::to_string(parts_) + " " + std::to_string(rows_); }

void Hdf5Rows::join_parts() {
  rename_part(path_, part_of_rows(path_, parts_ + 1));
  Hdf5Rows all(path_);
  all.begin(columns_, rows_);
  FurtherRows further(all);
  for (std::size_t k = 1; k <= parts_ + 1; ++k) read_hdf5(part_of_rows(path_, k), further);
  all.finish();
  std::error_code ignored;
  for (std::size_t k = 1; k <= parts_ + 1; ++k) std::filesystem::remove(part_of_rows(path_, k), ignored);
}

std::string Hdf5Rows::go_on(const std::filesystem::path& from, const std::string& mark) {
  parts_ = std::stoul(mark);
  rows_ = std::stoull(mark.substr(mark.find(' ')));
  std::error_code error;
  if (std::filesystem::exists(part_of_rows(from, 1), error)) {
    for (std::size_t k = 1; k <= parts_; ++k)
      copy_beginning(part_of_rows(from, k), part_of_rows(path_, k),
                     std::filesystem::file_size(part_of_rows(from, k), error));
  } else {  // they were made one when the run was stopped
    parts_ = 1;
    Hdf5Rows first(part_of_rows(path_, 1));
    read_hdf5(from, rows_, first);
  }
  return this->mark();
}

void annotate_hdf5(const std::filesystem::path& path, const Hdf5Notes& notes) {
  be_quiet();
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  for (const auto& [column, unit] : notes.units) {
    const Handle set(H5Dopen2(file, (columns_group + ("/" + link_name(column))).c_str(), H5P_DEFAULT), H5Dclose);
    Notes(set, path).text("unit", unit);
  }
  Notes top(file, path);
  const nlohmann::json summary = nlohmann::json::parse(notes.summary, nullptr, false);
  for (const auto& [key, value] : summary.items()) {
    if (value.is_string()) top.text(key, value);
    if (value.is_number()) top.number(key, value);
    if (value.is_boolean()) top.number(key, value ? 1.0 : 0.0);
  }
  write_document(file, "/summary", notes.summary, path);
  write_document(file, "/model", notes.model, path);
  if (!file.close()) throw OutputError(path.string() + ": cannot be written: is the disk full?");
}

namespace {

// More than any compression gives: who claims more rows than that has stored none of them.
constexpr hsize_t most_rows_per_byte = 1000;

struct StoredColumn {
  std::string name;
  std::size_t position = 0;
  hsize_t rows = 0;
  Handle set;
};

// Files come from elsewhere too: what is read into one place must be one.
bool is_single(hid_t attribute) {
  const Handle space(H5Aget_space(attribute), H5Sclose);
  return space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
}

std::string text_of(hid_t object, const char* name) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose), type = string_type();
  char* text = nullptr;
  if (attribute < 0 || !is_single(attribute) || H5Aread(attribute, type, &text) < 0 || text == nullptr) return {};
  std::string result = text;
  H5free_memory(text);
  return result;
}

std::vector<StoredColumn> stored_columns(hid_t group) {
  std::vector<StoredColumn> list;
  H5G_info_t info{};
  H5Gget_info(group, &info);
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
    std::string name(static_cast<std::size_t>(std::max<ssize_t>(length, 0)), '\0');
    H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size() + 1, H5P_DEFAULT);
    StoredColumn column{name, 0, 0, Handle(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose)};
    const Handle attribute(H5Aopen(column.set, "position", H5P_DEFAULT), H5Aclose);
    double position = -1.0;
    if (attribute < 0 || !is_single(attribute) || H5Aread(attribute, H5T_NATIVE_DOUBLE, &position) < 0) return {};
    if (!(position >= 0.0 && position < static_cast<double>(info.nlinks))) return {};
    column.position = static_cast<std::size_t>(position);
    if (std::string original = text_of(column.set, "name"); !original.empty()) column.name = std::move(original);
    const Handle space(H5Dget_space(column.set), H5Sclose);
    if (H5Sget_simple_extent_ndims(space) != 1) return {};
    H5Sget_simple_extent_dims(space, &column.rows, nullptr);
    if (column.rows / most_rows_per_byte > H5Dget_storage_size(column.set)) return {};
    list.push_back(std::move(column));
  }
  std::vector<StoredColumn*> order(list.size());
  std::vector<StoredColumn> sorted;
  for (StoredColumn& column : list)
    if (column.position < order.size()) order[column.position] = &column;
  if (std::ranges::count(order, nullptr) > 0) return {};
  for (StoredColumn* column : order) sorted.push_back(std::move(*column));
  return sorted;
}

}  // namespace

void read_hdf5(const std::filesystem::path& path, RowSink& sink) {
  read_hdf5(path, std::numeric_limits<std::uint64_t>::max(), sink);
}

void read_hdf5(const std::filesystem::path& path, std::uint64_t most, RowSink& sink) {
  be_quiet();
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const InputError strange(path.string() + ": is no HDF5 file of Invar's results");
  if (file < 0) throw InputError(strange);
  const Handle group(H5Gopen2(file, columns_group, H5P_DEFAULT), H5Gclose);
  if (group < 0) throw InputError(strange);
  const std::vector<StoredColumn> columns = stored_columns(group);
  if (columns.empty()) throw InputError(strange);
  std::vector<std::string> names;
  for (const StoredColumn& column : columns) names.push_back(column.name);
  const hsize_t stored = columns.front().rows, rows = std::min<hsize_t>(stored, most);
  sink.begin(names, rows);
  const std::size_t chunk = chunk_of(columns.size());
  std::vector<double> buffer(chunk * columns.size()), row(columns.size());
  for (hsize_t first = 0; first < rows; first += chunk) {
    const hsize_t count = std::min<hsize_t>(chunk, rows - first);
    const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const Handle place(H5Dget_space(columns[j].set), H5Sclose);
      H5Sselect_hyperslab(place, H5S_SELECT_SET, &first, nullptr, &count, nullptr);
      if (columns[j].rows != stored ||
          H5Dread(columns[j].set, H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, buffer.data() + j * chunk) < 0)
        throw InputError(path.string() + ": cannot be read: column " + columns[j].name);
    }
    for (hsize_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < row.size(); ++j) row[j] = buffer[j * chunk + i];
      sink.append(row);
    }
  }
  sink.finish();
}

}  // namespace invar

#else

namespace invar {

namespace {

[[noreturn]] void refuse() {
  throw InputError("this invar was built without HDF5 (Debian package libhdf5-dev); use --format csv");
}

}  // namespace

bool has_hdf5() { return false; }

Hdf5Rows::Hdf5Rows(std::filesystem::path) { refuse(); }
Hdf5Rows::~Hdf5Rows() = default;
void Hdf5Rows::begin(const std::vector<std::string>&, std::size_t) {}
void Hdf5Rows::append(std::span<const double>) {}
void Hdf5Rows::finish() {}
std::string Hdf5Rows::store() { return {}; }
std::string Hdf5Rows::go_on(const std::filesystem::path&, const std::string&) { return {}; }
void annotate_hdf5(const std::filesystem::path&, const Hdf5Notes&) { refuse(); }
void read_hdf5(const std::filesystem::path&, RowSink&) { refuse(); }
void read_hdf5(const std::filesystem::path&, std::uint64_t, RowSink&) { refuse(); }

}  // namespace invar

#endif
