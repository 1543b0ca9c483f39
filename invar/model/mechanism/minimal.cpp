// See minimal.h.
#include "invar/model/mechanism/minimal.h"

#include <algorithm>
#include <deque>
#include <set>

#include "invar/expr/derivative.h"
#include "invar/expr/symbol_places.h"
#include "invar/math/rank.h"
#include "invar/model/mechanism/freedoms.h"
#include "invar/model/mechanism/grow_tree.h"
#include "invar/model/mechanism/joint_equations.h"
#include "invar/model/mechanism/joint_kind.h"
#include "invar/tape/function.h"

namespace invar {

namespace {

constexpr const char* angle_names[] = {".angle1", ".angle2", ".angle3"};  // of three about turning axes
constexpr const char* parameter_names[] = {".e0", ".e1", ".e2", ".e3"};   // of Euler

class Tree {
 public:
  Tree(const Mechanism& m, const Assembly& a)
      : m_(m), assembly_(a), moved_(m.bodies.size()), placed_(m.bodies.size()), links_(m.bodies.size()) {
    joints_of_.resize(m.bodies.size() + 1);
    for (std::size_t j = 0; j < m.joints.size(); ++j)
      for (const int end : {m.joints[j].a, m.joints[j].b})
        joints_of_[static_cast<std::size_t>(end - ground)].push_back(j);
    grow(ground);
    for (std::size_t k = 0; k < m.bodies.size(); ++k)
      if (!placed_[k]) {
        carry(static_cast<int>(k), ground, free_motion(m.bodies[k]));
        grow(static_cast<int>(k));
      }
    for (std::size_t j = 0; j < m.joints.size(); ++j)
      if (!used_.contains(j)) form_.loops.push_back(m.joints[j].name);
    for (const Body& body : m.bodies) hold(body);
    keep_named();
    map_coordinates();
    keep_links();
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
      for (const std::size_t j : joints_of_[static_cast<std::size_t>(parent - ground)]) {
        const Joint& joint = m_.joints[j];
        if (!joint.kind->move || used_.contains(j)) continue;
        const int child = joint.a == parent ? joint.b : joint.a;
        if (child == ground || placed_[static_cast<std::size_t>(child)]) continue;
        used_.insert(j);
        if (!m_.bodies[static_cast<std::size_t>(child)].point) hold(joint);
        JointCoordinates freedoms(*this, joint, child);
        carry(child, parent, joint.kind->move(joint, freedoms));
        next.push_back(child);
      }
    }
  }

