// Motion along a tree of joints as formulas, from link to link; what the recursions over bodies share.
//
// Spatial vectors have an angular and a linear part at the origin of a link, in its axes.
#pragma once

#include <optional>

#include "invar/system/euler_parameters.h"
#include "invar/system/joint_tree.h"

namespace invar {

struct Spatial {
  Vec angular = {0.0, 0.0, 0.0}, linear = {0.0, 0.0, 0.0};
};

inline Spatial operator+(const Spatial& x, const Spatial& y) { return {x.angular + y.angular, x.linear + y.linear}; }

inline Vec as_vec(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }

inline Rows as_rows(const Eigen::Matrix3d& m) { return {as_vec(m.row(0)), as_vec(m.row(1)), as_vec(m.row(2))}; }

inline Rows transposed(const Rows& m) {
  Rows t;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) t[i][j] = m[j][i];
  return t;
}

// Of a ball, where its rotation vector has the sign of the link.
inline EulerParameters parameters_of(const TreeLink& link, const Exprs& x) {
  const std::size_t first = link.coordinate;
  return {x[first], link.turn * Vec{x[first + 1], x[first + 2], x[first + 3]}};
}

// From axes of a link to those of its parent and back: by the turn of the joint, then by constant axes.
class Turning {
 public:
  Turning(const TreeLink& link, const Exprs& q)
      : k_(static_cast<std::size_t>(link.axis)),
        turns_(link.turn != 0.0),
        tilted_(link.axes != Eigen::Matrix3d::Identity()),
        axes_(as_rows(link.axes)) {
    if (link.ball) {
      ball_ = rotation_of(parameters_of(link, q));
    } else if (turns_) {
      const Expr angle = link.turn * (q[link.coordinate] - link.zero);
      c_ = cos(angle);
      s_ = sin(angle);
    }
  }

  Vec outward(const Vec& x) const {
    const Vec y = tilted_ ? times(transposed(axes_), x) : x;
    if (ball_) return times(transposed(*ball_), y);
    return turns_ ? rotated(y, -s_) : y;
  }
  Vec inward(const Vec& x) const {
    const Vec y = ball_ ? times(*ball_, x) : turns_ ? rotated(x, s_) : x;
    return tilted_ ? times(axes_, y) : y;
  }
  Rows inward(const Rows& m) const {
    const Rows y = turns_ ? rotated(m) : m;
    return tilted_ ? times(axes_, times(y, transposed(axes_))) : y;
  }

 private:
  Vec rotated(const Vec& x, const Expr& s) const {
    Vec y = x;
    y[i_] = c_ * x[i_] - s * x[j_];
    y[j_] = s * x[i_] + c_ * x[j_];
    return y;
  }
  // R m Rᵀ; of the part across an axis the trace and the difference of the sides stay.
  Rows rotated(const Rows& m) const {
    if (ball_) return times(*ball_, times(m, transposed(*ball_)));
    const Expr cc = c_ * c_, cs = c_ * s_, ss = s_ * s_;
    Rows y = m;
    const Expr difference = m[i_][i_] - m[j_][j_], sum = m[i_][j_] + m[j_][i_];
    const Expr along = cc * difference - cs * sum, across = cs * difference - ss * sum;
    y[i_][i_] = m[j_][j_] + along;
    y[j_][j_] = m[i_][i_] - along;
    y[i_][j_] = m[i_][j_] + across;
    y[j_][i_] = m[j_][i_] + across;
    y[k_][i_] = c_ * m[k_][i_] - s_ * m[k_][j_];
    y[k_][j_] = s_ * m[k_][i_] + c_ * m[k_][j_];
    y[i_][k_] = c_ * m[i_][k_] - s_ * m[j_][k_];
    y[j_][k_] = s_ * m[i_][k_] + c_ * m[j_][k_];
    return y;
  }

  std::size_t k_, i_ = (k_ + 1) % 3, j_ = (k_ + 2) % 3;
  bool turns_, tilted_;
  Rows axes_;
  Expr c_ = 1.0, s_ = 0.0;
  std::optional<Rows> ball_;
};

// How a link moves against its parent.
class LinkMotion {
 public:
  LinkMotion(const TreeLink& link, const Exprs& q) : link_(&link), turning_(link, q) {
    origin_ = as_vec(link.origin);
    if (link.slide != 0.0)
      origin_ = origin_ + (link.slide * (q[link.coordinate] - link.zero)) * as_vec(link.axes.col(link.axis));
    if (link.ball) parameters_ = parameters_of(link, q);
  }

  const Turning& turning() const { return turning_; }
  const Vec& origin() const { return origin_; }  // in axes of the parent

  // A velocity or an acceleration of the parent, as the link has it.
  Spatial outward(const Spatial& x) const {
    return {turning_.outward(x.angular), turning_.outward(x.linear + cross(x.angular, origin_))};
  }
  // Against the parent, and on the whole.
  Spatial own_velocity(const Exprs& v) const {
    if (link_->ball) return {spin_of(parameters_, parameters_of(*link_, v)), {0.0, 0.0, 0.0}};
    const auto k = static_cast<std::size_t>(link_->axis);
    Spatial own;
    own.angular[k] = link_->turn * v[link_->coordinate];
    own.linear[k] = link_->slide * v[link_->coordinate];
    return own;
  }
  Spatial velocity(const Spatial& parent, const Exprs& v) const { return outward(parent) + own_velocity(v); }

  // Of a ball.
  const EulerParameters& parameters() const { return parameters_; }

 private:
  const TreeLink* link_;
  Turning turning_;
  Vec origin_;
  EulerParameters parameters_;
};

}  // namespace invar
