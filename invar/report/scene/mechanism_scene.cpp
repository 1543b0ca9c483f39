// See mechanism_scene.h.
#include "invar/report/scene/mechanism_scene.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string_view>

#include "invar/model/columns/column_groups.h"
#include "invar/model/mechanism/force_element.h"
#include "invar/model/mechanism/frame.h"
#include "invar/model/mechanism/joint_kind.h"
#include "invar/model/mechanism/member_line.h"
#include "invar/report/scene/member_scene.h"

namespace invar {

namespace {

// Where a body is in all frames.
struct Poses {
  std::vector<Vector3> position;
  std::vector<Matrix3> rotation;

  Poses(const Body& body, const Frames& frames, int dimension) {
    position.assign(frames.count(), body.position);
    rotation.assign(frames.count(), body.rotation);
    for (int c = 0; c < dimension; ++c) {
      const std::vector<double> x = frames.column(body.name + "." + axis_names[c]);
      for (std::size_t k = 0; k < x.size(); ++k) position[k](c) = x[k];
      for (int d = 0; d < dimension && !body.point; ++d) {
        const std::vector<double> entry = frames.column(body.name + ".d" + std::to_string(d + 1) + "." + axis_names[c]);
        for (std::size_t k = 0; k < entry.size(); ++k) rotation[k](c, d) = entry[k];
      }
    }
  }
};

class MechanismScene {
 public:
  MechanismScene(const Problem& problem, const Frames& frames, Scene& scene)
      : m_(*problem.mechanism), problem_(problem), frames_(frames), scene_(scene) {
    for (const Body& body : m_.bodies) poses_.emplace_back(body, frames, m_.dimension);
  }

  void add() {
    for (std::size_t b = 0; b < m_.bodies.size(); ++b)
      if (!m_.bodies[b].node) add_body(b);
    for (const Joint& joint : m_.joints) add_joint(joint);
    for (const Cable& cable : m_.cables) add_line(cable.name, "cable", cable.route);
    for (const auto& element : m_.force_elements) add_force_element(*element);
    for (const Actuator& actuator : m_.actuators) add_actuator(actuator);
  }

 private:
  // A place given in the start configuration, in the axes of a body.
  Attachment attached(int body, const Vector3& at) const {
    if (body == ground) return {ground, at};
    const Body& b = m_.bodies[static_cast<std::size_t>(body)];
    return {body, b.rotation.transpose() * (at - b.position)};
  }
  Vector3 place(const Attachment& a, std::size_t frame) const {
    if (a.body == ground) return a.at;
    const Poses& p = poses_[static_cast<std::size_t>(a.body)];
    return p.position[frame] + p.rotation[frame] * a.at;
  }
  Vector3 direction(int body, const Vector3& in_start, std::size_t frame) const {
    if (body == ground) return in_start;
    const auto b = static_cast<std::size_t>(body);
    return poses_[b].rotation[frame] * m_.bodies[b].rotation.transpose() * in_start;
  }
  void push(std::vector<double>& list, const Vector3& x) const {
    list.insert(list.end(), x.data(), x.data() + m_.dimension);
  }

  void add_line(const std::string& name, const std::string& role, const std::vector<Attachment>& route) {
    SceneItem item{.kind = SceneItem::Kind::line, .name = name, .role = role, .count = route.size()};
    for (std::size_t k = 0; k < frames_.count(); ++k)
      for (const Attachment& a : route) push(item.places, place(a, k));
    scene_.items.push_back(std::move(item));
  }

  void add_body(std::size_t b) {
    const Body& body = m_.bodies[b];
    SceneItem item{.kind = body.point ? SceneItem::Kind::point : SceneItem::Kind::body, .name = body.name};
    item.shape = body.shape;
    Eigen::Quaterniond last = Eigen::Quaterniond::Identity();
    for (std::size_t k = 0; k < frames_.count(); ++k) {
      push(item.places, poses_[b].position[k]);
      if (body.point) continue;
      const Matrix3& r = poses_[b].rotation[k];
      if (m_.dimension == 2) {
        item.details.push_back(std::atan2(r(1, 0), r(0, 0)));
        continue;
      }
      Eigen::Quaterniond q(r);
      if (k > 0 && q.coeffs().dot(last.coeffs()) < 0.0) q.coeffs() = -q.coeffs();  // the same, nearer to the one before
      item.details.insert(item.details.end(), {q.w(), q.x(), q.y(), q.z()});
      last = q;
    }
    if (body.shape.kind == Shape::Kind::none && !body.point) add_bars(static_cast<int>(b));
    scene_.items.push_back(std::move(item));
  }

