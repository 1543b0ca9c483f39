// Laws of a sweep's page: what it says about all cases is what the cases say, also where only some of them are drawn.
#include "invar/report/sweep/sweep_page.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "invar/report/page/page.h"
#include "invar/report/sweep/bands.h"
#include "invar/report/sweep/failures.h"
#include "invar/report/sweep/telling_cases.h"
#include "invar/sample/design.h"

namespace invar {
namespace {

using Json = nlohmann::json;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Json data_in(const std::string& page) { return Json::parse(data_of_page(page)); }

std::vector<double> unpacked(const Json& packed) {
  const std::string text = packed["f64"];
  std::string bytes;
  unsigned bits = 0, count = 0;
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6 | static_cast<unsigned>(digits.find(c))) & 0xFFFFFF;
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
  }
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
  return values;
}

// The figure is a + 2b exactly, so b has four fifths of its variance.
SweepTable saltelli_table(std::uint64_t samples) {
  const ValueSet unit = ValueSet::read("uniform(0, 1)");
  const Design design({{{"a"}, {unit}}, {{"b"}, {unit}}}, Sampling::saltelli, samples, 1);
  SweepTable table;
  table.varied = design.names();
  table.figures = {"F.max", "constant"};
  table.name = "crane <script>";
  table.task = "simulate";
  table.summary = R"({"sweep": {"design": "some words", "sampling": "saltelli", "drawn": ["a", "b"],
                      "repeat": ["simulate", "it's.toml"]}})";
  std::vector<double> point(2);
  for (std::uint64_t k = 0; k < design.size(); ++k) {
    design.set_case(k, point);
    table.values.insert(table.values.end(), point.begin(), point.end());
    table.numbers.insert(table.numbers.end(), {point[0] + 2.0 * point[1], 3.0});
    table.status.push_back(CaseStatus::done);
    table.reasons.emplace_back();
  }
  return table;
}

TEST(SweepPage, TellsWhatDependsOnWhat) {
  const Json report = data_in(sweep_page({saltelli_table(512)}));
  EXPECT_EQ(report["task"], "sweep");
  EXPECT_EQ(report["verdict"], "2048 runs of simulate: 2048 done");
  EXPECT_EQ(report["said"][0], "some words");
  const Json& sweep = report["sweep"];
  EXPECT_EQ(sweep["command"], "invar simulate 'it'\\''s.toml'");
  const Json& sensitivity = sweep["sensitivity"];
  EXPECT_EQ(sensitivity["base_samples"], 512);
  ASSERT_EQ(sensitivity["figures"].size(), 1u) << "what does not vary has no shares";
  constexpr double scatter = 0.03;  // of the estimators with 512 points
  EXPECT_NEAR(sensitivity["figures"][0]["first_order"][0][0].get<double>(), 0.2, scatter);
  EXPECT_NEAR(sensitivity["figures"][0]["total"][1][0].get<double>(), 0.8, scatter);
  const double b = sweep["pearson"][0][1];
  EXPECT_NEAR(b * b, 0.8, scatter) << "of a linear figure, the square of the correlation is the share";
  EXPECT_TRUE(sweep["pearson"][1][0].is_null());
  std::size_t counted = 0;
  for (const Json& count : sweep["figures"][0]["histogram"]["counts"]) counted += count.get<std::size_t>();
  EXPECT_EQ(counted, 2048u);
}

TEST(SweepPage, KeepsTheExtremeCasesOfManyAndSaysWhichTheyAre) {
  SweepTable table;
  table.varied = {"m"};
  table.figures = {"x"};
  table.task = "simulate";
  constexpr std::size_t cases = 200000;
  for (std::size_t k = 0; k < cases; ++k) {
    table.values.push_back(static_cast<double>(k));
    table.numbers.push_back(k == 77777 ? 5.0 : k == 123456 ? -5.0 : std::sin(0.1 * static_cast<double>(k)));
    table.status.push_back(CaseStatus::done);
    table.reasons.emplace_back();
  }
  const Json sweep = data_in(sweep_page({table}))["sweep"];
  EXPECT_EQ(sweep["cases"], cases);
  const std::vector<double> shown = unpacked(sweep["shown"]), values = unpacked(sweep["figures"][0]["values"]);
  ASSERT_EQ(shown.size(), values.size());
  EXPECT_LT(shown.size(), cases);
  EXPECT_TRUE(std::ranges::is_sorted(shown));
  std::set<double> numbers(shown.begin(), shown.end());
  EXPECT_TRUE(numbers.contains(77777.0) && numbers.contains(123456.0));
  for (std::size_t k = 0; k < shown.size(); ++k)
    EXPECT_EQ(values[k], table.numbers[static_cast<std::size_t>(shown[k])]);
  EXPECT_EQ(sweep["figures"][0]["count"], cases) << "statistics are of all";
}

