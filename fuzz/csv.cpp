// CSV files of others, as samples of signals and inputs, and as tables of results.
#include <cmath>

#include "fuzz/target.h"
#include "invar/base/error.h"
#include "invar/model/file/samples.h"
#include "invar/record/read_csv.h"

namespace invar::fuzz {

namespace {

std::string take(std::string_view input) {
  const std::string file = as_file(input);
  try {
    const CsvFile table = read_csv_file(file);
    if (table.row_lines.size() != table.table.rows() ||
        table.last_places.size() != table.table.rows() * table.table.columns.size())
      throw std::logic_error("a table whose lines are not those of its rows");
  } catch (const InputError& e) {
    return kind_of(e.what());
  }
  try {
    const CsvFile samples = model::read_samples(file);
    return "samples " + std::to_string(std::ilogb(static_cast<double>(samples.table.columns.size()))) + " " +
           std::to_string(std::ilogb(static_cast<double>(samples.table.rows())));
  } catch (const InputError& e) {
    return kind_of(e.what());
  }
}

std::vector<std::string> corpus() {
  std::vector<std::string> files = example_files(".csv", 1500, true);
  files.insert(files.end(), {"t,x\n0,1\n1,2\n", "t,\"a, b\",c\r\n0,1,2\r\n0.5,1e-3,-2\r\n", "# note\n\nt;x\n0;1\n",
                             "\xef\xbb\xbft,x\n0,0\n1,1\n"});
  return files;
}

}  // namespace

const Target csv = {"csv",
                    take,
                    corpus,
                    {"t,",  ",",    "\n",    "\r\n",         "\"",      "\"\"", "#",        "nan",
                     "inf", "-inf", "1e400", "1e-400",       "0x1p3",   "+1",   "-0",       "1.7976931348623157e308",
                     "\t",  " ",    ";",     "\xef\xbb\xbf", "lambda.", "'",    ",,,,,,,,", "\n\n\n"}};

}  // namespace invar::fuzz
