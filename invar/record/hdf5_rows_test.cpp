// HDF5 files of others that look like ours: refused, whatever shape their parts have.
#include "invar/record/hdf5_rows.h"

#include <gtest/gtest.h>

#ifdef INVAR_HDF5
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "invar/record/hdf5_library.h"
#include "invar/record/row_sample.h"

namespace invar {
namespace {

using namespace from_hdf5;

// What a column of the file is made with.
struct Shape {
  std::vector<hsize_t> size = {4};
  hsize_t positions = 1;  // entries of the attribute that should have one
  double position = 0.0;
};

class StrangeHdf5 : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  std::string error_of(const Shape& shape) const {
    make(shape);
    RowSample rows(1000);
    try {
      read_hdf5(path_, rows);
      return "accepted";
    } catch (const InputError& error) {
      return error.what();
    }
  }

  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("invar_hdf5_" + std::to_string(getpid()) + ".h5");

 private:
  void make(const Shape& shape) const {
    const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t group = H5Gcreate2(file, "/columns", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size.size()), shape.size.data(), nullptr);
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    const std::vector<hsize_t> chunk(shape.size.size(), 2);
    H5Pset_chunk(layout, static_cast<int>(chunk.size()), chunk.data());
    const hid_t set = H5Dcreate2(group, "t", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    if (shape.size[0] < 100) {
      const std::vector<double> values(1000, 0.5);
      H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }
    const hid_t places = H5Screate_simple(1, &shape.positions, nullptr);
    const hid_t attribute = H5Acreate2(set, "position", H5T_NATIVE_DOUBLE, places, H5P_DEFAULT, H5P_DEFAULT);
    const std::vector<double> positions(shape.positions, shape.position);
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, positions.data());
    H5Aclose(attribute), H5Sclose(places), H5Dclose(set), H5Pclose(layout), H5Sclose(space), H5Gclose(group);
    H5Fclose(file);
  }
};

TEST_F(StrangeHdf5, IsRefused) {
  const std::string refused = path_.string() + ": is no HDF5 file of Invar's results";
  EXPECT_EQ(error_of({}), "accepted") << "a column as it should be";
  EXPECT_EQ(error_of({.size = {4, 5, 6}}), refused) << "three dimensions in place of one";
  EXPECT_EQ(error_of({.positions = 50}), refused) << "many numbers in place of one";
  EXPECT_EQ(error_of({.position = -1e300}), refused);
  EXPECT_EQ(error_of({.position = std::numeric_limits<double>::quiet_NaN()}), refused);
  EXPECT_EQ(error_of({.size = {hsize_t{1} << 60}}), refused) << "more rows than the file can have";
}

}  // namespace
}  // namespace invar
#endif
