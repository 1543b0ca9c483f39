// See sweep_hdf5.h.
#include "invar/record/sweep/sweep_hdf5.h"

#include "invar/record/hdf5_rows.h"

#ifdef INVAR_HDF5
#include <limits>

#include "invar/record/hdf5_library.h"

namespace invar {

namespace {

using namespace from_hdf5;

constexpr hsize_t block = 4096;              // cases that are written at a time
constexpr hsize_t chunk_numbers = 1U << 16;  // of a series

Handle layout(int rank, const hsize_t* chunk) {
  Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(list, false);
  if (rank > 0) H5Pset_chunk(list, rank, chunk);
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  if (rank > 1) H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &nothing);
  return list;
}

// A number for each case.
struct SweepColumn {
  Handle set;
  std::vector<double> waiting = {};
};

struct SeriesRows {
  std::string name;
  Handle set;  // none before the first row, whose length decides on the chunks
  hsize_t length = 0;
};

}  // namespace

struct SweepHdf5::Contents {
  std::filesystem::path path;
  Handle file;
  Handle series_group = {-1, H5Gclose};
  std::vector<SweepColumn> varied = {}, figures = {};
  std::vector<SeriesRows> series = {};
  std::vector<unsigned char> status = {};
  std::vector<std::string> reasons = {};
  hsize_t cases = 0, stored = 0;

  [[noreturn]] void fail() const { throw OutputError(path.string() + ": cannot be written: is the disk full?"); }
  void require(bool good) const {
    if (!good) fail();
  }

  Handle group(const char* name) const {
    Handle made(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    require(made >= 0);
    return made;
  }
  std::vector<SweepColumn> columns(const char* group_name, const std::vector<std::string>& names) const {
    const Handle home = group(group_name);
    const hsize_t chunk = std::max<hsize_t>(std::min(cases, block), 1);
    const Handle space(H5Screate_simple(1, &cases, nullptr), H5Sclose), list = layout(1, &chunk);
    std::vector<SweepColumn> made;
    for (std::size_t j = 0; j < names.size(); ++j) {
      made.push_back({Handle(
          H5Dcreate2(home, link_name(names[j]).c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT),
          H5Dclose)});
      require(made.back().set >= 0);
      describe(made.back().set, names[j], j);
    }
    return made;
  }
  void describe(hid_t set, const std::string& name, std::size_t position) const {
    Notes notes(set, path);
    notes.number("position", static_cast<double>(position));
    if (link_name(name) != name) notes.text("name", name);
  }
  void store(std::vector<SweepColumn>& list, hsize_t count) const {
    const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    for (SweepColumn& column : list) {
      const Handle place(H5Dget_space(column.set), H5Sclose);
      H5Sselect_hyperslab(place, H5S_SELECT_SET, &stored, nullptr, &count, nullptr);
      require(H5Dwrite(column.set, H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, column.waiting.data()) >= 0);
      column.waiting.clear();
    }
  }
  void store() {
    const hsize_t count = status.size() - stored;
    if (count == 0) return;
    store(varied, count);
    store(figures, count);
    stored += count;
  }
  void begin(SeriesRows& rows, std::size_t position, hsize_t length) {
    const hsize_t chunk[] = {std::clamp<hsize_t>(chunk_numbers / length, 1, std::max<hsize_t>(cases, 1)), length};
    const hsize_t size[] = {cases, length}, most[] = {cases, H5S_UNLIMITED};
    const Handle space(H5Screate_simple(2, size, most), H5Sclose), list = layout(2, chunk);
    rows.set = Handle(H5Dcreate2(series_group, link_name(rows.name).c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                 list, H5P_DEFAULT),
                      H5Dclose);
    require(rows.set >= 0);
    describe(rows.set, rows.name, position);
    rows.length = length;
  }
  void add(SeriesRows& rows, std::size_t position, std::span<const double> values) {
    if (values.empty()) return;
    const hsize_t count[] = {1, values.size()}, from[] = {status.size() - 1, 0};
    if (rows.length == 0) begin(rows, position, values.size());
    if (values.size() > rows.length) {
      rows.length = values.size();
      const hsize_t size[] = {cases, rows.length};
      require(H5Dset_extent(rows.set, size) >= 0);
    }
    const Handle memory(H5Screate_simple(2, count, nullptr), H5Sclose), place(H5Dget_space(rows.set), H5Sclose);
    H5Sselect_hyperslab(place, H5S_SELECT_SET, from, nullptr, count, nullptr);
    require(H5Dwrite(rows.set, H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, values.data()) >= 0);
  }
  void write_status() const {
    const Handle space(H5Screate_simple(1, &cases, nullptr), H5Sclose), list = layout(0, nullptr);
    const Handle set(H5Dcreate2(file, "/status", H5T_STD_U8LE, space, H5P_DEFAULT, list, H5P_DEFAULT), H5Dclose);
    require(set >= 0 && H5Dwrite(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, status.data()) >= 0);
    Notes(set, path).text("words", "0 done, 1 failed, 2 stopped");
    const Handle type = string_type(),
                 texts(H5Dcreate2(file, "/reason", type, space, H5P_DEFAULT, list, H5P_DEFAULT), H5Dclose);
    std::vector<const char*> pointers;
    for (const std::string& reason : reasons) pointers.push_back(reason.c_str());
    require(texts >= 0 && H5Dwrite(texts, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) >= 0);
  }
  void write_texts(const SweepTable& about) const {
    Notes notes(file, path);
    notes.text("version", about.version);
    notes.text("name", about.name);
    notes.text("task", about.task);
    notes.number("cases", static_cast<double>(cases));
    const Handle list = layout(0, nullptr);
    write_document(file, "/model", about.model, path, list);
    write_document(file, "/summary", about.summary, path, list);
  }
};

SweepHdf5::SweepHdf5(std::filesystem::path path, const SweepTable& about, std::uint64_t cases) {
  be_quiet();
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  if (file < 0) throw OutputError(path.string() + ": cannot be written");
  file_ = std::make_unique<Contents>(Contents{std::move(path), std::move(file)});
  file_->cases = cases;
  file_->write_texts(about);
  file_->varied = file_->columns("/varied", about.varied);
  file_->figures = file_->columns("/figures", about.figures);
  if (about.series.empty()) return;
  file_->series_group = file_->group("/series");
  for (const std::string& name : about.series) file_->series.push_back({name, Handle(-1, H5Dclose)});
}

SweepHdf5::~SweepHdf5() = default;

void SweepHdf5::add(std::span<const double> varied, CaseStatus status, const std::string& reason,
                    std::span<const double> figures, std::span<const std::span<const double>> series) {
  Contents& f = *file_;
  f.status.push_back(static_cast<unsigned char>(status));
  f.reasons.push_back(reason);
  for (std::size_t j = 0; j < varied.size(); ++j) f.varied[j].waiting.push_back(varied[j]);
  for (std::size_t j = 0; j < figures.size(); ++j) f.figures[j].waiting.push_back(figures[j]);
  for (std::size_t j = 0; j < series.size(); ++j) f.add(f.series[j], j, series[j]);
  if (f.status.size() - f.stored == block) f.store();
}

void SweepHdf5::finish() {
  Contents& f = *file_;
  f.store();
  f.write_status();
  bool good = true;
  for (SweepColumn& column : f.varied) good = column.set.close() && good;
  for (SweepColumn& column : f.figures) good = column.set.close() && good;
  f.series.clear();
  f.series_group = Handle(-1, H5Gclose);
  good = f.file.close() && good;
  f.require(good);
}

namespace {

std::string text_attribute(hid_t object, const char* name) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose), type = string_type();
  char* text = nullptr;
  if (attribute < 0 || H5Aread(attribute, type, &text) < 0 || text == nullptr) return {};
  std::string result = text;
  H5free_memory(text);
  return result;
}