TEST(SweepPage, GroupsFailuresByTheirWords) {
  SweepTable table;
  table.varied = {"m"};
  table.figures = {"x"};
  const auto add = [&](CaseStatus status, const std::string& reason) {
    table.values.push_back(1.0);
    table.numbers.push_back(missing);
    table.status.push_back(status);
    table.reasons.push_back(reason);
  };
  add(CaseStatus::failed, "Newton's method fails at t = 0.25 s");
  add(CaseStatus::stopped, "took longer than 60 s");
  add(CaseStatus::failed, "Newton's method fails at t = 1.5e-3 s");
  add(CaseStatus::done, "");
  const std::vector<FailureGroup> groups = failures_of(table);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].count, 2u);
  EXPECT_EQ(groups[0].reason, "Newton's method fails at t = 0.25 s");
  EXPECT_EQ(groups[0].cases, (std::vector<std::uint64_t>{0, 2}));
  EXPECT_EQ(groups[1].status, CaseStatus::stopped);
  EXPECT_EQ(data_in(sweep_page({table}))["verdict"], "4 runs of : 1 done, 2 failed, 1 stopped");
}

TEST(SeriesBand, IsExactForStraightLinesWithTimesOfTheirOwn) {
  constexpr double rounding = 1e-12;
  std::vector<std::vector<double>> times, values;
  for (int k = 0; k <= 100; ++k) {  // slopes 0 … 100, each with other times and room at the end
    std::vector<double> t, x;
    for (int i = 0; i <= 10 + k; ++i) {
      t.push_back(2.0 * i / (10.0 + k));
      x.push_back(k * t.back());
    }
    t.push_back(missing);
    x.push_back(missing);
    times.push_back(t);
    values.push_back(x);
  }
  const SeriesBand band = series_band(times, values, std::array{0.0, 0.05, 0.5, 1.0});
  ASSERT_FALSE(band.time.empty());
  EXPECT_EQ(band.time.back(), 2.0);
  for (std::size_t i = 0; i < band.time.size(); ++i)
    for (const auto& [p, slope] : {std::pair{0u, 0.0}, {1u, 5.0}, {2u, 50.0}, {3u, 100.0}})
      EXPECT_NEAR(band.quantiles[p][i], slope * band.time[i], 100.0 * rounding);
}

TEST(SeriesBand, CountsACaseAsLongAsItLasts) {
  const SeriesBand band = series_band({{0.0, 1.0}, {0.0, 2.0}, {}}, {{7.0, 7.0}, {1.0, 1.0}, {}}, std::array{0.0, 1.0});
  EXPECT_EQ(band.quantiles[1].front(), 7.0);
  EXPECT_EQ(band.quantiles[1].back(), 1.0);
  EXPECT_TRUE(series_band({{}}, {{}}, std::array{0.5}).time.empty());
}

TEST(SweepPage, TheWorstCasesAndTheFirstOfEachFailureAreWorthAReport) {
  SweepTable table;
  table.varied = {"m"};
  table.figures = {"steps", "energy", "x.max"};
  constexpr std::size_t cases = 9;
  const std::vector<double> x = {3, 9, missing, 1, 9, missing, missing, 5, missing};
  const std::vector<std::string> reasons = {"", "", "no root at 1.5", "", "", "no mass", "no root at 2", "", "late"};
  for (std::size_t k = 0; k < cases; ++k) {
    table.values.push_back(static_cast<double>(k));
    table.numbers.insert(table.numbers.end(), {100.0, 1e-9 * static_cast<double>(k), x[k]});
    table.reasons.push_back(reasons[k]);
    table.status.push_back(reasons[k].empty() ? CaseStatus::done : CaseStatus::failed);
  }
  table.status[8] = CaseStatus::stopped;
  EXPECT_EQ(first_figure(table), std::size_t{2}) << "it varies, and is of the motion";
  EXPECT_EQ(telling_cases(table, 2), (std::vector<std::uint64_t>{1, 4, 2, 5}));
  EXPECT_EQ(telling_cases(table, 1), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_TRUE(telling_cases(table, 0).empty());
  EXPECT_EQ(first_figure(SweepTable()), std::nullopt);
}

}  // namespace
}  // namespace invar
