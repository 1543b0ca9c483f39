// See grow_tree.h.
#include "invar/model/mechanism/grow_tree.h"

#include <Eigen/Geometry>
#include <limits>

#include "invar/base/error.h"
#include "invar/model/mechanism/joint_equations.h"

namespace invar {

namespace {

// Noise of rotations that should give zeros, which formulas then need not carry.
template <class Any>
Any without_noise(const Any& x) {
  const double least = 8.0 * std::numeric_limits<double>::epsilon() * x.cwiseAbs().maxCoeff();
  return (x.array().abs() < least).select(0.0, x);
}

// The column along ±n: its number and the sign. No sign: there is none.
struct Along {
  int axis = 2;
  double sign = 0.0;
};
Along column_along(const Matrix3& axes, const Vector3& n) {
  for (int k = 0; k < 3; ++k)
    for (const double sign : {1.0, -1.0})
      if (axes.col(k) == sign * n) return {k, sign};
  return {};
}

}  // namespace

TreeGrowth::Carrier TreeGrowth::moved(const Carrier& from, const Matrix3& held, const JointMove& move) {
  if (move.ball) return turned_freely(from, held, move);
  const Vector3 n = move.axis.normalized();
  Matrix3 axes = held.isIdentity(0.0) ? from.axes : Matrix3(Matrix3::Identity());
  Along along = column_along(axes, n);
  if (along.sign == 0.0) {
    axes = Matrix3::Identity();
    along = column_along(axes, n);
  }
  if (along.sign == 0.0) {
    const std::array<Vector3, 3> around = triad(n);
    for (int k = 0; k < 3; ++k) axes.col(k) = around[static_cast<std::size_t>(k)];
    along = {2, axes.col(2).dot(n) > 0.0 ? 1.0 : -1.0};
  }
  const Carrier to = {static_cast<int>(links_.size()), axes, move.turn != 0.0 ? move.point : from.origin};
  TreeLink link;
  link.parent = from.link;
  link.coordinate = *move.coordinate;
  link.zero = move.zero;
  link.axis = along.axis;
  link.turn = along.sign * move.turn;
  link.slide = along.sign * move.slide;
  link.origin = without_noise(Vector3(from.axes.transpose() * (to.origin - from.origin)));
  link.axes = without_noise(Matrix3(from.axes.transpose() * held * axes));
  links_.push_back(link);
  return to;
}

// Euler parameters count from axes of the world.
TreeGrowth::Carrier TreeGrowth::turned_freely(const Carrier& from, const Matrix3& held, const JointMove& move) {
  const Carrier to = {static_cast<int>(links_.size()), Matrix3::Identity(), move.point};
  TreeLink link;
  link.parent = from.link;
  link.ball = true;
  link.coordinate = *move.coordinate;
  link.turn = move.turn;
  link.origin = without_noise(Vector3(from.axes.transpose() * (to.origin - from.origin)));
  link.axes = without_noise(Matrix3(from.axes.transpose() * held));
  links_.push_back(link);
  return to;
}

void TreeGrowth::add(const Mechanism& mechanism, int body, int parent, const std::vector<JointMove>& moves) {
  Carrier carrier = parent == ground ? Carrier{} : carrier_[static_cast<std::size_t>(parent)];
  Matrix3 held = Matrix3::Identity();  // constant turns, which the next move begins with
  for (const JointMove& move : moves) {
    if (!move.coordinate) {
      held = held * Eigen::AngleAxisd(move.turn, move.axis).toRotationMatrix();
      continue;
    }
    carrier = moved(carrier, held, move);
    held.setIdentity();
  }
  expects(held.isIdentity(0.0), "a constant turn is followed by moves about the same point");
  carrier_[static_cast<std::size_t>(body)] = carrier;
  if (carrier.link < 0) return;

  const Body& b = mechanism.bodies[static_cast<std::size_t>(body)];
  Matrix3 inertia = b.point ? Matrix3(Matrix3::Zero()) : b.inertia;
  if (mechanism.dimension == 2) inertia = Matrix3(Vector3(0.0, 0.0, inertia(2, 2)).asDiagonal());
  const Matrix3 turned = carrier.axes.transpose() * b.rotation;
  const Vector3 centre = without_noise(Vector3(carrier.axes.transpose() * (b.position - carrier.origin)));
  TreeLink& link = links_[static_cast<std::size_t>(carrier.link)];
  link.mass += b.mass;
  link.moment += b.mass * centre;
  link.inertia += without_noise(Matrix3(turned * inertia * turned.transpose())) +
                  b.mass * (centre.squaredNorm() * Matrix3::Identity() - centre * centre.transpose());
}

std::vector<int> TreeGrowth::carriers() const {
  std::vector<int> links;
  for (const Carrier& carrier : carrier_) links.push_back(carrier.link);
  return links;
}

}  // namespace invar
