// See centre_line.h.
#include "invar/model/flexible/centre_line.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <memory>

#include "invar/base/error.h"

namespace invar {
namespace {

// Cubics x(u) with the lengths of the chords as knots: second derivatives m follow from a tridiagonal system.
class SplineLine {
 public:
  explicit SplineLine(const std::vector<Vector3>& points) : x_(points) {
    u_.push_back(0.0);
    for (std::size_t k = 1; k < points.size(); ++k) u_.push_back(u_.back() + (points[k] - points[k - 1]).norm());
    const auto n = static_cast<Eigen::Index>(points.size());
    Eigen::MatrixXd a = Eigen::MatrixXd::Identity(n, n), right = Eigen::MatrixXd::Zero(n, 3);
    for (Eigen::Index k = 1; k + 1 < n; ++k) {
      const double before = step(k - 1), after = step(k);
      a.block<1, 3>(k, k - 1) << before / 6.0, (before + after) / 3.0, after / 6.0;
      right.row(k) = (chord(k) / after - chord(k - 1) / before).transpose();
    }
    m_ = a.partialPivLu().solve(right);
    s_.push_back(0.0);
    for (std::size_t k = 0; k + 1 < u_.size(); ++k) s_.push_back(s_.back() + arc(k, u_[k + 1]));
  }

  double length() const { return s_.back(); }
  Vector3 place(double s) const {
    const auto [k, u] = find(s);
    const double h = u_[k + 1] - u_[k], left = u_[k + 1] - u, right = u - u_[k];
    const Vector3 m0 = moment(k), m1 = moment(k + 1);
    return m0 * (std::pow(left, 3) / (6.0 * h)) + m1 * (std::pow(right, 3) / (6.0 * h)) +
           (x_[k] / h - m0 * (h / 6.0)) * left + (x_[k + 1] / h - m1 * (h / 6.0)) * right;
  }
  Vector3 tangent(double s) const {
    const auto [k, u] = find(s);
    return rate(k, u).normalized();
  }

 private:
  struct Where {
    std::size_t piece;
    double u;
  };
  double step(Eigen::Index k) const { return u_[static_cast<std::size_t>(k) + 1] - u_[static_cast<std::size_t>(k)]; }
  Vector3 chord(Eigen::Index k) const { return x_[static_cast<std::size_t>(k) + 1] - x_[static_cast<std::size_t>(k)]; }
  Vector3 moment(std::size_t k) const { return m_.row(static_cast<Eigen::Index>(k)).transpose(); }
  Vector3 rate(std::size_t k, double u) const {
    const double h = u_[k + 1] - u_[k], left = u_[k + 1] - u, right = u - u_[k];
    const Vector3 m0 = moment(k), m1 = moment(k + 1);
    return m1 * (right * right / (2.0 * h)) - m0 * (left * left / (2.0 * h)) + (x_[k + 1] - x_[k]) / h -
           (m1 - m0) * (h / 6.0);
  }
  // From the beginning of a piece to u: Simpson's rule on many parts.
  double arc(std::size_t k, double u) const {
    constexpr int parts = 64;
    const double h = (u - u_[k]) / parts;
    double sum = 0.0;
    for (int i = 0; i < parts; ++i) {
      const double at = u_[k] + h * i;
      sum += h / 6.0 * (rate(k, at).norm() + 4.0 * rate(k, at + 0.5 * h).norm() + rate(k, at + h).norm());
    }
    return sum;
  }
  // The place at arc length s, by Newton's method on a monotonous function.
  Where find(double s) const {
    const auto after = std::upper_bound(s_.begin() + 1, s_.end() - 1, s);
    const auto k = static_cast<std::size_t>(after - s_.begin()) - 1;
    double u = u_[k] + (s - s_[k]) / (s_[k + 1] - s_[k]) * (u_[k + 1] - u_[k]);
    constexpr int steps = 20;
    for (int i = 0; i < steps; ++i) {
      const double change = (s - s_[k] - arc(k, u)) / rate(k, u).norm();
      u += change;
      if (std::abs(change) <= 1e-15 * u_.back()) break;
    }
    return {k, u};
  }

