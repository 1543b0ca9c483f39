// See articulated.h. Spatial vectors have an angular and a linear part at the origin of the link. Zeros of axes, of
// places and of what elimination leaves fold away when the formulas are made.
#include "invar/system/articulated.h"

#include <algorithm>

#include "invar/expr/vec.h"

namespace invar {

namespace {

struct Spatial {
  Vec angular = {0.0, 0.0, 0.0}, linear = {0.0, 0.0, 0.0};
};

Spatial operator+(const Spatial& x, const Spatial& y) { return {x.angular + y.angular, x.linear + y.linear}; }

// torque = rotary α + coupling a,   force = couplingᵀ α + linear a;   rotary and linear are symmetric.
struct ArticulatedInertia {
  Rows rotary, coupling, linear;
};

Vec as_vec(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }

Rows as_rows(const Eigen::Matrix3d& m) { return {as_vec(m.row(0)), as_vec(m.row(1)), as_vec(m.row(2))}; }

Rows transposed(const Rows& m) {
  Rows t;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) t[i][j] = m[j][i];
  return t;
}

Rows operator+(const Rows& x, const Rows& y) { return {x[0] + y[0], x[1] + y[1], x[2] + y[2]}; }

Spatial product(const ArticulatedInertia& inertia, const Spatial& x) {
  return {times(inertia.rotary, x.angular) + times(inertia.coupling, x.linear),
          times(transposed(inertia.coupling), x.angular) + times(inertia.linear, x.linear)};
}

// From axes of a link to those of its parent and back: by the turn of the joint, then by constant axes.
class Turning {
 public:
  Turning(const TreeLink& link, const Expr& displacement)
      : k_(static_cast<std::size_t>(link.axis)),
        turns_(link.turn != 0.0),
        tilted_(link.axes != Eigen::Matrix3d::Identity()),
        axes_(as_rows(link.axes)) {
    if (!turns_) return;
    c_ = cos(link.turn * displacement);
    s_ = sin(link.turn * displacement);
  }

