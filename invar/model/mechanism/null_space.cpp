// See null_space.h.
#include "invar/model/mechanism/null_space.h"

#include <algorithm>
#include <deque>

#include "invar/base/error.h"
#include "invar/model/mechanism/freedoms.h"
#include "invar/model/mechanism/joint_equations.h"
#include "invar/model/mechanism/joint_kind.h"

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
        if (joint.kind->parts) arm = arm + gap;
        list[column] = {t.v + cross(t.omega, arm), t.omega};
      }
    JointIncrements freedoms(*this, joint, j, parent, child);
    Displacement& own = moved_[static_cast<std::size_t>(child)];
    own = joint.kind->move(joint, freedoms);
    if (parent != ground) own = after(moved_[static_cast<std::size_t>(parent)], own);
  }

  // The freedoms of a joint that carries a child, as increments from the configuration at hand, each with its column.
  class JointIncrements : public Freedoms {
   public:
    JointIncrements(Chain& chain, const Joint& joint, const JointFrames& frames, int parent, int child)
        : Freedoms(joint.a != parent),
          chain_(chain),
          joint_(joint),
          j_(frames),
          // The joint's point stays; with a guide on the child it is the parent's point that stays.
          pivot_(joint.a == parent || joint.kind->parts ? frames.at_b : frames.at_a),
          centre_(chain.frame(child).position),
          list_(chain.twist_[static_cast<std::size_t>(child)]),
          turns_(!chain.m_.bodies[static_cast<std::size_t>(child)].point) {}

    Displacement turn(Axis axis, const char*) override {
      if (!turns_) return {};
      const Vec& n = axis == Axis::first ? j_.a[2] : j_.second_b[2];
      const Displacement turned = invar::turn(pivot_, n, turning(n));
      chain_.name(joint_.angle);
      return turned;
    }
    Displacement turn_freely() override {
      if (!turns_) return {};
      Vec by = {0.0, 0.0, 0.0};
      for (std::size_t c = chain_.m_.dimension == 2 ? 2 : 0; c < 3; ++c) {
        Vec e = {0.0, 0.0, 0.0};
        e[c] = 1.0;
        by[c] = turning(e);
      }
      return invar::turn(pivot_, by);
    }
    // The column is the direction orthogonal to the other two of the triad.
    Displacement slide(Direction direction) override {
      const auto i = static_cast<std::size_t>(direction);
      const Vec side = cross(j_.a[(i + 1) % 3], j_.a[(i + 2) % 3]);
      list_.push_back({sign() * (1.0 / dot(side, j_.a[i]) * side), {0.0, 0.0, 0.0}});
      const Displacement moved = shift(sign() * chain_.increment() * j_.a[i]);
      if (direction == Direction::axis) chain_.name(joint_.slide);
      return moved;
    }
    Displacement screw(double) override {
      expects(false, "screws are in no reduced chain");
      return {};
    }

   private:
    Expr turning(const Vec& axis) {
      const Vec omega = sign() * axis;
      list_.push_back({cross(omega, centre_ - pivot_), omega});
      return sign() * chain_.increment();
    }

    Chain& chain_;
    const Joint& joint_;
    const JointFrames& j_;
    Vec pivot_, centre_;
    std::vector<Twist>& list_;
    bool turns_;
  };

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
  const auto closes = [](const Joint& j) { return j.motion || !j.kind->in_reduced_chains; };
  if (m.is_flexible() || !m.cables.empty() || !m.gears.empty() || !m.spins.empty() ||
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
