// See minimal.h.
#include "invar/model/mechanism/minimal.h"

#include <algorithm>
#include <deque>
#include <numbers>
#include <set>

#include "invar/expr/derivative.h"
#include "invar/math/rank.h"
#include "invar/model/mechanism/displacement.h"
#include "invar/model/mechanism/joint_equations.h"
#include "invar/tape/function.h"

namespace invar {

namespace {

bool carries(JointKind kind) {
  return kind != JointKind::distance && kind != JointKind::point_on_line && kind != JointKind::point_on_plane;
}

class Tree {
 public:
  Tree(const Mechanism& m, const Assembly& a) : m_(m), assembly_(a), moved_(m.bodies.size()), placed_(m.bodies.size()) {
    grow(ground);
    for (std::size_t k = 0; k < m.bodies.size(); ++k)
      if (!placed_[k]) {
        moved_[k] = free_motion(m.bodies[k]);
        placed_[k] = true;
        grow(static_cast<int>(k));
      }
    for (std::size_t j = 0; j < m.joints.size(); ++j)
      if (!used_.contains(j)) form_.loops.push_back(m.joints[j].name);
    keep_named();
    map_coordinates();
    find_rates();
  }
  MinimalForm take() { return std::move(form_); }

 private:
  Displacement moved(int body) const {
    return body == ground ? Displacement{} : moved_[static_cast<std::size_t>(body)];
  }

  // The bodies that joints carry from here, nearest first.
  void grow(int root) {
    std::deque<int> next = {root};
    while (!next.empty()) {
      const int parent = next.front();
      next.pop_front();
      for (std::size_t j = 0; j < m_.joints.size(); ++j) {
        const Joint& joint = m_.joints[j];
        if (!carries(joint.kind) || used_.contains(j) || (joint.a != parent && joint.b != parent)) continue;
        const int child = joint.a == parent ? joint.b : joint.a;
        if (child == ground || placed_[static_cast<std::size_t>(child)]) continue;
        used_.insert(j);
        turns_ = !m_.bodies[static_cast<std::size_t>(child)].point;
        moved_[static_cast<std::size_t>(child)] =
            after(moved(parent), joint_motion(joint, child == joint.a ? -1.0 : 1.0));
        placed_[static_cast<std::size_t>(child)] = true;
        next.push_back(child);
      }
    }
  }

  // A coordinate of the joint, as seen from its start value.
  Expr coordinate(const std::optional<NamedCoordinate>& named, const std::string& otherwise) {
    if (named) {
      add(named->variable, named->start);
      return at(named->variable) - named->start;
    }
    add(m_.graph.variable(otherwise), 0.0);
    return at(form_.mapping.coordinates.back());
  }
  void add(const Variable& x, double start) {
    form_.mapping.coordinates.push_back(x);
    form_.start.push_back(start);
  }

  Displacement joint_motion(const Joint& joint, double sign) {
    const std::array<Vector3, 3> axes = triad(joint.axis);
    const Vector3 n = axes[2];
    auto along = [&](const Vector3& direction, const Expr& s) { return shift(s * constant(sign * direction)); };
    auto about = [&](const Vector3& direction, const Expr& theta) {
      return turn(constant(joint.at), constant(direction), sign * theta);
    };
    switch (joint.kind) {
      case JointKind::revolute: return about(n, coordinate(joint.angle, joint.name + ".angle"));
      case JointKind::prismatic: return along(n, coordinate(joint.slide, joint.name + ".slide"));
      case JointKind::cylindrical: {
        const Expr theta = coordinate(joint.angle, joint.name + ".angle");
        return after(along(n, coordinate(joint.slide, joint.name + ".slide")), about(n, theta));
      }
      case JointKind::screw: {
        const Expr theta = coordinate(joint.angle, joint.name + ".angle");
        return after(along(n, joint.pitch / (2.0 * std::numbers::pi) * theta), about(n, theta));
      }
      case JointKind::spherical:
        if (!turns_) return {};
        if (m_.dimension == 2) return about(Vector3::UnitZ(), coordinate({}, joint.name + ".angle"));
        return turns(joint.at, joint.name, sign);
      case JointKind::universal: {
        const Displacement first = about(n, coordinate({}, joint.name + ".angle1")),
                           second = about(joint.second_axis.normalized(), coordinate({}, joint.name + ".angle2"));
        return sign > 0.0 ? after(first, second) : after(second, first);
      }
      case JointKind::planar: {
        const Expr x = coordinate({}, joint.name + ".slide1"), y = coordinate({}, joint.name + ".slide2");
        const Displacement moved = after(along(axes[0], x), along(axes[1], y)),
                           turned = about(n, coordinate(joint.angle, joint.name + ".angle"));
        return sign > 0.0 ? after(moved, turned) : after(turned, moved);
      }
      default: return {};
    }
  }

