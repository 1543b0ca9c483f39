// The table of a result: CSV or HDF5, written while a long run goes on.
#include <nlohmann/json.hpp>

#include "app/shell_test_support.h"
#include "invar/record/csv_rows.h"
#include "invar/record/hdf5_rows.h"
#include "invar/record/row_sample.h"

namespace invar::app {
namespace {

class TableFormat : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    file("model.toml", heavy_cart);
  }
  Trajectory stored(const std::string& name, std::size_t numbers = RowSample::unlimited) const {
    RowSample rows(numbers);
    read_hdf5(folder / name, rows);
    return rows.take();
  }
};

TEST_F(TableFormat, IsTheSameInCsvAndHdf5) {
  const Result wrong = shell("$INVAR simulate model.toml --format xls");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(wrong.err, "invar: --format: unknown \"xls\"; there are auto, csv or hdf5\n");
  if (!has_hdf5()) GTEST_SKIP() << "built without HDF5";
  for (const std::string task : {"simulate", "invert", "optimize", "control", "equilibrium"}) {
    const Result r = shell("$INVAR " + task + " model.toml --no-report --out text && $INVAR " + task +
                           " model.toml --no-report --format hdf5 --out binary");
    ASSERT_EQ(r.status, 0) << task << r.err;
    EXPECT_FALSE(exists("binary/result.csv"));
    EXPECT_EQ(stored("binary/result.h5").values, read_csv(folder / "text/result.csv").values) << task;
  }
  EXPECT_EQ(shell("$INVAR simulate model.toml --out text && $INVAR simulate model.toml --format hdf5 --out binary && "
                  "$INVAR report text binary")
                .status,
            0);
}

// The file has all rows; the page and what is kept in memory are a sample; the accuracy is that of all rows.
TEST_F(TableFormat, OfALongRunIsWrittenAsRowsCome) {
  if (!has_hdf5()) GTEST_SKIP() << "built without HDF5";
  const Result r = shell("$INVAR simulate pendulum --step 2e-3 --until 1000 --every 1 --json");
  ASSERT_EQ(r.status, 0) << r.err;
  const nlohmann::json summary = nlohmann::json::parse(r.out);
  EXPECT_EQ(summary["recorded_rows"], 500001);
  const Trajectory all = stored("out/pendulum/result.h5");
  ASSERT_EQ(all.rows(), 500001u);
  EXPECT_EQ(all.row(500000)[0], 1000.0);
  double largest = 0.0;
  for (const double drift : all.column("drift.velocity")) largest = std::max(largest, drift);
  EXPECT_EQ(summary["accuracy"]["drift_velocity"].get<double>(), largest);
  EXPECT_NE(page("out/pendulum").find("\"of\":500001"), std::string::npos);
  EXPECT_EQ(page("out/pendulum").find("nothing in between"), std::string::npos) << "the motion is smooth";
  EXPECT_EQ(text("out/pendulum/report.html").find("result.csv holds"), std::string::npos);
  EXPECT_LT(std::filesystem::file_size(folder / "out/pendulum/report.html"), 5'000'000u);
}

}  // namespace
}  // namespace invar::app
