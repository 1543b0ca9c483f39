// What is kept of a run, against the whole of it.
#include "invar/task/sweep/recording.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace invar {
namespace {

// Rows of sin(t) and of a constant, over one period.
Trajectory wave(std::size_t steps) {
  Trajectory table{{"t", "s", "c"}, {}};
  for (std::size_t i = 0; i <= steps; ++i) {
    const double t = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(steps);
    table.append(std::vector<double>{t, std::sin(t), -3.0});
  }
  return table;
}

TEST(Recording, KeepsWhatTheWholeTableSays) {
  const RecordingChoice choice({"s.rms", "s.mean", "s.max", "s.min", "c.peak", "end", "c.series"});
  Recording kept(choice);
  const std::size_t steps = 4000;
  const Trajectory table = wave(steps);
  write_rows(table, kept);
  const std::vector<NamedNumber> numbers = kept.numbers();
  std::vector<std::string> names;
  for (const NamedNumber& n : numbers) names.push_back(n.name);
  EXPECT_EQ(names, (std::vector<std::string>{"s.rms", "s.mean", "s.max", "s.min", "c.peak", "s.end", "c.end"}));
  // The trapezoidal rule converges faster than any power over a period, so that round-off is what remains.
  constexpr double round_off = 1e-13;
  EXPECT_NEAR(numbers[0].value, std::sqrt(0.5), round_off);
  EXPECT_NEAR(numbers[1].value, 0.0, round_off);
  EXPECT_EQ(numbers[2].value, 1.0);
  EXPECT_EQ(numbers[3].value, -1.0);
  EXPECT_EQ(numbers[4].value, 3.0);
  EXPECT_EQ(numbers[5].value, table.value(steps, "s"));
  EXPECT_EQ(numbers[6].value, -3.0);
  const std::vector<NamedSeries> series = kept.series();
  ASSERT_EQ(series.size(), 2U);
  EXPECT_EQ(series[0].name, "t");
  EXPECT_EQ(series[1].values, table.column("c"));
}

TEST(Recording, OfOneRowIsThatRow) {
  const RecordingChoice choice({"s.mean", "s.rms", "s.peak"});
  Recording kept(choice);
  write_rows({{"t", "s"}, {0.0, -2.0}}, kept);
  const std::vector<NamedNumber> numbers = kept.numbers();
  EXPECT_EQ(numbers[0].value, -2.0);
  EXPECT_EQ(numbers[1].value, 2.0);
  EXPECT_EQ(numbers[2].value, 2.0);
}

TEST(Recording, KeepsNothingTwice) {
  const RecordingChoice choice({"end", "s.end", "series", "t.series"});
  Recording kept(choice);
  write_rows(wave(4), kept);
  EXPECT_EQ(kept.numbers().size(), 2U);
  EXPECT_EQ(kept.series().size(), 3U);
}

}  // namespace
}  // namespace invar
