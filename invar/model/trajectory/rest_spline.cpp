// See rest_spline.h.
#include "invar/model/trajectory/rest_spline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "invar/base/error.h"
#include "invar/model/trajectory/profile.h"

namespace invar {
namespace {

constexpr std::size_t most_points = 2 * highest_smoothness + 2;
using Points = std::array<double, most_points>;

// The p+1 B-splines of degree p that live on knots[m] … knots[m+1], at t.
void basis(const double* knot, std::size_t p, double t, Points& value) {  // knot points at knots[m]
  Points left{}, right{};
  value[0] = 1.0;
  for (std::size_t j = 1; j <= p; ++j) {
    left[j] = t - knot[1 - static_cast<std::ptrdiff_t>(j)];
    right[j] = knot[j] - t;
    double saved = 0.0;
    for (std::size_t r = 0; r < j; ++r) {
      const double share = value[r] / (right[r + 1] + left[j - r]);
      value[r] = saved + right[r + 1] * share;
      saved = left[j - r] * share;
    }
    value[j] = saved;
  }
}

// De Boor's algorithm of degree q on knots[m] … knots[m+1].
double value_at(const double* knot, std::size_t q, double t, Points d) {
  for (std::size_t r = 1; r <= q; ++r)
    for (std::size_t l = q; l >= r; --l) {
      const double a = knot[static_cast<std::ptrdiff_t>(l) - static_cast<std::ptrdiff_t>(q)];
      const double b = knot[l + 1 - r];
      d[l] = ((b - t) * d[l - 1] + (t - a) * d[l]) / (b - a);
    }
  return d[q];
}

// The triangle R of a least-squares problem whose rows have p+1 entries next to each other, and one right-hand side per
// column.
class BandedTriangle {
 public:
  BandedTriangle(std::size_t unknowns, std::size_t width, std::size_t columns)
      : width_(width), columns_(columns), band_(unknowns * width), right_(unknowns * columns) {}

  // Rows come in the order of their first entries.
  void add(std::size_t first, std::span<double> row, std::span<double> right) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      double* diagonal = &band_[(first + j) * width_];
      const double length = std::hypot(diagonal[0], row[j]);
      if (row[j] == 0.0) continue;
      const double c = diagonal[0] / length, s = row[j] / length;
      for (std::size_t i = 0; j + i < row.size(); ++i) rotate(c, s, diagonal[i], row[j + i]);
      for (std::size_t i = 0; i < columns_; ++i) rotate(c, s, right_[(first + j) * columns_ + i], right[i]);
    }
  }

  // The solution in the place of the right-hand sides: unknown by unknown, a number for each column.
  std::vector<double> solve() && {
    const std::size_t n = band_.size() / width_;
    for (std::size_t j = n; j-- > 0;)
      for (std::size_t i = 0; i < columns_; ++i) {
        double& x = right_[j * columns_ + i];
        for (std::size_t c = 1; c < width_ && j + c < n; ++c)
          x -= band_[j * width_ + c] * right_[(j + c) * columns_ + i];
        x /= band_[j * width_];
      }
    return std::move(right_);
  }

 private:
  static void rotate(double c, double s, double& a, double& b) {
    const double above = c * a + s * b;
    b = c * b - s * a;
    a = above;
  }

  std::size_t width_, columns_;
  std::vector<double> band_, right_;
};

std::vector<double> with_ends(const std::vector<double>& times, std::size_t p) {
  std::vector<double> knots(p, times.front());
  knots.insert(knots.end(), times.begin(), times.end());
  knots.insert(knots.end(), p, times.back());
  return knots;
}

}  // namespace

RestSpline::RestSpline(std::vector<double> knots, std::size_t k, std::vector<double> control)
    : k_(k), times_(std::move(knots)), knots_(with_ends(times_, degree())), control_(std::move(control)) {
  expects(control_.size() == times_.size() + 2 * k_, "a control point for each knot and 2k more");
}

void RestSpline::series(double t, Side side, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  if (out.empty()) return;
  const auto next = side == Side::right ? std::upper_bound(times_.begin(), times_.end(), t)
                                        : std::lower_bound(times_.begin(), times_.end(), t);
  if (next == times_.begin())
    out[0] = control_.front();
  else if (next == times_.end())
    out[0] = control_.back();
  else
    inside(static_cast<std::size_t>(next - times_.begin()) - 1, t, out);
}

void RestSpline::inside(std::size_t interval, double t, std::span<double> out) const {
  const std::size_t p = degree();
  const double* knot = knots_.data() + p + interval;  // the interval is knot[0] … knot[1]
  Points d{};
  std::copy_n(control_.begin() + static_cast<std::ptrdiff_t>(interval), p + 1, d.begin());
  double factorial = 1.0;
  for (std::size_t j = 0; j < out.size() && j <= p; ++j) {
    const std::size_t q = p - j;
    out[j] = value_at(knot, q, t, d) / factorial;
    factorial *= static_cast<double>(j + 1);
    for (std::size_t l = 0; l < q; ++l) {
      const double from = knot[static_cast<std::ptrdiff_t>(l) - static_cast<std::ptrdiff_t>(q) + 1];
      d[l] = static_cast<double>(q) * (d[l + 1] - d[l]) / (knot[l + 1] - from);
    }
  }
}

std::vector<RestSpline> nearest_splines(const std::vector<double>& knots, std::size_t k, std::span<const double> times,
                                        const std::vector<std::vector<double>>& columns) {
  const std::size_t p = 2 * k + 1, intervals = knots.size() - 1, unknowns = knots.size(), count = columns.size();
  const std::vector<double> all = with_ends(knots, p);
  BandedTriangle triangle(unknowns, p + 1, count);
  std::size_t interval = 0;
  std::vector<double> row, right(count);
  for (std::size_t i = 0; i < times.size(); ++i) {
    while (interval + 1 < intervals && times[i] >= knots[interval + 1]) ++interval;
    Points b{};
    basis(all.data() + p + interval, p, times[i], b);
    // The first k+1 control points are one unknown, and so are the last.
    row.clear();
    const auto unknown = [&](std::size_t place) { return std::clamp(place, k, intervals + k) - k; };
    for (std::size_t j = 0; j <= p; ++j) {
      const std::size_t column = unknown(interval + j) - unknown(interval);
      if (column >= row.size()) row.push_back(0.0);
      row[column] += b[j];
    }
    // Values count from the first one, so that small motions far from zero keep their digits.
    for (std::size_t c = 0; c < count; ++c) right[c] = columns[c][i] - columns[c].front();
    triangle.add(unknown(interval), row, right);
  }
  const std::vector<double> solution = std::move(triangle).solve();
  const bool through = knots.size() == times.size();
  std::vector<RestSpline> splines;
  for (std::size_t c = 0; c < count; ++c) {
    std::vector<double> control(knots.size() + 2 * k);
    for (std::size_t j = 0; j < control.size(); ++j)
      control[j] = columns[c].front() + solution[(std::clamp(j, k, intervals + k) - k) * count + c];
    if (through) {  // of all points, the ends are met exactly
      std::fill_n(control.begin(), k + 1, columns[c].front());
      std::fill_n(control.rbegin(), k + 1, columns[c].back());
    }
    if (!std::all_of(control.begin(), control.end(), [](double x) { return std::isfinite(x); }))
      throw InputError("the times are too uneven for a spline");
    splines.emplace_back(knots, k, std::move(control));
  }
  return splines;
}

}  // namespace invar
