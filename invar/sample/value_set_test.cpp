// Laws of the values that a quantity takes: distributions against erfc and closed forms, text that reads back the same,
// and mistakes in one line each.
#include "invar/sample/value_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "invar/base/error.h"
#include "invar/sample/distribution.h"

namespace invar {
namespace {

// erfc is good to about one unit in its last place, and a relative error e of x changes Φ(x) relatively by up to x² e
// in the tails: three units for x, one for what erfc is asked for.
TEST(NormalQuantile, InvertsTheErrorFunction) {
  constexpr double unit = 0x1p-52;
  for (int k = 1; k <= 300; ++k) {
    for (const double u : {std::ldexp(1.0, -k), k / 1000.0, 0.075 + k * 1e-6, 0.5 - std::ldexp(1.0, -k / 6 - 2)}) {
      if (u >= 0.5) continue;
      const double x = normal_quantile(u);
      const double back = 0.5 * std::erfc(-x / std::sqrt(2.0));
      const double tolerance = unit * (4.0 + 4.0 * x * x);
      EXPECT_NEAR(back / u, 1.0, tolerance) << u;
    }
    const double u = k / 1024.0;  // 1 - u is exact
    EXPECT_EQ(normal_quantile(1.0 - u), -normal_quantile(u));
  }
  EXPECT_EQ(normal_quantile(0.5), 0.0);
}

TEST(Distributions, HaveTheirQuantiles) {
  constexpr double few_units = 1e-15;
  const double far = normal_quantile(0.9), u = 0.9;
  EXPECT_NEAR(ValueSet::read("uniform(-2, 6)").at(0.25), 0.0, few_units);
  EXPECT_NEAR(ValueSet::read("normal(4, 0.1)").at(u), 4.0 + 0.1 * far, 4.0 * few_units);
  for (const double p : {1e-9, 0.1, 0.5, 0.9, 1.0 - 1e-9}) {
    EXPECT_NEAR(ValueSet::read("loguniform(1e-3, 1e5)").at(p) / (1e-3 * std::pow(1e8, p)), 1.0, 20.0 * few_units);
    EXPECT_NEAR(ValueSet::read("lognormal(3, 0.7)").at(p) / (3.0 * std::exp(0.7 * normal_quantile(p))), 1.0,
                5.0 * few_units);
  }
}

TEST(ValueSet, ReadsWhatItWrites) {
  for (const char* text : {"4", "[1, 2, 3]", "50:500:10", "0:1:11", "normal(4, 0.1)", "uniform(-1, 1)",
                           "loguniform(1e-06, 1)", "choice(1, 2, 3)", "[-1.5, 1e+300]", "5:5:1"}) {
    const ValueSet set = ValueSet::read(text);
    const ValueSet again = ValueSet::read(set.text());
    EXPECT_EQ(set.text(), text);
    EXPECT_EQ(again.text(), text);
    EXPECT_EQ(again.is_drawn(), set.is_drawn());
    ASSERT_EQ(again.count(), set.count());
    for (std::size_t k = 0; k < set.count(); ++k) EXPECT_EQ(again[k], set[k]);
    EXPECT_EQ(again.at(0.3), set.at(0.3));
  }
}

TEST(ValueSet, TakesBothEndsOfAGrid) {
  const ValueSet grid = ValueSet::read("0:1:11");
  ASSERT_EQ(grid.count(), 11u);
  for (int k = 0; k <= 10; ++k) EXPECT_EQ(grid[k], k / 10.0) << "decimal steps are the nearest numbers";
  const ValueSet down = ValueSet::read(" 500 : 50 : 10 ");
  EXPECT_EQ(down[0], 500.0);
  EXPECT_EQ(down[1], 450.0);
  EXPECT_EQ(down[9], 50.0);
  EXPECT_EQ(ValueSet::read("1, 2,3").count(), 3u);
}

TEST(ValueSet, ChoosesListedValuesWithEqualParts) {
  const ValueSet set = ValueSet::read("choice(5, 7, 9)");
  EXPECT_TRUE(set.is_drawn());
  std::vector<int> counts(10);
  for (int k = 0; k < 300; ++k) ++counts[static_cast<int>(set.at((k + 0.5) / 300.0))];
  EXPECT_EQ(counts, (std::vector{0, 0, 0, 0, 0, 100, 0, 100, 0, 100}));
}

TEST(ValueSet, RefusesMistakesInOneLine) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"", "no values"},
      {"[]", "a number is missing"},
      {"[1, 2", "the list has no end"},
      {"1, x", "\"x\" is no number"},
      {"nan", "is no number"},
      {"1e999", "is no number"},
      {"50:500", "write from:to:count"},
      {"50:500:0", "count of values"},
      {"50:500:2.5", "count of values"},
      {"50:500:1", "one value"},
      {"0:1:1e9", "too many values"},
      {"-1e308:1e308:4000", "too large"},
      {"normal(4, 0)", "must be positive"},
      {"normal(4)", "write normal(mean, deviation)"},
      {"normal(4, 1", "the parenthesis has no end"},
      {"norml(4, 1)", "did you mean \"normal\"?"},
      {"uniform(2, 1)", "must be smaller"},
      {"loguniform(0, 1)", "must be positive"},
  };
  for (const auto& [text, words] : mistakes) {
    try {
      ValueSet::read(text);
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(words), std::string::npos) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace invar