  std::vector<Vector3> x_;
  std::vector<double> u_, s_;
  Eigen::MatrixXd m_;
};

}  // namespace

CentreLine line_through(const std::vector<Vector3>& points) {
  expects(points.size() >= 2, "two points of a line");
  if (points.size() == 2) {
    const Vector3 from = points[0], along = (points[1] - points[0]).normalized();
    return {(points[1] - points[0]).norm(), [=](double s) { return Vector3(from + s * along); },
            [=](double) { return along; }};
  }
  const auto spline = std::make_shared<const SplineLine>(points);
  return {spline->length(), [spline](double s) { return spline->place(s); },
          [spline](double s) { return spline->tangent(s); }};
}

CentreLine arc_line(const Arc& arc) {
  const Vector3 t = arc.along.normalized(), n = (arc.towards - t.dot(arc.towards) * t).normalized();
  const double r = arc.radius;
  const Vector3 from = arc.from;
  return {r * arc.angle,
          [=](double s) { return Vector3(from + r * std::sin(s / r) * t + r * (1.0 - std::cos(s / r)) * n); },
          [=](double s) { return Vector3(std::cos(s / r) * t + std::sin(s / r) * n); }};
}

// With the parameter a, the horizontal distance d and the height h of the second point over the first:
// sqrt(length² − h²) = 2a sinh(d/2a). Along the string, x = a (asinh(s'/a) − asinh(s₀/a)) and z = sqrt(a² + s'²) − …
// with s' = s₀ + s counted from the lowest point.
CentreLine catenary_line(const Vector3& from, const Vector3& to, double length, const Vector3& down) {
  const Vector3 up = -down.normalized(), way = to - from;
  const double height = way.dot(up);
  const Vector3 across = way - height * up;
  const double distance = across.norm();
  if (!(length > way.norm())) throw InputError("is shorter than the distance of its ends");
  constexpr double folded = 1e-9;
  if (!(distance > folded * length))
    throw InputError("hangs folded between ends above each other; give more points, or a curve");
  // sinh(x)/x = ratio, x = d/2a: convex and monotonous, so that Newton's method from the right converges.
  const double ratio = std::sqrt(length * length - height * height) / distance;
  double x = std::max(std::sqrt(6.0 * (ratio - 1.0)), std::log(2.0 * ratio) + std::log(std::log(2.0 * ratio) + 2.0));
  constexpr int most = 100;
  for (int i = 0; i < most; ++i) {
    const double change = (std::sinh(x) - ratio * x) / (std::cosh(x) - ratio);
    x -= change;
    if (std::abs(change) <= 1e-15 * x) break;
  }
  const double a = distance / (2.0 * x);
  const double first = a * std::sinh(std::atanh(height / length) - x);  // s' at the first point
  const Vector3 level = across / distance;
  return {length,
          [=](double s) {
            const double at = first + s;
            return Vector3(from + a * (std::asinh(at / a) - std::asinh(first / a)) * level +
                           (std::hypot(a, at) - std::hypot(a, first)) * up);
          },
          [=](double s) {
            const double at = first + s;
            return Vector3((a * level + at * up) / std::hypot(a, at));
          }};
}

Matrix3 section_axes(const Vector3& tangent, const Vector3& normal, double twist) {
  constexpr double parallel = 1e-6;
  const Vector3 across = normal - tangent.dot(normal) * tangent;
  if (!(across.norm() > parallel * normal.norm())) throw InputError("\"normal\" is along the line");
  const Vector3 first = Eigen::AngleAxisd(twist, tangent) * across.normalized();
  Matrix3 axes;
  axes << first, tangent.cross(first), tangent;
  return axes;
}

}  // namespace invar