  // A body without a shape is shown by bars to its centre: from its joints, the ends of springs and cables, and points
  // that are looked at.
  void add_bars(int body) {
    std::vector<Vector3> shown = {Vector3::Zero()};
    const auto add = [&](const Attachment& end) {
      const auto near = [&](const Vector3& other) { return (end.at - other).norm() <= 1e-9 * end.at.norm(); };
      if (end.body != body || std::ranges::any_of(shown, near)) return;
      shown.push_back(end.at);
      add_line(m_.bodies[static_cast<std::size_t>(body)].name, "link", {end, {body, Vector3::Zero()}});
    };
    for (const Joint& joint : m_.joints)
      if (joint.a == body || joint.b == body)
        add(attached(body, joint.kind->to && joint.b == body ? joint.to : joint.at));
    for (const auto& element : m_.force_elements)
      if (element->picture() == ForceElement::Picture::spring) std::ranges::for_each(element->ends(), add);
    for (const Cable& cable : m_.cables) std::ranges::for_each(cable.route, add);
    for (const Output& output : m_.outputs)
      if (output.point) add(*output.point);
  }

  void add_joint(const Joint& joint) {
    if (joint.kind->to) {
      add_line(joint.name, "link", {attached(joint.a, joint.at), attached(joint.b, joint.to)});
      return;
    }
    if (m_.dimension == 2 && std::string_view(joint.kind->name) == "prismatic" &&
        (joint.a == ground || joint.b == ground) && add_rail(joint))
      return;
    add_sign(joint.name, joint.kind->name, attached(joint.a, joint.at), joint.turning_axis().normalized());
  }

  // What slides along the ground in the plane has a rail as long as its way, and a little more; false if it stands
  // still.
  bool add_rail(const Joint& joint) {
    const Attachment sliding = attached(joint.a == ground ? joint.b : joint.a, joint.at);
    const Vector3 axis = joint.axis.normalized();
    double low = 0.0, high = 0.0;
    for (std::size_t k = 0; k < frames_.count(); ++k) {
      const double way = (place(sliding, k) - joint.at).dot(axis);
      if (way < low) low = way;
      if (way > high) high = way;
    }
    const double more = 0.15 * (high - low);
    if (!(more > 0.0)) return false;
    add_line(joint.name, "ground",
             {{ground, joint.at + (low - more) * axis}, {ground, joint.at + (high + more) * axis}});
    return true;
  }

  void add_sign(const std::string& name, std::string_view type, const Attachment& at, const Vector3& axis) {
    SceneItem item{.kind = SceneItem::Kind::joint, .name = name, .role = std::string(type)};
    for (std::size_t k = 0; k < frames_.count(); ++k) {
      push(item.places, place(at, k));
      if (m_.dimension == 3) push(item.details, direction(at.body, axis, k));
    }
    scene_.items.push_back(std::move(item));
  }

  void add_force_element(const ForceElement& element) {
    switch (element.picture()) {
      case ForceElement::Picture::none: break;
      case ForceElement::Picture::sign:
        add_sign(element.name, element.kind(), element.ends()[0], Vector3::UnitZ());
        break;
      case ForceElement::Picture::member: add_member(element); break;
      case ForceElement::Picture::spring:
        add_line(element.name, "", element.ends());
        scene_.items.back().kind = SceneItem::Kind::spring;
        for (const Attachment& end : element.ends())
          if (end.body == ground) add_sign(element.name, "fixed", end, Vector3::UnitZ());
        break;
    }
  }

