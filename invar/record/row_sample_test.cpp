// Laws of samples and of files that are written row by row: bounded, in order, true rows, extremes among them.
#include "invar/record/row_sample.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "invar/record/csv_rows.h"
#include "invar/record/folder/result_folder.h"
#include "invar/record/hdf5_rows.h"

namespace invar {
namespace {

std::vector<double> sampled_row(std::size_t k, std::size_t spike) {
  const auto t = static_cast<double>(k);
  return {t, std::sin(0.37 * t), k == spike ? 1e6 : std::cos(t / 1000.0)};
}

Trajectory sample_of(std::size_t rows, std::size_t numbers, std::size_t spike) {
  RowSample sample(numbers);
  sample.begin({"t", "fast", "x/y"}, rows);
  for (std::size_t k = 0; k < rows; ++k) sample.append(sampled_row(k, spike));
  sample.finish();
  EXPECT_EQ(sample.seen(), rows);
  return sample.take();
}

TEST(RowSample, KeepsAllRowsWhileThereIsRoom) {
  const Trajectory all = sample_of(1000, 3000, 500);
  ASSERT_EQ(all.rows(), 1000u);
  for (std::size_t k = 0; k < 1000; ++k) EXPECT_EQ(all.row(k)[0], static_cast<double>(k));
}

TEST(RowSample, OfManyRowsIsBoundedTrueAndHasTheExtremes) {
  for (const std::size_t rows : {1001u, 1500u, 4096u, 100000u, 333333u})
    for (const std::size_t spike : {std::size_t{3}, rows / 2, rows - 2}) {
      const Trajectory some = sample_of(rows, 3000, spike);
      EXPECT_LE(some.rows(), 1100u) << rows;
      EXPECT_GE(some.rows(), 300u) << rows;
      EXPECT_EQ(some.row(0)[0], 0.0);
      EXPECT_EQ(some.row(some.rows() - 1)[0], static_cast<double>(rows - 1));
      double largest = 0.0, widest = 0.0;
      for (std::size_t k = 0; k < some.rows(); ++k) {
        const auto row = some.row(k);
        const std::vector<double> truth = sampled_row(static_cast<std::size_t>(row[0]), spike);
        EXPECT_TRUE(std::equal(row.begin(), row.end(), truth.begin()));
        largest = std::max(largest, row[2]);
        if (k > 0) {
          EXPECT_GT(row[0], some.row(k - 1)[0]);
          widest = std::max(widest, row[0] - some.row(k - 1)[0]);
        }
      }
      EXPECT_EQ(largest, 1e6) << rows << " " << spike;
      EXPECT_LT(widest, 0.1 * static_cast<double>(rows));  // no stretch of time is left out
    }
}

class RowFiles : public testing::Test {
 protected:
  RowFiles() : folder_(std::filesystem::path(testing::TempDir()) / ("row_files_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~RowFiles() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(RowFiles, AreReadBackToTheLastBit) {
  const Trajectory table = sample_of(20000, RowSample::unlimited, 7);
  CsvRows csv(folder_ / "rows.csv");
  write_rows(table, csv);
  EXPECT_EQ(read_csv(folder_ / "rows.csv").values, table.values);
  if (!has_hdf5()) GTEST_SKIP() << "built without HDF5";
  Hdf5Rows file(folder_ / "rows.h5");
  write_rows(table, file);
  annotate_hdf5(folder_ / "rows.h5", {{{"x/y", "m"}}, R"({"status": "done", "step": 0.1})", "name = \"rows\""});
  RowSample back;
  read_hdf5(folder_ / "rows.h5", back);
  const Trajectory again = back.take();
  EXPECT_EQ(again.columns, table.columns);
  EXPECT_EQ(again.values, table.values);
}

TEST_F(RowFiles, OthersAreRefused) {
  if (!has_hdf5()) GTEST_SKIP() << "built without HDF5";
  write_text(folder_ / "text.h5", "no HDF5");
  RowSample none;
  EXPECT_THROW(read_hdf5(folder_ / "text.h5", none), InputError);
  EXPECT_THROW(read_hdf5(folder_ / "missing.h5", none), InputError);
  Hdf5Rows nowhere(folder_ / "no" / "where.h5");
  EXPECT_THROW(nowhere.begin({"t"}, 1), OutputError);
}

}  // namespace
}  // namespace invar
