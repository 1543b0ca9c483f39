// See minimal.h.
#include "invar/model/mechanism/minimal.h"

#include <algorithm>
#include <deque>
#include <set>

#include "invar/expr/derivative.h"
#include "invar/math/rank.h"
#include "invar/model/mechanism/freedoms.h"
#include "invar/model/mechanism/joint_equations.h"
#include "invar/model/mechanism/joint_kind.h"
#include "invar/tape/function.h"

namespace invar {

namespace {

constexpr const char* angle_names[] = {".angle1", ".angle2", ".angle3"};  // of three about turning axes

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
        if (!joint.kind->move || used_.contains(j) || (joint.a != parent && joint.b != parent)) continue;
        const int child = joint.a == parent ? joint.b : joint.a;
        if (child == ground || placed_[static_cast<std::size_t>(child)]) continue;
        used_.insert(j);
        JointCoordinates freedoms(*this, joint, child);
        moved_[static_cast<std::size_t>(child)] = after(moved(parent), joint.kind->move(joint, freedoms));
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

  // The freedoms of a joint that carries a child, as coordinates from the start configuration.
  class JointCoordinates : public Freedoms {
   public:
    JointCoordinates(Tree& tree, const Joint& joint, int child)
        : Freedoms(child == joint.a),
          tree_(tree),
          joint_(joint),
          turns_(!tree.m_.bodies[static_cast<std::size_t>(child)].point) {}

    Displacement turn(Axis axis, const char* suffix) override {
      if (!turns_) return {};
      const Vector3 n = (axis == Axis::first ? joint_.axis : joint_.second_axis).normalized();
      return about(n, tree_.coordinate(joint_.angle, joint_.name + suffix));
    }
    Displacement turn_freely() override {
      if (!turns_) return {};
      if (tree_.m_.dimension == 2) return about(Vector3::UnitZ(), tree_.coordinate({}, joint_.name + ".angle"));
      return tree_.turns(joint_.at, joint_.name, sign());
    }
    Displacement slide(Direction direction) override {
      const Vector3 along = triad(joint_.axis)[static_cast<std::size_t>(direction)];
      if (direction == Direction::axis) return by(along, tree_.coordinate(joint_.slide, joint_.name + ".slide"));
      return by(along, tree_.coordinate({}, joint_.name + (direction == Direction::side1 ? ".slide1" : ".slide2")));
    }
    Displacement screw(double advance) override {
      const Vector3 n = joint_.axis.normalized();
      const Expr theta = tree_.coordinate(joint_.angle, joint_.name + ".angle");
      if (joint_.slide) tree_.follow_.emplace_back(joint_.slide->variable, joint_.slide->start + advance * theta);
      return after(by(n, advance * theta), about(n, theta));
    }

   private:
    Displacement by(const Vector3& direction, const Expr& s) const { return shift(s * constant(sign() * direction)); }
    Displacement about(const Vector3& axis, const Expr& theta) const {
      return invar::turn(constant(joint_.at), constant(axis), sign() * theta);
    }

    Tree& tree_;
    const Joint& joint_;
    bool turns_;
  };

  Displacement turns(const Vector3& point, const std::string& name, double sign) {
    Displacement d[3];
    for (int i = 0; i < 3; ++i)
      d[i] = turn(constant(point), constant(Vector3::Unit(i)), sign * coordinate({}, name + angle_names[i]));
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
    return after(shift(by), turns_from_start(body));
  }

  Displacement turns_from_start(const Body& body) {
    Displacement back, to;
    for (int i = 0; i < 3; ++i) {
      const double from = body.angles.start[i];
      const Vec axis = constant(Vector3::Unit(body.angles.axes[static_cast<std::size_t>(i)]));
      add(m_.graph.variable(body.name + angle_names[i]), from);
      to = after(to, turn(constant(body.position), axis, at(form_.mapping.coordinates.back())));
      back = after(turn(constant(body.position), axis, -from), back);
    }
    return after(back, to);
  }

  // Named coordinates that no joint of the tree took.
  void keep_named() {
    const System& s = assembly_.system;
    std::size_t first = 0;
    for (const RigidBody& b : s.bodies) first = std::max(first, b.first + b.size());
    for (std::size_t i = first; i < s.coordinates.size(); ++i)
      if (std::find(form_.mapping.coordinates.begin(), form_.mapping.coordinates.end(), s.coordinates[i]) ==
              form_.mapping.coordinates.end() &&
          !follower(s.coordinates[i]))
        add(s.coordinates[i], assembly_.q0[i]);
  }
  const Expr* follower(const Variable& x) const {
    const auto found = std::ranges::find_if(follow_, [&](const auto& f) { return f.first == x; });
    return found == follow_.end() ? nullptr : &found->second;
  }

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
      if (const Expr* formula = follower(s.coordinates[i])) image[i] = *formula;
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
  std::vector<std::pair<Variable, Expr>> follow_;  // named coordinates that are formulas of others
  MinimalForm form_;
};

}  // namespace

MinimalForm minimal_form(const Mechanism& mechanism, const Assembly& assembly) {
  return Tree(mechanism, assembly).take();
}

}  // namespace invar