  Displacement turns(const Vector3& point, const std::string& name, double sign) {
    Displacement d[3];
    const char* suffix[] = {".angle1", ".angle2", ".angle3"};
    for (int i = 0; i < 3; ++i)
      d[i] = turn(constant(point), constant(Vector3::Unit(i)), sign * coordinate({}, name + suffix[i]));
    return sign > 0.0 ? after(d[0], after(d[1], d[2])) : after(d[2], after(d[1], d[0]));
  }

  Displacement free_motion(const Body& body) {
    Vec by = {0.0, 0.0, 0.0};
    const char* suffix[] = {".move.x", ".move.y", ".move.z"};
    for (int c = 0; c < m_.dimension; ++c) by[static_cast<std::size_t>(c)] = coordinate({}, body.name + suffix[c]);
    if (body.point) return shift(by);
    if (m_.dimension == 2)
      return after(shift(by),
                   turn(constant(body.position), constant(Vector3::UnitZ()), coordinate({}, body.name + ".angle")));
    return after(shift(by), turns(body.position, body.name, 1.0));
  }

  // Named coordinates that no joint of the tree took.
  void keep_named() {
    const System& s = assembly_.system;
    std::size_t first = 0;
    for (const RigidBody& b : s.bodies) first = std::max(first, b.first + b.size());
    for (std::size_t i = first; i < s.coordinates.size(); ++i)
      if (std::find(form_.mapping.coordinates.begin(), form_.mapping.coordinates.end(), s.coordinates[i]) ==
              form_.mapping.coordinates.end() &&
          !is_screw_slide(s.coordinates[i]))
        add(s.coordinates[i], assembly_.q0[i]);
  }
  const Joint* screw_of(const Variable& x) const {
    for (std::size_t j : used_)
      if (m_.joints[j].kind == JointKind::screw && m_.joints[j].slide && m_.joints[j].slide->variable == x)
        return &m_.joints[j];
    return nullptr;
  }
  bool is_screw_slide(const Variable& x) const { return screw_of(x) != nullptr; }

  void map_coordinates() {
    const System& s = assembly_.system;
    Exprs image;
    for (const Variable& x : s.coordinates) image.push_back(at(x));
    for (std::size_t k = 0; k < s.bodies.size(); ++k) {
      const RigidBody& rigid = s.bodies[k];
      const Body& body = m_.bodies[k];
      const auto n = static_cast<std::size_t>(rigid.dimension);
      for (std::size_t i = 0; i < rigid.size() / n; ++i) {
        const Vec x = i == 0 ? moved_[k].point(constant(body.position))
                             : moved_[k].direction(constant(body.rotation.col(static_cast<Eigen::Index>(i - 1))));
        for (std::size_t c = 0; c < n; ++c) image[rigid.first + n * i + c] = x[c];
      }
    }
    for (std::size_t i = 0; i < image.size(); ++i)
      if (const Joint* screw = screw_of(s.coordinates[i]))
        image[i] = screw->slide->start +
                   screw->pitch / (2.0 * std::numbers::pi) * (at(screw->angle->variable) - screw->angle->start);
    form_.mapping.image = std::move(image);
  }

  // The rates that come nearest to the given velocities of the bodies.
  void find_rates() {
    if (form_.mapping.coordinates.empty()) return;
    Exprs mu;
    for (const Variable& x : form_.mapping.coordinates) mu.push_back(at(x));
    const SparseExprs p = jacobian(form_.mapping.image, mu);
    std::vector<double> value(p.value.size());
    Scratch scratch;
    Function(mu, p.value)(form_.start, value, scratch);
    Matrix P =
        Matrix::Zero(static_cast<Eigen::Index>(form_.mapping.image.size()), static_cast<Eigen::Index>(mu.size()));
    for (std::size_t j = 0; j < mu.size(); ++j)
      for (int k = p.pattern.start[j]; k < p.pattern.start[j + 1]; ++k)
        P(p.pattern.row[static_cast<std::size_t>(k)], static_cast<Eigen::Index>(j)) =
            value[static_cast<std::size_t>(k)];
    const Vector v = Eigen::Map<const Vector>(assembly_.v0.data(), static_cast<Eigen::Index>(assembly_.v0.size()));
    const Vector rate = least_norm(P, v);
    form_.rate.assign(rate.data(), rate.data() + rate.size());
  }

  const Mechanism& m_;
  const Assembly& assembly_;
  std::vector<Displacement> moved_;
  std::vector<bool> placed_;
  std::set<std::size_t> used_;
  bool turns_ = true;  // the child at hand is no point mass
  MinimalForm form_;
};

}  // namespace

MinimalForm minimal_form(const Mechanism& mechanism, const Assembly& assembly) {
  return Tree(mechanism, assembly).take();
}

}  // namespace invar
