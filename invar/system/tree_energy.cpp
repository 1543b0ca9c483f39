// See tree_energy.h. Energies do not depend on axes: what a turn leaves alone is computed before it, so that no formula
// contains a coordinate on which it does not depend.
#include "invar/system/tree_energy.h"

#include <cmath>

#include "invar/system/tree_motion.h"

namespace invar {

namespace {

constexpr double shift_noise = 1e-14;  // of moments, from their shift to the centre

bool is_on_axis(const Eigen::Vector3d& x, int axis) { return x[(axis + 1) % 3] == 0.0 && x[(axis + 2) % 3] == 0.0; }

// Does a turn about this axis leave it as it is?
bool is_round(const Eigen::Matrix3d& inertia, int axis) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  const double small = shift_noise * inertia.cwiseAbs().maxCoeff();
  return std::abs(inertia(i, i) - inertia(j, j)) <= small && std::abs(inertia(i, j)) <= small &&
         std::abs(inertia(axis, i)) <= small && std::abs(inertia(axis, j)) <= small;
}

class TreeEnergy {
 public:
  TreeEnergy(const JointTree& tree, const Exprs& q, const Exprs& v) : tree_(tree), v_(v) {
    motion_.reserve(tree.links.size());
    for (const TreeLink& link : tree.links) {
      motion_.emplace_back(link, q);
      velocity_.push_back(motion_.back().velocity(velocity_of(link.parent), v));
    }
  }

  Expr operator()() const {
    Expr sum = 0.0;
    for (std::size_t i = 0; i < tree_.links.size(); ++i) {
      const TreeLink& link = tree_.links[i];
      if (link.mass == 0.0 && link.inertia.isZero(0.0)) continue;
      const Eigen::Vector3d centre = link.mass > 0.0 ? Eigen::Vector3d(link.moment / link.mass) : link.moment;
      sum += 0.5 * link.mass * speed_squared(static_cast<int>(i), centre);
      sum += spin_energy(i, about_centre(link, centre));
    }
    return sum;
  }

 private:
  Spatial velocity_of(int link) const { return link < 0 ? Spatial{} : velocity_[static_cast<std::size_t>(link)]; }

  static Eigen::Matrix3d about_centre(const TreeLink& link, const Eigen::Vector3d& c) {
    Eigen::Matrix3d inertia =
        link.inertia - link.mass * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
    const double small = shift_noise * link.inertia.cwiseAbs().maxCoeff();
    return (inertia.array().abs() <= small).select(0.0, inertia);
  }

  // A point on the axis of a turn does not notice it, nor does the centre of a ball.
  Expr speed_squared(int link, Eigen::Vector3d point) const {
    while (link >= 0) {
      const TreeLink& l = tree_.links[static_cast<std::size_t>(link)];
      if (l.slide != 0.0 || !is_on_axis(point, l.axis) || (l.ball && !point.isZero(0.0))) break;
      point = l.origin + l.axes * point;
      link = l.parent;
    }
    const Spatial x = velocity_of(link);
    const Vec v = x.linear + cross(x.angular, as_vec(point));
    return dot(v, v);
  }

  Expr spin_energy(std::size_t i, const Eigen::Matrix3d& inertia) const {
    const TreeLink& link = tree_.links[i];
    const auto k = static_cast<std::size_t>(link.axis);
    Vec w = velocity_[i].angular;
    if (link.turn != 0.0 && !link.ball && is_round(inertia, link.axis)) {
      w = times(transposed(as_rows(link.axes)), velocity_of(link.parent).angular);
      w[k] += link.turn * v_[link.coordinate];
    }
    Expr sum = 0.0;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = a; b < 3; ++b)
        sum += (a == b ? 0.5 : 1.0) * inertia(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) * w[a] * w[b];
    return sum;
  }

  const JointTree& tree_;
  const Exprs& v_;
  std::vector<LinkMotion> motion_;
  std::vector<Spatial> velocity_;
};

}  // namespace

Expr tree_kinetic(const JointTree& tree, const Exprs& q, const Exprs& v) { return TreeEnergy(tree, q, v)(); }

Expr tree_potential(const JointTree& tree, const Exprs& q) {
  if (tree.gravity.isZero(0.0)) return 0.0;
  // Gravity in axes of the link, and g·x of its origin.
  struct Place {
    Vec gravity;
    Expr depth;
  };
  std::vector<Place> places;
  Expr sum = 0.0;
  for (const TreeLink& link : tree.links) {
    const Place from =
        link.parent < 0 ? Place{as_vec(tree.gravity), 0.0} : places[static_cast<std::size_t>(link.parent)];
    const LinkMotion motion(link, q);
    places.push_back({motion.turning().outward(from.gravity), from.depth + dot(from.gravity, motion.origin())});
    sum -= link.mass * places.back().depth + dot(places.back().gravity, as_vec(link.moment));
  }
  return sum;
}

}  // namespace invar
