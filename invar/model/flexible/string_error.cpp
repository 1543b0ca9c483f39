// See string_error.h.
#include "invar/model/flexible/string_error.h"

#include <algorithm>
#include <limits>

#include "invar/model/flexible/recovered_force.h"

namespace invar {

double StringError::operator()(std::span<const double> values) const {
  constexpr double slack = 0.05;  // of the largest tension
  const std::size_t points = mesh_.nodes_per_element() - 1;
  const double scale = values.front();
  const auto place = [&](std::size_t node) {
    return Vector3(values[3 * node + 1], values[3 * node + 2], values[3 * node + 3]);
  };
  const std::span<const double> tension = values.subspan(1 + 3 * mesh_.nodes().size());
  const double soft = stiffness_ ? 1.0 / *stiffness_ : 0.0;
  std::vector<RecoveredForce::At> forces;
  double largest = 0.0, least = std::numeric_limits<double>::infinity();
  for (const MemberElement& element : mesh_.elements())
    for (const ShapePoint& at : mesh_.strain_points(element)) {
      Vector3 slope = Vector3::Zero();
      for (std::size_t a = 0; a <= points; ++a) slope += at.slope[a] * place(element.first + a);
      const double n = stiffness_ ? *stiffness_ * (slope.norm() / scale - 1.0) : tension[forces.size()];
      forces.push_back({at.s, n * slope.stableNormalized()});
      largest = std::max(largest, n);
      least = std::min(least, n);
    }
  if (!(least > slack * largest)) return 0.0;
  std::vector<LineSegment> segments;
  for (std::size_t e = 0; e < mesh_.elements().size(); ++e) {
    const MemberElement& element = mesh_.elements()[e];
    const RecoveredForce force(forces, e * points, points);
    LineSegment segment{Matrix::Identity(6, 6), Vector::Zero(6)};
    Vector3 way = place(element.first + points) - place(element.first);
    for (const ShapePoint& at : mesh_.mass_points(element)) {
      const Vector3 n = force(at.s);
      const double size = n.norm(), weight = scale * at.weight;
      const Vector3 along = n / size;
      way -= weight * (1.0 + soft * size) * along;
      const Matrix3 one = Matrix3::Identity(), axial = along * along.transpose();
      segment.transfer.topRightCorner<3, 3>() += weight * ((1.0 / size + soft) * (one - axial) + soft * axial);
    }
    segment.defect.head<3>() = way;
    segments.push_back(std::move(segment));
  }
  return line_displacement(segments, first_, last_);
}

}  // namespace invar