  void add_member(const ForceElement& element) {
    const MemberLine& line = *element.member();
    add_line(element.name, "", element.ends());
    SceneItem& item = scene_.items.back();
    item.kind = SceneItem::Kind::member;
    item.member = scene_member(element.name, line, frames_);
    if (line.sides.empty() || m_.dimension == 2) return;
    const std::vector<Attachment> ends = element.ends();
    for (std::size_t k = 0; k < frames_.count(); ++k)
      for (std::size_t n = 0; n < ends.size(); ++n)
        push(item.details, place({ends[n].body, line.normals[n]}, k) - place({ends[n].body, Vector3::Zero()}, k));
  }

  // The force of an input, as an arrow.
  void add_actuator(const Actuator& actuator) {
    if (!frames_.has(actuator.name)) return;
    const std::vector<double> u = frames_.column(actuator.name);
    SceneItem item{.kind = SceneItem::Kind::arrow, .name = actuator.name, .role = "force"};
    if (actuator.coordinate) {
      for (const Joint& joint : m_.joints) {
        const bool slides = joint.slide && at(joint.slide->variable) == at(*actuator.coordinate);
        const bool turns = joint.angle && at(joint.angle->variable) == at(*actuator.coordinate);
        if (!slides && (!turns || m_.dimension == 2)) continue;
        item.role = slides ? "force" : "torque";
        // On the second body of the joint, or the reaction on the first where the second is the ground.
        const Attachment foot = joint.b == ground ? attached(joint.a, joint.at) : Attachment{joint.b, Vector3::Zero()};
        const double sign = joint.b == ground ? -1.0 : 1.0;
        for (std::size_t k = 0; k < frames_.count(); ++k) {
          push(item.places, place(slides ? foot : attached(joint.a, joint.at), k));
          push(item.details, sign * actuator.gain * u[k] *
                                 direction(joint.a, (slides ? joint.axis : joint.turning_axis()).normalized(), k));
        }
      }
    } else if (!actuator.force.isZero()) {
      for (std::size_t k = 0; k < frames_.count(); ++k) {
        push(item.places, place({actuator.body, actuator.at}, k));
        const Vector3 along =
            actuator.in_body_axes && actuator.body != ground
                ? Vector3(poses_[static_cast<std::size_t>(actuator.body)].rotation[k] * actuator.force)
                : actuator.force;
        push(item.details, actuator.gain * u[k] * along);
      }
    }
    if (!item.places.empty()) scene_.items.push_back(std::move(item));
  }

  const Mechanism& m_;
  const Problem& problem_;
  const Frames& frames_;
  Scene& scene_;
  std::vector<Poses> poses_;
};

}  // namespace

void add_mechanism(const Problem& problem, const Frames& frames, Scene& scene) {
  const Mechanism& m = *problem.mechanism;
  scene.dimension = m.dimension;
  if (m.dimension == 3 && !m.gravity.isZero()) {
    const Vector3 up = -m.gravity.normalized();
    scene.up = {up.x(), up.y(), up.z()};
  }
  MechanismScene(problem, frames, scene).add();
  share_colours(scene);
}

void add_traces(const Problem& problem, const Frames& frames, Scene& scene) {
  const Mechanism& m = *problem.mechanism;
  const auto n = static_cast<std::size_t>(m.dimension);
  for (const Output& output : m.outputs) {
    if (!output.point) continue;
    SceneItem item{.kind = SceneItem::Kind::trace, .name = output.name};
    item.places.resize(frames.count() * n);
    std::vector<double> path(frames.count() * n);
    bool follows = true;
    for (std::size_t c = 0; c < n; ++c) {
      const std::string column = output.name + "." + axis_names[c];
      const std::vector<double> x = frames.column(column);
      const TimeFunction* function = path_of(problem, column);
      follows = follows && function != nullptr;
      const std::vector<double> wanted = function ? values_at(*function, scene.time) : std::vector<double>(x.size());
      for (std::size_t k = 0; k < x.size(); ++k) {
        item.places[k * n + c] = x[k];
        path[k * n + c] = wanted[k];
      }
    }
    if (follows) item.details = std::move(path);
    scene.items.push_back(std::move(item));
  }
}

}  // namespace invar
