// Results as HDF5. Much of what can go wrong here happens in the library, which is not ours (1.10.8 reads beyond its
// heap, in H5HG_read, where a text in a damaged file claims to be longer than it is): it is therefore not among the
// targets of `make test`.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fuzz/target.h"
#include "invar/base/error.h"
#include "invar/record/hdf5_rows.h"
#include "invar/record/row_sample.h"

namespace invar::fuzz {

namespace {

std::string take(std::string_view input) {
  RowSample rows(10000);
  try {
    read_hdf5(as_file(input, ".h5"), rows);
    return "rows";
  } catch (const InputError& e) {
    return kind_of(e.what());
  }
}

std::vector<std::string> corpus() {
  if (!has_hdf5()) return {""};
  const std::string path = as_file("", ".h5");
  {
    Hdf5Rows rows(path);
    rows.begin({"t", "x/y", "x'"}, 5);
    for (int i = 0; i < 5; ++i) {
      const double row[3] = {0.1 * i, 1.0 * i, -1.0};
      rows.append(row);
    }
    rows.finish();
  }
  annotate_hdf5(path, {{{"t", "s"}}, "{\"name\": \"a\"}", "name = \"a\""});
  std::ostringstream all;
  all << std::ifstream(path).rdbuf();
  return {all.str()};
}

}  // namespace

const Target hdf5 = {"hdf5",
                     take,
                     corpus,
                     {std::string_view("\0\0\0\0\0\0\0\0", 8), "\xff\xff\xff\xff", "columns", "position", "name",
                      "TREE", "SNOD", "HEAP", "OHDR"}};

}  // namespace invar::fuzz
