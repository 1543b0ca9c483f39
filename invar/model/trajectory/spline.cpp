// Splines through points, at rest at both ends.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "invar/base/error.h"
#include "invar/model/trajectory/profile.h"
#include "invar/model/trajectory/rest_spline.h"

namespace invar {
namespace {

class ThroughPoints final : public TimeFunction {
 public:
  explicit ThroughPoints(RestSpline spline, int smoothness) : spline_(std::move(spline)), smoothness_(smoothness) {}

  void series(double t, Side side, std::span<double> out) const override { spline_.series(t, side, out); }
  std::vector<double> knots() const override { return spline_.knots(); }
  int smoothness() const override { return smoothness_; }
  std::string describe() const override {
    return "spline of degree " + std::to_string(spline_.degree()) + " through " +
           std::to_string(spline_.knots().size()) + " points";
  }

 private:
  RestSpline spline_;
  int smoothness_;
};

}  // namespace

TimeFunctionPtr spline(std::vector<double> times, std::span<const double> values, int smoothness) {
  expects(smoothness >= 1 && smoothness <= highest_smoothness, "a smoothness that splines have");
  expects(times.size() >= 2 && times.size() == values.size(), "a value for each of at least two times");
  expects(std::is_sorted(times.begin(), times.end(), std::less_equal<>()), "ascending times");
  std::vector<RestSpline> found =
      nearest_splines(times, static_cast<std::size_t>(smoothness), times, {{values.begin(), values.end()}});
  return std::make_shared<ThroughPoints>(std::move(found.front()), smoothness);
}

}  // namespace invar
