// What is written is read back to the last bit; what cannot be read is named with file and line.
#include "invar/record/trajectory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <ctime>
#include <limits>
#include <random>

#include "invar/base/error.h"
#include "invar/record/file.h"
#include "invar/record/read_csv.h"

namespace invar {
namespace {

std::string csv_error(std::string_view text) {
  try {
    read_csv_text(text, "data.csv");
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Trajectory, rows_and_columns_by_name) {
  Trajectory x{{"t", "s'"}, {}};
  x.append(std::vector{0.0, 1.0});
  const auto row = x.append();
  row[0] = 0.5;
  row[1] = 3.0;
  EXPECT_EQ(x.rows(), 2u);
  EXPECT_EQ(x.row(1)[0], 0.5);
  EXPECT_EQ(x.value(1, "s'"), 3.0);
  EXPECT_EQ(x.column("s'"), (std::vector{1.0, 3.0}));
  EXPECT_EQ(x.find("s"), std::nullopt);
  EXPECT_THROW(x.index("s"), InputError);
  EXPECT_THROW(x.append(std::vector{1.0}), ContractViolation);
  EXPECT_EQ(Trajectory{}.rows(), 0u);
}

TEST(Trajectory, csv_keeps_every_bit) {
  Trajectory x{{"t", "a,b", "say \"x\"", "#4", " blank "}, {}};
  std::mt19937_64 random(20240611);
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (double special : {0.1, -0.0, 1e308, 5e-324, inf, -inf, 2.2250738585072011e-308}) x.values.push_back(special);
  while (x.values.size() < 500) {
    const double any = std::bit_cast<double>(random());
    if (std::isfinite(any)) x.values.push_back(any);
  }
  const Trajectory y = read_csv_text(to_csv(x), "x");
  EXPECT_EQ(x.columns, y.columns);
  ASSERT_EQ(x.values.size(), y.values.size());
  for (std::size_t i = 0; i < x.values.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(x.values[i]), std::bit_cast<std::uint64_t>(y.values[i])) << x.values[i];
}

TEST(Trajectory, csv_has_a_header_and_as_many_digits_as_numbers_need) {
  EXPECT_EQ(to_csv({{"t", "x"}, {0.1, 2.0, 1.0 / 3.0, NAN}}), "t,x\n0.1,2\n0.3333333333333333,nan\n");
}

// Of all sizes, with equal neighbours in a column, and zeros of both signs.
TEST(Trajectory, csv_is_read_back_to_the_last_bit) {
  std::mt19937_64 random(1);
  Trajectory x{{"t", "x", "y"}, {0.0, -0.0, 0.0, 1.0, 0.0, -0.0}};
  while (x.rows() < 3000) {
    double t = NAN;
    while (!std::isfinite(t)) t = std::bit_cast<double>(random());
    x.append(std::vector{t, random() % 2 == 0 ? x.values.back() : 1e-300 * t, std::round(1e3 * std::sin(t))});
  }
  const Trajectory back = read_csv_text(to_csv(x), "x");
  ASSERT_EQ(back.values.size(), x.values.size());
  for (std::size_t i = 0; i < x.values.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back.values[i]), std::bit_cast<std::uint64_t>(x.values[i])) << x.values[i];
}

TEST(Trajectory, files_are_the_same_as_text) {
  const std::filesystem::path path = testing::TempDir() + "invar_trajectory_test_" + std::to_string(getpid()) + ".csv";
  Trajectory x{{"t", "x"}, {}};
  for (int i = 0; i < 5000; ++i) x.append(std::vector{0.1 * i, std::sin(0.1 * i)});  // more than one portion
  write_csv(x, path);
  EXPECT_EQ(read_csv(path).values, x.values);
  std::filesystem::remove(path);
}

// Spreadsheet programs execute cells that begin with = + - @, also quoted ones.
TEST(Trajectory, csv_names_that_spreadsheets_would_execute_are_text) {
  const Trajectory x{{"t", "=1+1", "+x", "-x", "@x", "'=x", "''-x", "'x", "a=b", "\t=x"}, std::vector(10, 1.0)};
  const std::string text = to_csv(x);
  EXPECT_EQ(text.substr(0, text.find('\n')), "t,'=1+1,'+x,'-x,'@x,''=x,'''-x,'x,a=b,'\t=x");
  EXPECT_EQ(read_csv_text(text, "x").columns, x.columns);
}

// Ten times the columns take ten times as long, where the square would take a hundred times.
TEST(ReadCsv, wide_files_take_linear_time) {
  const auto seconds = [](int columns) {
    std::string text = "t", numbers = "0";
    for (int j = 1; j < columns; ++j) {
      text += ",column" + std::to_string(j);
      numbers += ",1";
    }
    double least = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 3; ++round) {
      const std::clock_t begin = std::clock();
      EXPECT_EQ(read_csv_text(text + "\n" + numbers, "x").columns.size(), static_cast<std::size_t>(columns));
      least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return least;
  };
  const double few = seconds(20'000), many = seconds(200'000);
  constexpr double times = 10.0, noise = 4.0;  // of clocks and caches
  EXPECT_LT(many, times * noise * few + 0.01);
}

TEST(ReadCsv, takes_comments_blank_lines_and_other_line_ends) {
  const Trajectory x = read_csv_text("\xEF\xBB\xBF# made by hand\r\n\r\n t , x\r\n# mid\r\n +1 ,-2e3\r\n\n3,nan", "x");
  EXPECT_EQ(x.columns, (std::vector<std::string>{"t", "x"}));
  ASSERT_EQ(x.rows(), 2u);
  EXPECT_EQ(x.row(0)[0], 1.0);
  EXPECT_EQ(x.row(0)[1], -2000.0);
  EXPECT_TRUE(std::isnan(x.row(1)[1]));
}

TEST(ReadCsv, errors_name_file_line_and_column) {
  EXPECT_EQ(csv_error(""), "data.csv: no header line");
  EXPECT_EQ(csv_error("# only\n"), "data.csv: no header line");
  EXPECT_EQ(csv_error("t,x\n1,2\n# c\n3\n"), "data.csv:4: expected 2 numbers, found 1");
  EXPECT_EQ(csv_error("t\n1,2\n"), "data.csv:2: expected 1 number, found 2");
  EXPECT_EQ(csv_error("t,x\n1,2 m\n"), "data.csv:2: column \"x\": \"2 m\" is not a number");
  EXPECT_EQ(csv_error("t,x\n1,\n"), "data.csv:2: column \"x\": \"\" is not a number");
  EXPECT_EQ(csv_error("t,x\n1,1e999\n"), "data.csv:2: column \"x\": \"1e999\" is out of range");
  EXPECT_EQ(csv_error("t,,x\n"), "data.csv:1: column 2 has no name");
  EXPECT_EQ(csv_error("t,\n"), "data.csv:1: column 2 has no name");
  EXPECT_EQ(csv_error("t,t\n"), "data.csv:1: two columns are named \"t\"");
  EXPECT_EQ(csv_error("\"t\n1\n"), "data.csv:1: a quoted column name does not end");
  EXPECT_EQ(csv_error("\"t\"s\n1\n"), "data.csv:1: expected a comma after column name \"t\"");
}

TEST(ReadCsv, an_error_is_one_line_whatever_the_file_holds) {
  const std::string message = csv_error("t\n\x01\r\x02" + std::string(10000, 'z'));
  EXPECT_LT(message.size(), 120u);
  EXPECT_EQ(message.find_first_of("\r\n\x01"), std::string::npos);
}

TEST(ReadCsv, every_row_knows_its_line) {
  const std::filesystem::path path = testing::TempDir() + "invar_lines_test_" + std::to_string(getpid()) + ".csv";
  write_text(path, "# made by hand\n\nt,x\n  # mid\n1,2\n \n3,4\n");
  const CsvFile file = read_csv_file(path);
  std::filesystem::remove(path);
  EXPECT_EQ(file.header_line, 3u);
  EXPECT_EQ(file.row_lines, (std::vector<std::size_t>{5, 7}));
  EXPECT_EQ(file.table.values, (std::vector{1.0, 2.0, 3.0, 4.0}));
}

TEST(WriteCsv, what_the_system_refuses_is_an_error) {
  const Trajectory x{{"t"}, std::vector<double>(100000, 0.1)};
  EXPECT_THROW(write_csv(x, "/no/such/folder/x.csv"), InputError);
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_THROW(write_csv(x, "/dev/full"), InputError);
  }
}

}  // namespace
}  // namespace invar