  void carry(int body, int parent, const Displacement& by) {
    const auto k = static_cast<std::size_t>(body);
    links_.add(m_, body, parent, by.moves);
    moved_[k] = after(moved(parent), by);
    moved_[k].moves.clear();
    placed_[k] = true;
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

  // What a joint of the tree asks for holds along its coordinates; but for a motion that is prescribed.
  void hold(const Joint& joint) {
    const auto found = assembly_.constraints_of.find(joint.name);
    if (found == assembly_.constraints_of.end()) return;
    for (const std::string& name : found->second)
      if (name != joint.name + ".motion") form_.mapping.holding.insert(name);
  }
  void hold(const Body& body) {
    const auto found = assembly_.constraints_of.find(body.name);
    if (found != assembly_.constraints_of.end())
      form_.mapping.holding.insert(found->second.begin(), found->second.end());
  }

  // A displacement by the last coordinate.
  Displacement moving(Displacement by, const Vector3& axis, const Vector3& point, double turn, double slide) const {
    by.moves = {{form_.mapping.coordinates.size() - 1, form_.start.back(), axis, point, turn, slide}};
    return by;
  }

  // The freedoms of a joint that carries a child, as coordinates from the start configuration.
  class JointCoordinates : public Freedoms {
   public:
    JointCoordinates(Tree& tree, const Joint& joint, int child)
        : Freedoms(child == joint.a),
          tree_(tree),
          joint_(joint),
          body_(tree.m_.bodies[static_cast<std::size_t>(child)]),
          turns_(!body_.point) {}

    Displacement turn(Axis axis, const char* suffix) override {
      if (!turns_) return {};
      const Vector3 n = (axis == Axis::first ? joint_.axis : joint_.second_axis).normalized();
      return about(n, tree_.coordinate(joint_.angle, joint_.name + suffix));
    }
    Displacement turn_freely() override {
      if (!turns_) return {};
      if (tree_.m_.dimension == 2) return about(Vector3::UnitZ(), tree_.coordinate({}, joint_.name + ".angle"));
      return tree_.turns(body_, joint_.at, joint_.name, sign());
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
      return tree_.moving(after(by(n, advance * theta), about(n, theta)), n, joint_.at, sign(), sign() * advance);
    }

   private:
    Displacement by(const Vector3& direction, const Expr& s) const {
      return tree_.moving(shift(s * constant(sign() * direction)), direction, joint_.at, 0.0, sign());
    }
    Displacement about(const Vector3& axis, const Expr& theta) const {
      return tree_.moving(invar::turn(constant(joint_.at), constant(axis), sign() * theta), axis, joint_.at, sign(),
                          0.0);
    }

    Tree& tree_;
    const Joint& joint_;
    const Body& body_;
    bool turns_;
  };

  // By Euler parameters, with their condition. As much inertia as the body has on average makes the metric of the
  // parameters that of rotations.
  Displacement ball(const Body& body, const Vector3& point, const std::string& name, double sign) {
    const std::size_t first = form_.mapping.coordinates.size();
    Exprs p;
    for (std::size_t i = 0; i < 4; ++i) {
      add(m_.graph.variable(name + parameter_names[i]), i == 0 ? 1.0 : 0.0);
      p.push_back(at(form_.mapping.coordinates.back()));
    }
    const double inertia = (body.inertia.trace() + 2.0 * body.mass * (body.position - point).squaredNorm()) / 3.0;
    form_.mapping.conditions.push_back({name + ".unit", unit_condition(p, 0), 4.0 * (inertia > 0.0 ? inertia : 1.0)});
    Displacement by = turn(constant(point), EulerParameters{p[0], sign * Vec{p[1], p[2], p[3]}});
    by.moves = {{.coordinate = first, .point = point, .turn = sign, .ball = true}};
    return by;
  }

  Displacement turns(const Body& body, const Vector3& point, const std::string& name, double sign) {
    if (m_.free_turns == FreeTurns::quaternions) return ball(body, point, name, sign);
    Displacement d[3];
    for (int i = 0; i < 3; ++i) {
      const Expr angle = sign * coordinate({}, name + angle_names[i]);
      d[i] = moving(turn(constant(point), constant(Vector3::Unit(i)), angle), Vector3::Unit(i), point, sign, 0.0);
    }
    return sign > 0.0 ? after(d[0], after(d[1], d[2])) : after(d[2], after(d[1], d[0]));
  }

  Displacement free_motion(const Body& body) {
    Displacement shifted;
    const char* suffix[] = {".move.x", ".move.y", ".move.z"};
    for (int c = 0; c < m_.dimension; ++c) {
      const Expr by = coordinate({}, body.name + suffix[c]);
      const Vector3 axis = Vector3::Unit(c);
      shifted = after(shifted, moving(shift(by * constant(axis)), axis, body.position, 0.0, 1.0));
    }
    if (body.point) return shifted;
    if (m_.dimension == 2) {
      const Vector3 axis = Vector3::UnitZ();
      const Expr angle = coordinate({}, body.name + ".angle");
      return after(shifted,
                   moving(turn(constant(body.position), constant(axis), angle), axis, body.position, 1.0, 0.0));
    }
    if (m_.free_turns == FreeTurns::quaternions && !body.own_angles)
      return after(shifted, ball(body, body.position, body.name, 1.0));
    return after(shifted, turns_from_start(body));
  }

  Displacement turns_from_start(const Body& body) {
    Displacement back, to;
    for (int i = 0; i < 3; ++i) {
      const double from = body.angles.start[i];
      const Vector3 unit = Vector3::Unit(body.angles.axes[static_cast<std::size_t>(i)]);
      const Vec axis = constant(unit);
      add(m_.graph.variable(body.name + angle_names[i]), from);
      Displacement now = turn(constant(body.position), axis, at(form_.mapping.coordinates.back()));
      now.moves = {{form_.mapping.coordinates.size() - 1, 0.0, unit, body.position, 1.0, 0.0}};
      to = after(to, now);
      Displacement start = turn(constant(body.position), axis, -from);
      if (from != 0.0) start.moves = {{{}, 0.0, unit, body.position, -from, 0.0}};
      back = after(start, back);
    }
    return after(back, to);
  }

  // Named coordinates that no joint of the tree took.
  void keep_named() {
    const System& s = assembly_.system;
    std::size_t first = 0;
    for (const RigidBody& b : s.bodies) first = std::max(first, b.first + b.size());
    Exprs taken;
    for (const Variable& x : form_.mapping.coordinates) taken.push_back(at(x));
    const SymbolPlaces places(taken);
    for (std::size_t i = first; i < s.coordinates.size(); ++i)
      if (!places.contains(at(s.coordinates[i])) && !follower(s.coordinates[i])) add(s.coordinates[i], assembly_.q0[i]);
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

  // The tree is all of it if every coordinate moves a link and nothing but bodies has kinetic energy.
  void keep_links() {
    const auto turning = [](const Pulley& pulley) { return pulley.inertia > 0.0; };
    const auto with_inertia = [&](const Cable& cable) { return std::ranges::any_of(cable.pulleys, turning); };
    JointTree tree;
    tree.links = links_.links();
    tree.carrier = links_.carriers();
    if (tree.links.size() + 3 * tree.balls().size() != form_.mapping.coordinates.size() ||
        std::ranges::any_of(m_.cables, with_inertia))
      return;
    tree.gravity = m_.gravity;
    tree.other_potential = assembly_.other_potential;
    form_.mapping.tree = std::make_shared<const JointTree>(std::move(tree));
  }

  // The rates that come nearest to the given velocities of the bodies.
  void find_rates() {
    if (form_.mapping.coordinates.empty()) return;
    if (std::ranges::all_of(assembly_.v0, [](double v) { return v == 0.0; })) {
      form_.rate.assign(form_.mapping.coordinates.size(), 0.0);
      return;
    }
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
  TreeGrowth links_;
  std::vector<std::vector<std::size_t>> joints_of_;  // of the ground, then of every body
  std::set<std::size_t> used_;
  std::vector<std::pair<Variable, Expr>> follow_;  // named coordinates that are formulas of others
  MinimalForm form_;
};

}  // namespace

MinimalForm minimal_form(const Mechanism& mechanism, const Assembly& assembly) {
  return Tree(mechanism, assembly).take();
}

}  // namespace invar
