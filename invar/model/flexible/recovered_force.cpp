// See recovered_force.h.
#include "invar/model/flexible/recovered_force.h"

namespace invar {

RecoveredForce::RecoveredForce(const std::vector<At>& all, std::size_t first, std::size_t own) {
  const auto add = [this](const At& point) {
    Vector3 rest = point.force - (*this)(point.s);
    for (const double s : places_) rest /= point.s - s;
    return rest;
  };
  for (std::size_t k = first; k < first + own; ++k) {
    const Vector3 c = add(all[k]);
    places_.push_back(all[k].s);
    coefficients_.push_back(c);
  }
  const bool left = first > 0, right = first + own < all.size();
  if (!left && !right) return;
  const Vector3 from_left = left ? add(all[first - 1]) : Vector3::Zero(),
                from_right = right ? add(all[first + own]) : Vector3::Zero();
  const bool take_left = left && (!right || from_left.norm() < from_right.norm());
  places_.push_back(all[take_left ? first - 1 : first + own].s);
  coefficients_.push_back(take_left ? from_left : from_right);
}

Vector3 RecoveredForce::operator()(double s) const {
  Vector3 sum = Vector3::Zero();
  for (std::size_t k = coefficients_.size(); k-- > 0;) sum = coefficients_[k] + (s - places_[k]) * sum;
  return sum;
}

}  // namespace invar