std::string document(hid_t file, const char* name) {
  const Handle set(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose), type = string_type();
  char* text = nullptr;
  if (set < 0 || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) < 0 || text == nullptr) return {};
  std::string result = text;
  H5free_memory(text);
  return result;
}

// By their attribute "position".
std::vector<std::string> names_in(hid_t group) {
  H5G_info_t info{};
  H5Gget_info(group, &info);
  std::vector<std::pair<double, std::string>> found;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
    std::string name(static_cast<std::size_t>(std::max<ssize_t>(length, 0)), '\0');
    H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size() + 1, H5P_DEFAULT);
    const Handle set(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle attribute(H5Aopen(set, "position", H5P_DEFAULT), H5Aclose);
    double position = 0.0;
    if (attribute >= 0) H5Aread(attribute, H5T_NATIVE_DOUBLE, &position);
    const std::string original = text_attribute(set, "name");
    found.emplace_back(position, original.empty() ? name : original);
  }
  std::ranges::sort(found);
  std::vector<std::string> names;
  for (auto& [position, name] : found) names.push_back(std::move(name));
  return names;
}

}  // namespace

void read_sweep_file(const std::filesystem::path& path, SweepTable& table) {
  be_quiet();
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file < 0) throw InputError(path.string() + ": is no HDF5 file of a sweep");
  table.model = document(file, "/model");
  const Handle group(H5Gopen2(file, "/series", H5P_DEFAULT), H5Gclose);
  if (group >= 0) table.series = names_in(group);
}

SweepSeries read_sweep_series(const std::filesystem::path& path, const std::string& name) {
  be_quiet();
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file < 0) throw InputError(path.string() + ": is no HDF5 file of a sweep");
  const Handle set(H5Dopen2(file, ("/series/" + link_name(name)).c_str(), H5P_DEFAULT), H5Dclose);
  if (set < 0) throw InputError(path.string() + ": has no series \"" + name + "\"");
  const Handle space(H5Dget_space(set), H5Sclose);
  hsize_t size[2] = {0, 0};
  H5Sget_simple_extent_dims(space, size, nullptr);
  SweepSeries series{size[1], std::vector<double>(size[0] * size[1])};
  if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, series.values.data()) < 0)
    throw InputError(path.string() + ": cannot be read: series " + name);
  return series;
}

}  // namespace invar

#else

namespace invar {

SweepHdf5::SweepHdf5(std::filesystem::path, const SweepTable&, std::uint64_t) {
  throw InputError("this invar was built without HDF5 (Debian package libhdf5-dev): whole series cannot be recorded");
}
SweepHdf5::~SweepHdf5() = default;
void SweepHdf5::add(std::span<const double>, CaseStatus, const std::string&, std::span<const double>,
                    std::span<const std::span<const double>>) {}
void SweepHdf5::finish() {}
void read_sweep_file(const std::filesystem::path&, SweepTable&) {}
SweepSeries read_sweep_series(const std::filesystem::path& path, const std::string&) {
  throw InputError(path.string() + ": this invar was built without HDF5 (Debian package libhdf5-dev)");
}

}  // namespace invar

#endif
