// See null_space.h.
#include "invar/model/mechanism/null_space.h"

#include <algorithm>
#include <deque>

#include "invar/model/mechanism/displacement.h"
#include "invar/model/mechanism/joint_equations.h"

namespace invar {

namespace {

struct Twist {
  Vec v = {0.0, 0.0, 0.0}, omega = {0.0, 0.0, 0.0};
};

bool is_zero(const Vec& x) {
  return std::all_of(x.begin(), x.end(), [](const Expr& e) { return e.is_constant(0.0); });
}

class Chain {
 public:
  Chain(const Mechanism& m, const Assembly& a)
      : m_(m), a_(a), twist_(m.bodies.size()), moved_(m.bodies.size()), placed_(m.bodies.size()) {
    grow(ground);
    for (std::size_t k = 0; k < m.bodies.size(); ++k)
      if (!placed_[k]) {
        free(k);
        grow(static_cast<int>(k));
      }
  }

  // Joints of the tree; the others close loops.
  std::size_t joints() const { return joints_; }
  Exprs increments() const { return increments_; }

  Exprs image() const {
    Exprs q = positions(a_.system);
    for (std::size_t k = 0; k < moved_.size(); ++k) {
      const RigidBody& rigid = a_.system.bodies[k];
      const auto n = static_cast<std::size_t>(rigid.dimension);
      for (std::size_t i = 0; i < rigid.size() / n; ++i) {
        const Vec x = i == 0 ? moved_[k].point(a_.frames[k].position) : moved_[k].direction(a_.frames[k].d[i - 1]);
        for (std::size_t c = 0; c < n; ++c) q[rigid.first + n * i + c] = x[c];
      }
    }
    for (const auto& [variable, increment] : named_)
      for (std::size_t i = 0; i < q.size(); ++i)
        if (a_.system.coordinates[i] == variable) q[i] += increment;
    return q;
  }

  std::vector<Exprs> columns() const {
    std::vector<Exprs> all(increments_.size(), Exprs(a_.system.coordinates.size(), 0.0));
    for (std::size_t k = 0; k < twist_.size(); ++k) {
      const RigidBody& rigid = a_.system.bodies[k];
      const auto n = static_cast<std::size_t>(rigid.dimension);
      for (std::size_t column = 0; column < twist_[k].size(); ++column) {
        const Twist& t = twist_[k][column];
        for (std::size_t i = 0; i < rigid.size() / n; ++i) {
          const Vec rate = i == 0 ? t.v : cross(t.omega, a_.frames[k].d[i - 1]);
          for (std::size_t c = 0; c < n; ++c) all[column][rigid.first + n * i + c] = rate[c];
        }
      }
    }
    return all;
  }

 private:
  Frame frame(int k) const { return k == ground ? ground_frame() : a_.frames[static_cast<std::size_t>(k)]; }
  const Body* body(int k) const { return k == ground ? nullptr : &m_.bodies[static_cast<std::size_t>(k)]; }

  void free(std::size_t k) {
    placed_[k] = true;
    auto& list = twist_[k];
    list.resize(increments_.size());
    Vec by = {0.0, 0.0, 0.0}, about = {0.0, 0.0, 0.0};
    auto add = [&](const Twist& t) {
      list.push_back(t);
      return increment();
    };
    const auto n = static_cast<std::size_t>(m_.dimension);
    for (std::size_t c = 0; c < n; ++c) {
      Twist t;
      t.v[c] = 1.0;
      by[c] = add(t);
    }
    for (std::size_t c = n == 2 ? 2 : 0; c < 3 && !m_.bodies[k].point; ++c) {
      Twist t;
      t.omega[c] = 1.0;
      about[c] = add(t);
    }
    moved_[k] = after(shift(by), turn(a_.frames[k].position, about));
  }

  Expr increment() {
    increments_.push_back(m_.graph.parameter("step of freedom " + std::to_string(increments_.size() + 1)));
    return increments_.back();
  }

  void grow(int root) {
    std::deque<int> next = {root};
    while (!next.empty()) {
      const int parent = next.front();
      next.pop_front();
      for (const Joint& joint : m_.joints) {
        if (joint.a != parent && joint.b != parent) continue;
        const int child = joint.a == parent ? joint.b : joint.a;
        if (child == ground || placed_[static_cast<std::size_t>(child)]) continue;
        placed_[static_cast<std::size_t>(child)] = true;
        ++joints_;
        hang(joint, parent, child);
        next.push_back(child);
      }
    }
  }

