// A table as an HDF5 file: every column a data set of doubles under its own name, with its unit as an attribute.
//
//   /columns/NAME   the numbers, with the attributes "position" (from 0) and, if known, "unit"
//   /summary        summary.json as text; its figures and words at the top level are attributes of the file
//   /model          the model file as text
//
// Python: h5py.File("result.h5")["columns/x"][:]; MATLAB: h5read("result.h5", "/columns/x").
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "invar/record/row_sink.h"

namespace invar {

// Was the program built with HDF5? Otherwise what follows throws an InputError.
bool has_hdf5();

// Written chunk by chunk, in memory that does not grow. OutputError if the system refuses.
//
// A file that is being written is not readable after a crash. So what is stored before the end is a file of its own,
// NAME.1, NAME.2 and so on, and the end makes one of them.
class Hdf5Rows : public RowFile {
 public:
  explicit Hdf5Rows(std::filesystem::path path);
  ~Hdf5Rows() override;

  void begin(const std::vector<std::string>& columns, std::size_t expected) override;
  void append(std::span<const double> row) override;
  void finish() override;
  std::string store() override;  // the mark is how many such files, and how many rows
  std::string go_on(const std::filesystem::path& from, const std::string& mark) override;

 private:
  struct File;
  void close_file();
  void join_parts();
  std::string mark() const;

  std::filesystem::path path_;
  std::shared_ptr<File> file_;
  std::vector<std::string> columns_;
  std::size_t expected_ = 0, parts_ = 0;
  std::uint64_t rows_ = 0;
};

// What is known only after a run, into a file that is finished.
struct Hdf5Notes {
  std::vector<std::pair<std::string, std::string>> units;  // by column
  std::string summary, model;
};
void annotate_hdf5(const std::filesystem::path& path, const Hdf5Notes& notes);

// All rows in their order. InputError if it is no file of ours.
void read_hdf5(const std::filesystem::path& path, RowSink& sink);
// The first of them.
void read_hdf5(const std::filesystem::path& path, std::uint64_t most, RowSink& sink);

}  // namespace invar
