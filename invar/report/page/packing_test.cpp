// Law: read(write(x)) = x, to the last bit or to half a quantum; and what goes on smoothly takes few characters.
#include "invar/report/page/packing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace invar {
namespace {

std::vector<std::vector<double>> series() {
  std::mt19937 random(7);
  std::normal_distribution<double> noise;
  std::vector<double> smooth, rough, steps, mixed;
  for (int k = 0; k < 5000; ++k) {
    smooth.push_back(3.0 * std::sin(1e-2 * k) - 1e-3 * k);
    rough.push_back(noise(random));
    steps.push_back(k / 700 % 2 ? 100.0 : -40.0);
    mixed.push_back(k % 97 == 0 ? 1e4 * rough.back() : smooth.back());
  }
  return {{}, {0.0}, {-1.25e-300}, {1.0, -2.0, 3.0}, smooth, rough, steps, mixed};
}

TEST(Packing, GivesBackWhatItWasGiven) {
  for (const std::vector<double>& x : series()) {
    EXPECT_EQ(unpacked(packed_double(x)), x);
    for (const std::size_t width : {1u, 3u})
      for (const double quantum : {1e-8, 0.3}) {
        const auto packed = packed_smooth(x, width, quantum);
        ASSERT_TRUE(packed);
        EXPECT_LE(packed->quantum, quantum);
        EXPECT_EQ(unpacked(read_packed(written<nlohmann::ordered_json>(*packed))), unpacked(*packed));
        const std::vector<double> y = unpacked(*packed);
        ASSERT_EQ(y.size(), x.size());
        for (std::size_t i = 0; i < x.size(); ++i) ASSERT_LE(std::abs(x[i] - y[i]), 0.5 * quantum);
      }
  }
}

TEST(Packing, TakesFewCharactersForWhatIsSmooth) {
  const std::vector<double> smooth = series()[4];
  constexpr double fine = 6.0 * 0x1p-34;
  const auto packed = packed_smooth(smooth, 1, fine);
  ASSERT_TRUE(packed);
  EXPECT_LT(packed->text.size(), packed_double(smooth).text.size() / 5);
}

TEST(Packing, RefusesWhatHasNoQuanta) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(packed_smooth(std::vector{1.0, nan}, 1, 1e-3));
  EXPECT_FALSE(packed_smooth(std::vector{1.0, std::numeric_limits<double>::infinity()}, 1, 1e-3));
  EXPECT_FALSE(packed_smooth(std::vector{1.0, 1e6}, 1, 1e-9)) << "more than doubles can count";
  EXPECT_FALSE(packed_smooth(std::vector{1.0}, 1, 0.0));
}

}  // namespace
}  // namespace invar
