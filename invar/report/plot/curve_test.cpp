// Thinning keeps what can be seen: extremes, ends and gaps.
#include "invar/report/plot/curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

namespace invar {
namespace {

constexpr PlotArea frame = {0.0, 0.0, 100.0, 50.0};

struct Drawn {
  std::vector<std::pair<long, long>> points;
  int pieces = 0;
};

// Reads the path data back, by the SVG grammar for M, l and h.
Drawn drawn(const std::string& path) {
  std::istringstream in(path);
  Drawn d;
  long x = 0, y = 0;
  while (in >> std::ws && in.peek() != EOF) {
    const int c = in.peek();
    if (c == 'M' || c == 'h') {
      in.get();
      if (c == 'h') {
        long zero = 0;
        in >> zero;
        continue;
      }
      in >> x >> y;
      ++d.pieces;
    } else {
      if (c == 'l') in.get();
      long dx = 0, dy = 0;
      in >> dx >> dy;
      x += dx;
      y += dy;
    }
    EXPECT_FALSE(in.fail());
    d.points.emplace_back(x, y);
  }
  return d;
}

Drawn draw(const std::vector<double>& x, const std::vector<double>& y, int buckets = 100) {
  return drawn(curve_path(x, y, nice_axis(x.front(), x.back(), 5), nice_axis(0.0, 1.0, 5), frame, buckets));
}

TEST(Curve, a_straight_line_is_two_points) {
  const Drawn d = draw({0, 1, 2, 3, 4}, {0, 0.25, 0.5, 0.75, 1});
  EXPECT_EQ(d.points, (std::vector<std::pair<long, long>>{{0, 500}, {1000, 0}}));
}

TEST(Curve, one_high_row_among_a_million_is_seen) {
  const std::size_t rows = 1'000'000;
  std::vector<double> x(rows), y(rows, 0.5);
  for (std::size_t i = 0; i < rows; ++i) x[i] = static_cast<double>(i);
  y[123456] = 1.0;
  y[777777] = 0.0;
  const Drawn d = draw(x, y);
  EXPECT_LE(d.points.size(), 404u);
  const auto heights = [&](long h) { return std::ranges::count(d.points, h, &std::pair<long, long>::second); };
  EXPECT_EQ(heights(0), 1);
  EXPECT_EQ(heights(500), 1);
}

TEST(Curve, noise_is_bounded) {
  std::vector<double> x, y;
  for (int i = 0; i < 100000; ++i) {
    x.push_back(i);
    y.push_back(i % 7 == 3 ? NAN : 0.5 + 0.5 * std::sin(0.1 * i * i));
  }
  EXPECT_LE(draw(x, y, 50).points.size(), 51u * 8u);
  std::ranges::reverse(x);  // no order to rely on
  EXPECT_LE(drawn(curve_path(x, y, nice_axis(0, 1e5, 5), nice_axis(0, 1, 5), frame, 50)).points.size(), 51u * 8u);
}

TEST(Curve, what_is_not_finite_breaks_the_line) {
  EXPECT_EQ(draw({0, 1, 2, 3, 4}, {0, 1, NAN, 1, 0}).pieces, 2);
  EXPECT_EQ(draw({0, 1, 2, 3, 4}, {0, 1, INFINITY, NAN, 0}).pieces, 2);
  EXPECT_EQ(draw({0, 1, 2}, {NAN, NAN, NAN}).pieces, 0);
}

TEST(Curve, a_single_point_is_a_dot) {
  EXPECT_TRUE(curve_path(std::vector{0.5}, std::vector{0.5}, {}, {}, frame, 9).ends_with("h0"));
}

}  // namespace
}  // namespace invar