  Vec outward(const Vec& x) const {
    const Vec y = tilted_ ? times(transposed(axes_), x) : x;
    return turns_ ? rotated(y, -s_) : y;
  }
  Vec inward(const Vec& x) const {
    const Vec y = turns_ ? rotated(x, s_) : x;
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
  // R m Rᵀ; of the part across the axis the trace and the difference of the sides stay.
  Rows rotated(const Rows& m) const {
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
};

// One link in the passes of the algorithm.
class ArticulatedLink {
 public:
  ArticulatedLink(const TreeLink& link, const Expr& q, const Expr& v, const Spatial& parent_velocity)
      : link_(link), k_(static_cast<std::size_t>(link.axis)), turning_(link, q - link.zero) {
    origin_ = as_vec(link.origin);
    if (link.slide != 0.0) origin_ = origin_ + (link.slide * (q - link.zero)) * as_vec(link.axes.col(link.axis));
    velocity = outward(parent_velocity);
    const Expr turn = link.turn * v, slide = link.slide * v;
    velocity.angular[k_] += turn;
    velocity.linear[k_] += slide;
    Vec spin = {0.0, 0.0, 0.0}, glide = spin;
    spin[k_] = turn;
    glide[k_] = slide;
    bias_ = {cross(velocity.angular, spin), cross(velocity.linear, spin) + cross(velocity.angular, glide)};
    const Vec moment = as_vec(link.moment);
    inertia = {as_rows(link.inertia), skew(moment), as_rows(link.mass * Eigen::Matrix3d::Identity())};
    force = momentum_change(moment);
  }

  // Eliminates the freedom; returns nothing to the ground.
  void eliminate(const Expr& tau) {
    for (std::size_t c = 0; c < 3; ++c) {
      u_.angular[c] = link_.turn * inertia.rotary[c][k_] + link_.slide * inertia.coupling[c][k_];
      u_.linear[c] = link_.turn * inertia.coupling[k_][c] + link_.slide * inertia.linear[c][k_];
    }
    reciprocal_ = 1.0 / along(u_);
    left_ = tau - along(force);
  }

  // What the parent feels, once the freedom is eliminated.
  void hand_inward(ArticulatedInertia& to, Spatial& force_on_parent) const {
    const ArticulatedInertia rest = without_freedom();
    const Expr share = reciprocal_ * left_;
    const Spatial felt = force + product(rest, bias_) + Spatial{share * u_.angular, share * u_.linear};
    const Vec angular = turning_.inward(felt.angular), linear = turning_.inward(felt.linear);
    force_on_parent = force_on_parent + Spatial{angular + cross(origin_, linear), linear};
    add_shifted({turning_.inward(rest.rotary), turning_.inward(rest.coupling), turning_.inward(rest.linear)}, to);
  }

  // μ'', and the acceleration of the link.
  Expr accelerate(const Spatial& parent, Spatial& own) const {
    own = outward(parent) + bias_;
    const Expr a = reciprocal_ * (left_ - dot(u_.angular, own.angular) - dot(u_.linear, own.linear));
    own.angular[k_] += link_.turn * a;
    own.linear[k_] += link_.slide * a;
    return a;
  }

  Spatial velocity, force;
  ArticulatedInertia inertia;

 private:
  Spatial outward(const Spatial& x) const {
    return {turning_.outward(x.angular), turning_.outward(x.linear + cross(x.angular, origin_))};
  }

  Expr along(const Spatial& x) const { return link_.turn * x.angular[k_] + link_.slide * x.linear[k_]; }

  // v ×* I v of the bodies on the link.
  Spatial momentum_change(const Vec& moment) const {
    const Vec &w = velocity.angular, &v = velocity.linear;
    const Vec carried = cross(w, moment);
    const Vec spin = times(as_rows(link_.inertia), w) + cross(moment, v);
    return {cross(w, spin) + cross(v, carried), cross(w, link_.mass * v + carried)};
  }

  // I_A - U Uᵀ/D, in which what the joint cannot transmit is zero by itself.
  ArticulatedInertia without_freedom() const {
    ArticulatedInertia rest = inertia;
    const Spatial part = {reciprocal_ * u_.angular, reciprocal_ * u_.linear};
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) {
        rest.coupling[a][b] = inertia.coupling[a][b] - part.angular[a] * u_.linear[b];
        if (b < a) continue;
        rest.rotary[a][b] = rest.rotary[b][a] = inertia.rotary[a][b] - part.angular[a] * u_.angular[b];
        rest.linear[a][b] = rest.linear[b][a] = inertia.linear[a][b] - part.linear[a] * u_.linear[b];
      }
    for (std::size_t c = 0; c < 3; ++c) {
      if (link_.slide == 0.0) rest.rotary[k_][c] = rest.rotary[c][k_] = rest.coupling[k_][c] = 0.0;
      if (link_.turn == 0.0) rest.linear[k_][c] = rest.linear[c][k_] = rest.coupling[c][k_] = 0.0;
    }
    return rest;
  }

  // Adds an inertia about the origin of the link to one about that of the parent:
  // H + [r]× M and J + [r]× Hᵀ + (H + [r]× M) [r]×ᵀ.
  void add_shifted(const ArticulatedInertia& x, ArticulatedInertia& to) const {
    const Rows r = skew(origin_);
    const Rows coupling = x.coupling + times(r, x.linear);
    to.coupling = to.coupling + coupling;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = a; b < 3; ++b) {
        to.linear[a][b] = to.linear[b][a] = to.linear[a][b] + x.linear[a][b];
        to.rotary[a][b] = to.rotary[b][a] =
            to.rotary[a][b] + (x.rotary[a][b] + dot(r[a], x.coupling[b]) + dot(coupling[a], r[b]));
      }
  }

  const TreeLink& link_;
  std::size_t k_;
  Turning turning_;
  Vec origin_;
  Spatial bias_;
  Spatial u_;               // U
  Expr reciprocal_, left_;  // 1/D and u
};

}  // namespace

Exprs articulated_accelerations(const JointTree& tree, const Exprs& q, const Exprs& v, const Exprs& force) {
  std::vector<ArticulatedLink> links;
  links.reserve(tree.links.size());
  for (const TreeLink& link : tree.links)
    links.emplace_back(link, q[link.coordinate], v[link.coordinate],
                       link.parent < 0 ? Spatial{} : links[static_cast<std::size_t>(link.parent)].velocity);
  for (std::size_t i = links.size(); i-- > 0;) {
    links[i].eliminate(force[tree.links[i].coordinate]);
    if (tree.links[i].parent < 0) continue;
    ArticulatedLink& parent = links[static_cast<std::size_t>(tree.links[i].parent)];
    links[i].hand_inward(parent.inertia, parent.force);
  }
  Spatial ground;
  ground.linear = as_vec(-tree.gravity);
  std::vector<Spatial> acceleration(links.size());
  Exprs result(q.size(), 0.0);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const int parent = tree.links[i].parent;
    result[tree.links[i].coordinate] =
        links[i].accelerate(parent < 0 ? ground : acceleration[static_cast<std::size_t>(parent)], acceleration[i]);
  }
  return result;
}

Exprs tree_accelerations(const System& system, const Equations& e) {
  if (!system.tree) return {};
  const JointTree& tree = *system.tree;
  if (tree.links.size() != e.q.size() || tree.kinetic != system.kinetic || tree.potential != system.potential)
    return {};
  Exprs force = gradient(tree.other_potential, e.q);
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = e.applied[i] - force[i] - e.reaction[i];
  return articulated_accelerations(tree, e.q, e.v, force);
}

}  // namespace invar
