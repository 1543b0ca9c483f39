// How the tests of the examples hold a result against values, references and warnings that expected.toml lists.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "examples/expected.h"
#include "invar/base/error.h"
#include "invar/record/trajectory.h"

namespace invar::examples {

namespace fs = std::filesystem;

inline const fs::path folder = INVAR_EXAMPLES_DIR;

inline std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

// The row of time t, which must have been recorded.
inline std::size_t row_at(const Trajectory& result, double t) {
  const std::vector<double> times = result.column("t");
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < times.size(); ++i)
    if (std::abs(times[i] - t) < std::abs(times[nearest] - t)) nearest = i;
  const double same_time = 1e-9 * times.back();  // round-off in k·h against a decimal number
  if (!(std::abs(times[nearest] - t) <= same_time)) throw InputError("t = " + std::to_string(t) + " was not recorded");
  return nearest;
}

inline double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (double x : values) most = std::max(most, std::abs(x));
  return most;
}

struct Deviation {
  double t = 0.0, amount = 0.0;
  void meet(double time, double x) {
    if (!(std::abs(x) <= amount)) *this = {time, std::abs(x)};
  }
};

inline Deviation deviation(const Trajectory& result, const Trajectory& reference, const std::string& column,
                           double from = 0.0) {
  Deviation worst;
  for (std::size_t i = 0; i < reference.rows(); ++i) {
    const double t = reference.value(i, "t");
    if (t < from) continue;
    worst.meet(t, result.value(row_at(result, t), column) - reference.value(i, column));
  }
  return worst;
}

inline std::vector<std::string> columns_of(const Reference& r, const Trajectory& file) {
  if (!r.columns.empty()) return r.columns;
  std::vector<std::string> columns = file.columns;
  std::erase(columns, "t");
  return columns;
}

inline void check_reference(const fs::path& example, const Reference& r, const Trajectory& result) {
  const Trajectory file = read_csv(example / r.file);
  for (const std::string& column : columns_of(r, file)) {
    const Deviation worst = deviation(result, file, column, r.from);
    EXPECT_LE(worst.amount, r.tolerance.bound(largest(file.column(column))))
        << column << " against " << r.file << ", worst at t = " << worst.t << "; tolerance: " << r.tolerance.reason;
  }
}

inline void check_value(const ExpectedValue& v, const Trajectory& result) {
  EXPECT_NEAR(result.value(row_at(result, v.t), v.column), v.value, v.tolerance.bound(std::abs(v.value)))
      << v.column << " at t = " << v.t << "; tolerance: " << v.tolerance.reason;
}

inline void check_constant(const ExpectedConstant& c, const Trajectory& result) {
  const std::vector<double> values = result.column(c.column);
  Deviation worst;
  for (std::size_t i = 0; i < values.size(); ++i) worst.meet(result.value(i, "t"), values[i] - values.front());
  EXPECT_LE(worst.amount, c.tolerance.bound(largest(values)))
      << "change of " << c.column << ", worst at t = " << worst.t << "; tolerance: " << c.tolerance.reason;
}

// Each warning is expected and each expected one is there.
inline void check_warnings(const std::vector<std::string>& expected, const std::vector<std::string>& warnings) {
  const auto says = [](const std::string& warning) {
    return [&warning](const std::string& text) { return warning.find(text) != std::string::npos; };
  };
  for (const std::string& w : warnings)
    EXPECT_TRUE(std::any_of(expected.begin(), expected.end(), says(w))) << "unexpected warning: " << w;
  for (const std::string& text : expected)
    EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), [&](const std::string& w) { return says(w)(text); }))
        << "no warning says: " << text;
}

}  // namespace invar::examples