  // The child moves with its parent, and as the joint allows relative to it.
  void hang(const Joint& joint, int parent, int child) {
    const Frame a = frame(joint.a), b = frame(joint.b);
    const JointFrames j = joint_frames(joint, a, b, body(joint.a), body(joint.b));
    const bool slides =
        joint.kind == JointKind::prismatic || joint.kind == JointKind::cylindrical || joint.kind == JointKind::planar;
    const Vec at_parent = joint.a == parent ? j.at_a : j.at_b, at_child = joint.a == parent ? j.at_b : j.at_a;
    const Vec child_centre = frame(child).position, parent_centre = frame(parent).position;
    auto& list = twist_[static_cast<std::size_t>(child)];
    list.resize(increments_.size());
    // What the guide carries turns with the joint's first body; hung the other way round, the guide is the child's own.
    const Vec gap = at_child - at_parent;
    if (parent != ground)
      for (std::size_t column = 0; column < twist_[static_cast<std::size_t>(parent)].size(); ++column) {
        const Twist& t = twist_[static_cast<std::size_t>(parent)][column];
        if (is_zero(t.v) && is_zero(t.omega)) continue;
        Vec arm = at_parent - parent_centre - (at_child - child_centre);
        if (slides) arm = arm + gap;
        list[column] = {t.v + cross(t.omega, arm), t.omega};
      }
    const double sign = joint.a == parent ? 1.0 : -1.0;
    auto turning = [&](const Vec& axis) {
      const Vec omega = sign * axis;
      // The joint's point stays; with a guide on the child it is the parent's point that stays.
      Vec arm = child_centre - at_child;
      if (slides && joint.a != parent) arm = child_centre - at_parent;
      list.push_back({cross(omega, arm), omega});
      return sign * increment();
    };
    auto sliding = [&](const Vec& direction) {
      list.push_back({sign * direction, {0.0, 0.0, 0.0}});
      return sign * increment();
    };
    const Vec side = cross(j.a[0], j.a[1]);
    const Vec along = 1.0 / dot(side, j.a[2]) * side;
    const Vec& pivot = slides && joint.a != parent ? at_parent : at_child;
    Displacement& own = moved_[static_cast<std::size_t>(child)];
    switch (joint.kind) {
      case JointKind::revolute:
        own = turn(pivot, j.a[2], turning(j.a[2]));
        name(joint.angle);
        break;
      case JointKind::prismatic:
        own = shift(sliding(along) * j.a[2]);
        name(joint.slide);
        break;
      case JointKind::cylindrical: {
        const Displacement turned = turn(pivot, j.a[2], turning(j.a[2]));
        name(joint.angle);
        own = after(shift(sliding(along) * j.a[2]), turned);
        name(joint.slide);
        break;
      }
      case JointKind::spherical: {
        if (m_.bodies[static_cast<std::size_t>(child)].point) break;
        Vec by = {0.0, 0.0, 0.0};
        for (std::size_t c = m_.dimension == 2 ? 2 : 0; c < 3; ++c) {
          Vec e = {0.0, 0.0, 0.0};
          e[c] = 1.0;
          by[c] = turning(e);
        }
        own = turn(pivot, by);
        break;
      }
      case JointKind::universal: {
        const Displacement first = turn(pivot, j.a[2], turning(j.a[2])), second = turn(pivot, j.b[2], turning(j.b[2]));
        own = sign > 0.0 ? after(first, second) : after(second, first);
        break;
      }
      case JointKind::planar: {
        const Expr x = sliding(cross(j.a[1], j.a[2])), y = sliding(cross(j.a[2], j.a[0]));
        own = after(shift(x * j.a[0] + y * j.a[1]), turn(pivot, j.a[2], turning(j.a[2])));
        name(joint.angle);
        break;
      }
      default: break;
    }
    if (parent != ground) own = after(moved_[static_cast<std::size_t>(parent)], own);
  }

  // The last increment is that of a named coordinate, which counts in the sense of the joint.
  void name(const std::optional<NamedCoordinate>& coordinate) {
    if (coordinate) named_.emplace_back(coordinate->variable, increments_.back());
  }

  const Mechanism& m_;
  const Assembly& a_;
  std::vector<std::vector<Twist>> twist_;  // of each body, by column; shorter lists end in zeros
  std::vector<Displacement> moved_;
  std::vector<bool> placed_;
  Exprs increments_;
  std::vector<std::pair<Variable, Expr>> named_;
  std::size_t joints_ = 0;
};

}  // namespace

std::shared_ptr<const NodalMap> nodal_map(const Mechanism& m, const Assembly& assembly) {
  auto closes = [](const Joint& j) {
    return j.motion || j.kind == JointKind::screw || j.kind == JointKind::distance ||
           j.kind == JointKind::point_on_line || j.kind == JointKind::point_on_plane;
  };
  if (!m.cables.empty() || !m.gears.empty() || !m.spins.empty() ||
      std::any_of(m.joints.begin(), m.joints.end(), closes))
    return nullptr;
  const Chain chain(m, assembly);
  if (chain.joints() < m.joints.size()) return nullptr;
  NodalMap map{chain.increments(), chain.image(), chain.columns(), {}};
  for (const Augmentation& named : assembly.augmented)
    for (std::size_t i = 0; i < assembly.system.coordinates.size(); ++i)
      if (assembly.system.coordinates[i] == named.coordinate) map.followers.push_back({i, named.constraint});
  return std::make_shared<const NodalMap>(std::move(map));
}

}  // namespace invar
