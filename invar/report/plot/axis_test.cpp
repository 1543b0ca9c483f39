// Ticks are nice numbers inside the range, and their labels read back as the ticks.
#include "invar/report/plot/axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace invar {
namespace {

double read_back(const Axis& axis, std::size_t i) {
  std::string text = axis.labels[i];
  if (text.starts_with("−")) text = "-" + text.substr(std::string("−").size());
  return std::stod(text) * std::pow(10.0, axis.exponent);
}

void expect_nice(const Axis& axis, int count) {
  ASSERT_EQ(axis.labels.size(), axis.ticks.size());
  ASSERT_GE(axis.ticks.size(), static_cast<std::size_t>(count / 2));
  EXPECT_LE(axis.ticks.size(), static_cast<std::size_t>(count + 1));
  const double range = axis.high - axis.low;
  const double step = axis.ticks.size() > 1 ? axis.ticks[1] - axis.ticks[0] : range;
  constexpr double slack = 1e-5;  // of a step: the label is exact, the tick is a rounded product
  for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
    EXPECT_GE(axis.ticks[i], axis.low - slack * range);
    EXPECT_LE(axis.ticks[i], axis.high + slack * range);
    EXPECT_NEAR(read_back(axis, i), axis.ticks[i], slack * step) << axis.labels[i];
  }
  if (axis.ticks.size() > 1) {
    const double mantissa = step / std::pow(10.0, std::floor(std::log10(step * (1 + slack))));
    EXPECT_TRUE(std::abs(mantissa - 1) < slack || std::abs(mantissa - 2) < slack || std::abs(mantissa - 5) < slack);
  }
}

TEST(Axis, random_ranges_of_every_size) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-200, 200), place(-3, 3), width(0.01, 2);
  for (int i = 0; i < 500; ++i) {
    const double size = std::pow(10.0, exponent(random)), low = size * place(random), high = low + size * width(random);
    SCOPED_TRACE(testing::Message() << low << " " << high);
    expect_nice(nice_axis(low, high, 5), 5);
  }
}

TEST(Axis, plain_numbers_look_plain) {
  const Axis axis = nice_axis(-20.0, 43.0, 4);
  EXPECT_EQ(axis.labels, (std::vector<std::string>{"−20", "0", "20", "40"}));
  EXPECT_EQ(axis.exponent, 0);
}

TEST(Axis, tiny_numbers_share_a_power_of_ten) {
  const Axis axis = nice_axis(0.0, 6.1e-14, 4);
  EXPECT_EQ(axis.exponent, -14);
  EXPECT_EQ(axis.labels, (std::vector<std::string>{"0", "2", "4", "6"}));
  EXPECT_EQ(power_of_ten(-14), "×10⁻¹⁴");
  EXPECT_EQ(power_of_ten(6), "×10⁶");
  EXPECT_EQ(power_of_ten(0), "");
}

TEST(Axis, constants_get_a_range_around_them) {
  for (double value : {0.0, 9.81, -3e-20, 1e12}) {
    const Axis axis = nice_axis(value, value + 1e-9 * std::abs(value), 4);
    EXPECT_LT(axis.low, value);
    EXPECT_GT(axis.high, value);
    EXPECT_GE(axis.high - axis.low, std::abs(value));
    expect_nice(axis, 4);
  }
}

TEST(Axis, ranges_without_sense_do_no_harm) {
  constexpr double inf = std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::max();
  for (const auto& [low, high] : {std::pair{inf, -inf}, {NAN, 1.0}, {-inf, inf}, {-most, most}, {0.0, 5e-324}}) {
    const Axis axis = nice_axis(low, high, 4);
    EXPECT_TRUE(std::isfinite(axis.high - axis.low));
    expect_nice(axis, 4);
  }
}

TEST(Axis, decades_have_ticks_at_powers_of_ten) {
  const Axis axis = decades_axis(-3.0, -1.0, 10);
  EXPECT_EQ(axis.labels, (std::vector<std::string>{"10⁻³", "10⁻²", "10⁻¹"}));
  EXPECT_EQ(axis.ticks, (std::vector<double>{-3.0, -2.0, -1.0}));
}

TEST(Axis, decades_are_never_without_ticks_nor_crowded) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> low(-300, 300), width(0, 40);
  for (int i = 0; i < 500; ++i) {
    const double from = low(random), to = from + width(random);
    const Axis axis = decades_axis(from, to, 6);
    EXPECT_LE(axis.low, from);
    EXPECT_GE(axis.high, to);
    EXPECT_GE(axis.ticks.size(), 1u) << from << " " << to;
    EXPECT_LE(axis.ticks.size(), 7u) << from << " " << to;
    EXPECT_EQ(axis.ticks.size(), axis.labels.size());
  }
  EXPECT_GE(decades_axis(infinity, -infinity, 6).ticks.size(), 1u);
}

}  // namespace
}  // namespace invar
