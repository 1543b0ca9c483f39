// Thinning and writing of polylines.
#include "invar/report/plot/curve.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace invar {

namespace {

struct PixelPoint {
  long x, y;
  friend bool operator==(const PixelPoint&, const PixelPoint&) = default;
};

// Writes M and l commands, leaving out points that change nothing.
class SvgPath {
 public:
  void add(PixelPoint p) {
    if (points_.empty() || !(p == points_.back())) {
      if (points_.size() >= 2 && straight(points_[points_.size() - 2], points_.back(), p)) points_.pop_back();
      points_.push_back(p);
    }
  }

  void lift() {
    if (points_.empty()) return;
    text_ += "M" + std::to_string(points_[0].x) + " " + std::to_string(points_[0].y);
    text_ += points_.size() == 1 ? "h0" : "l";  // a point alone shows as a dot
    for (std::size_t i = 1; i < points_.size(); ++i) {
      number(points_[i].x - points_[i - 1].x, i > 1);
      number(points_[i].y - points_[i - 1].y, true);
    }
    points_.clear();
  }

  std::string text() && { return std::move(text_); }

 private:
  static bool straight(PixelPoint a, PixelPoint b, PixelPoint c) {
    const long ux = b.x - a.x, uy = b.y - a.y, wx = c.x - b.x, wy = c.y - b.y;
    return ux * wy == uy * wx && ux * wx + uy * wy > 0;
  }

  void number(long value, bool separate) {
    if (separate && value >= 0) text_ += ' ';
    text_ += std::to_string(value);
  }

  std::vector<PixelPoint> points_;
  std::string text_;
};

// The rows of one strip.
struct Bucket {
  long key = -1;
  std::size_t first = 0, low = 0, high = 0, last = 0;
};

long pixel(double value, double from, double size) {
  constexpr double far = 2.0;  // frames beyond the frame; only absurd values get there
  return std::lround(units_per_pixel * (from + size * std::clamp(value, -far, 1.0 + far)));
}

}  // namespace

std::string curve_path(std::span<const double> x, std::span<const double> y, const Axis& x_axis, const Axis& y_axis,
                       const PlotArea& frame, int buckets) {
  const bool ordered = std::ranges::is_sorted(x);  // otherwise strips of equal numbers of rows
  const auto key = [&](std::size_t i) {
    const double place = ordered ? x_axis.fraction(x[i]) : static_cast<double>(i) / static_cast<double>(x.size());
    return static_cast<long>(std::clamp(place, 0.0, 1.0) * buckets);
  };
  SvgPath path;
  Bucket bucket;
  const auto flush = [&] {
    if (bucket.key < 0) return;
    for (std::size_t i :
         {bucket.first, std::min(bucket.low, bucket.high), std::max(bucket.low, bucket.high), bucket.last})
      path.add({pixel(x_axis.fraction(x[i]), frame.x, frame.width),
                pixel(1.0 - y_axis.fraction(y[i]), frame.y, frame.height)});
    bucket.key = -1;
  };
  long gap_key = -1;  // one gap per strip is all that can be seen
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
      const long here = std::isfinite(x[i]) ? key(i) : 0;
      if (here == gap_key) continue;
      gap_key = here;
      flush();
      path.lift();
      continue;
    }
    if (key(i) != bucket.key) {
      flush();
      bucket = {key(i), i, i, i, i};
    }
    if (y[i] < y[bucket.low]) bucket.low = i;
    if (y[i] > y[bucket.high]) bucket.high = i;
    bucket.last = i;
  }
  flush();
  path.lift();
  return std::move(path).text();
}

}  // namespace invar
