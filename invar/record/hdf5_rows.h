// A table as an HDF5 file: every column a data set of doubles under its own name, with its unit as an attribute.
//
//   /columns/NAME   the numbers, with the attributes "position" (from 0) and, if known, "unit"
//   /summary        summary.json as text; its figures and words at the top level are attributes of the file
//   /model          the model file as text
//
// Python: h5py.File("result.h5")["columns/x"][:]; MATLAB: h5read("result.h5", "/columns/x").
#pragma once

#include <filesystem>
#include <memory>
#include <utility>

#include "invar/record/row_sink.h"

namespace invar {

// Was the program built with HDF5? Otherwise what follows throws an InputError.
bool has_hdf5();

// Written chunk by chunk, in memory that does not grow. OutputError if the system refuses.
class Hdf5Rows : public RowSink {
 public:
  explicit Hdf5Rows(std::filesystem::path path);
  ~Hdf5Rows() override;

  void begin(const std::vector<std::string>& columns, std::size_t expected) override;
  void append(std::span<const double> row) override;
  void finish() override;

 private:
  struct File;
  std::filesystem::path path_;
  std::shared_ptr<File> file_;
};

// What is known only after a run, into a file that is finished.
struct Hdf5Notes {
  std::vector<std::pair<std::string, std::string>> units;  // by column
  std::string summary, model;
};
void annotate_hdf5(const std::filesystem::path& path, const Hdf5Notes& notes);

// All rows in their order. InputError if it is no file of ours.
void read_hdf5(const std::filesystem::path& path, RowSink& sink);

}  // namespace invar
