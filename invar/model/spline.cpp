// Splines through points, at rest at both ends, in B-spline form.
//
// With the end knots repeated 2k+2 times, k derivatives vanish at an end exactly if the first k+1 control points are equal;
// the others solve a banded, totally positive system, for which elimination needs no pivots. Derivatives are B-splines of
// the differences of the control points [C. de Boor, A Practical Guide to Splines, 1978, ch. X and XIII].
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "invar/expr/error.h"
#include "invar/model/profile.h"

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

class Spline final : public TimeFunction {
 public:
  Spline(std::vector<double> times, std::span<const double> values, std::size_t k)
      : k_(k), times_(std::move(times)), intervals_(times_.size() - 1) {
    const std::size_t p = degree();
    knots_.assign(p, times_.front());
    knots_.insert(knots_.end(), times_.begin(), times_.end());
    knots_.insert(knots_.end(), p, times_.back());
    control_.assign(intervals_ + p, values.front());
    std::fill(control_.end() - static_cast<std::ptrdiff_t>(k_ + 1), control_.end(), values.back());
    solve(values);
    if (!std::all_of(control_.begin(), control_.end(), [](double x) { return std::isfinite(x); }))
      throw InputError("the times are too uneven for a spline");
  }

  void series(double t, Side side, std::span<double> out) const override {
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

  std::vector<double> knots() const override { return times_; }
  int smoothness() const override { return static_cast<int>(k_); }
  std::string describe() const override {
    return "spline of degree " + std::to_string(degree()) + " through " + std::to_string(times_.size()) + " points";
  }

 private:
  std::size_t degree() const { return 2 * k_ + 1; }

  void inside(std::size_t interval, double t, std::span<double> out) const {
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

  // One equation for each inner point i: Σ_j B_j(t_i) c_j = y_i with j = i … i+2k, of which c_{i+k} is the middle one.
  void solve(std::span<const double> values) {
    const std::size_t p = degree(), width = 2 * k_ + 1, rows = intervals_ - 1;
    std::vector<double> band(rows * width), rhs(rows);
    const auto at = [&](std::size_t row, std::size_t column) -> double& {
      return band[row * width + column + k_ - row];
    };
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t i = row + 1;
      Points b{};
      basis(knots_.data() + p + i, p, times_[i], b);
      rhs[row] = values[i];
      for (std::size_t j = 0; j < width; ++j) {  // control point i + j
        const bool given = i + j <= k_ || i + j >= intervals_ + k_;
        if (given)
          rhs[row] -= b[j] * control_[i + j];
        else
          band[row * width + j] = b[j];
      }
    }
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t r = i + 1; r < std::min(i + k_ + 1, rows); ++r) {
        const double factor = at(r, i) / at(i, i);
        for (std::size_t c = i; c < std::min(i + k_ + 1, rows); ++c) at(r, c) -= factor * at(i, c);
        rhs[r] -= factor * rhs[i];
      }
    for (std::size_t i = rows; i-- > 0;) {
      for (std::size_t c = i + 1; c < std::min(i + k_ + 1, rows); ++c) rhs[i] -= at(i, c) * rhs[c];
      rhs[i] /= at(i, i);
      control_[k_ + 1 + i] = rhs[i];
    }
  }

  std::size_t k_;
  std::vector<double> times_;
  std::size_t intervals_;
  std::vector<double> knots_, control_;
};

}  // namespace

TimeFunctionPtr spline(std::vector<double> times, std::span<const double> values, int smoothness) {
  expects(smoothness >= 1 && smoothness <= highest_smoothness, "a smoothness that splines have");
  expects(times.size() >= 2 && times.size() == values.size(), "a value for each of at least two times");
  expects(std::is_sorted(times.begin(), times.end(), std::less_equal<>()), "ascending times");
  return std::make_shared<Spline>(std::move(times), values, static_cast<std::size_t>(smoothness));
}

}  // namespace invar
