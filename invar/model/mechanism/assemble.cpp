// See assemble.h.
#include "invar/model/mechanism/assemble.h"

#include <Eigen/Geometry>
#include <cmath>
#include <unordered_set>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/model/mechanism/force_element.h"
#include "invar/model/mechanism/frame.h"
#include "invar/model/mechanism/joint_equations.h"
#include "invar/model/mechanism/loads.h"
#include "invar/model/mechanism/momenta.h"
#include "invar/model/mechanism/null_space.h"

namespace invar {

namespace {

class Builder {
 public:
  Builder(const Mechanism& m, Friction friction) : m_(m), friction_(friction), loads_(m, out_) {
    out_.system.graph = m.graph;
    out_.system.parameters = m.parameters;
    out_.system.kinetic = out_.system.potential = 0.0;
  }

  Assembly build() {
    for (const Body& body : m_.bodies) add_body(body);
    add_named_coordinates();
    for (std::size_t k = 0; k < m_.bodies.size(); ++k) add_rigidity(k);
    for (const Joint& joint : m_.joints) add_joint(joint);
    for (const Gear& gear : m_.gears)
      constrain(gear.name, {gear.name, gear.ratio * (at(gear.first) - start_of(gear.first)) -
                                           (at(gear.second) - start_of(gear.second))});
    for (const Cable& cable : m_.cables) add_cable(cable);
    for (const PrescribedSpin& spin : m_.spins) add_spin(spin);
    for (const auto& element : m_.force_elements) element->act(loads_);
    loads_.finish();
    for (const Actuator& actuator : m_.actuators) add_actuator(actuator);
    for (const Output& output : m_.outputs) add_output(output);
    add_momenta(m_, out_);
    const bool in_directors = friction_ == Friction::between_bodies;
    if (in_directors && m_.bodies.size() <= most_in_a_reduced_chain) out_.system.nodal = nodal_map(m_, out_);
    return std::move(out_);
  }

 private:
  int dimension() const { return m_.dimension; }
  const Body* body(int k) const { return loads_.body(k); }
  Frame frame(int k) const { return loads_.frame(k); }
  Vec point(const Attachment& a) const { return loads_.point(a); }

  Expr add_coordinate(const std::string& name, double q, double v) {
    out_.system.add_coordinate(name);
    out_.q0.push_back(q);
    out_.v0.push_back(v);
    return at(out_.system.coordinates.back());
  }
  void add_coordinate(const NamedCoordinate& named, double rate) {
    if (!named_.insert(at(named.variable).id()).second) return;
    out_.system.coordinates.push_back(named.variable);
    out_.system.forces.emplace_back(0.0);
    out_.q0.push_back(named.start);
    out_.v0.push_back(rate);
  }
  double start_of(const Variable& x) const {
    for (std::size_t i = 0; i < out_.system.coordinates.size(); ++i)
      if (out_.system.coordinates[i] == x) return out_.q0[i];
    throw InputError("\"" + x.name() + "\" is no coordinate of this model");
  }
  std::size_t constrain(const std::string& part, const NamedExpr& f, Level level = Level::position) {
    loads_.constrain(part, f, level);
    return out_.system.constraints.size() - 1;
  }
  // Viscous torque -k ν n between two bodies, with ν = n·(ω_b - ω_a): its power is exactly -k ν², and it leaves momenta
  // alone.
  void add_friction(const Joint& joint) {
    const Vector3 n = joint.turning_axis().normalized();
    Vec axis = constant(n);
    if (const Body* a = body(joint.a)) {
      const std::array<Vec, 3> contra = frame(joint.a).contravariant();
      const Vector3 local = a->rotation.transpose() * n;
      axis = local[0] * contra[0] + local[1] * contra[1] + local[2] * contra[2];
    }
    loads_.twist_between(joint.a, joint.b,
                         -joint.damping * dot(axis, loads_.spin(joint.b) - loads_.spin(joint.a)) * axis);
  }

  void add_body(const Body& body);
  void add_named_coordinates();
  void add_rigidity(std::size_t k);
  void add_joint(const Joint& joint);
  void add_cable(const Cable& cable);
  void add_spin(const PrescribedSpin& spin);
  void add_actuator(const Actuator& actuator);
  void add_output(const Output& output);
  Expr with_places(const Expr& formula, const std::vector<Variable>& places) const;
  // World velocity of a point of a body in the start configuration.
  Vector3 start_velocity(int k, const Vector3& world) const {
    const Body* b = body(k);
    return b ? Vector3(b->velocity + b->angular_velocity.cross(world - b->position)) : Vector3(Vector3::Zero());
  }
  Vector3 start_spin(int k) const {
    const Body* b = body(k);
    return b ? b->angular_velocity : Vector3(Vector3::Zero());
  }

  const Mechanism& m_;
  Friction friction_;
  std::unordered_set<std::uint32_t> named_;  // nodes of coordinates that joints and cables name, which may share one
  Assembly out_;
  Loads loads_;
};

void Builder::add_body(const Body& body) {
  const auto n = static_cast<std::size_t>(dimension());
  RigidBody rigid{body.name, out_.system.coordinates.size(), dimension(), body.point, body.mass, {}};
  for (int i = 0; i < 9; ++i) rigid.inertia[static_cast<std::size_t>(i)] = body.inertia(i / 3, i % 3);
  out_.system.bodies.push_back(rigid);
  Frame f = ground_frame();
  f.torque_axes = m_.torque_axes;
  for (std::size_t c = 0; c < n; ++c)
    f.position[c] = add_coordinate(body.name + "." + axis_names[c], body.position[static_cast<Eigen::Index>(c)],
                                   body.velocity[static_cast<Eigen::Index>(c)]);
  if (!body.point)
    for (std::size_t i = 0; i < n; ++i) {
      const Vector3 d = body.rotation.col(static_cast<Eigen::Index>(i)), rate = body.angular_velocity.cross(d);
      for (std::size_t c = 0; c < n; ++c)
        f.d[i][c] = add_coordinate(body.name + ".d" + std::to_string(i + 1) + "." + axis_names[c],
                                   d[static_cast<Eigen::Index>(c)], rate[static_cast<Eigen::Index>(c)]);
    }
  out_.frames.push_back(f);

  const Vec v = velocity_of(f.position);
  out_.system.kinetic += 0.5 * body.mass * dot(v, v);
  loads_.weigh(body.mass, f.position);
  if (body.point) return;
  if (dimension() == 2) {
    // d1 and d2 turn together: only the sum of their Euler numbers counts.
    for (std::size_t i = 0; i < 2; ++i) {
      const Vec rate = velocity_of(f.d[i]);
      out_.system.kinetic += 0.25 * body.inertia(2, 2) * dot(rate, rate);
    }
    return;
  }
  const Matrix3 euler = 0.5 * body.inertia.trace() * Matrix3::Identity() - body.inertia;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double e = euler(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      if (std::abs(e) > 1e-14 * euler.norm())
        out_.system.kinetic += (i == j ? 0.5 : 1.0) * e * dot(velocity_of(f.d[i]), velocity_of(f.d[j]));
    }
}

void Builder::add_named_coordinates() {
  for (const Joint& joint : m_.joints) {
    if (joint.angle)
      add_coordinate(*joint.angle, joint.turning_axis().normalized().dot(start_spin(joint.b) - start_spin(joint.a)));
    if (joint.slide)
      add_coordinate(*joint.slide, joint.axis.normalized().dot(start_velocity(joint.b, joint.at) -
                                                               start_velocity(joint.a, joint.at)));
  }
  for (const Cable& cable : m_.cables) {
    if (!cable.wound) continue;
    double rate = 0.0;
    for (std::size_t k = 0; k + 1 < cable.route.size(); ++k) {
      auto world = [&](const Attachment& p) {
        const Body* b = body(p.body);
        return b ? Vector3(b->position + b->rotation * p.at) : p.at;
      };
      const Vector3 from = world(cable.route[k]), to = world(cable.route[k + 1]);
      rate += (to - from).normalized().dot(start_velocity(cable.route[k + 1].body, to) -
                                           start_velocity(cable.route[k].body, from));
    }
    add_coordinate(*cable.wound, rate);
  }
  for (const auto& element : m_.force_elements)
    if (const NamedCoordinate* own = element->coordinate()) add_coordinate(*own, 0.0);
}

void Builder::add_rigidity(std::size_t k) {
  const Body& b = m_.bodies[k];
  if (b.point) return;
  const Frame& f = out_.frames[k];
  const auto n = static_cast<std::size_t>(dimension());
  for (std::size_t i = 0; i < n; ++i)
    constrain(b.name, {b.name + ".length" + std::to_string(i + 1), 0.5 * (dot(f.d[i], f.d[i]) - 1.0)});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      constrain(b.name, {b.name + ".right" + std::to_string(i + 1) + std::to_string(j + 1), dot(f.d[i], f.d[j])});
}

void Builder::add_joint(const Joint& joint) {
  const JointFrames frames = joint_frames(joint, frame(joint.a), frame(joint.b), body(joint.a), body(joint.b));
  for (const NamedExpr& f : joint_equations(joint, frames)) constrain(joint.name, f);
  if (joint.angle)
    out_.augmented.push_back(
        {joint.angle->variable, constrain(joint.name, {joint.name + ".angle", angle_equation(joint, frames)}), true});
  if (joint.slide)
    out_.augmented.push_back(
        {joint.slide->variable, constrain(joint.name, {joint.name + ".slide", slide_equation(joint, frames)}), true});
  const std::optional<NamedCoordinate>& named = joint.angle ? joint.angle : joint.slide;
  if (!named) return;
  const Expr x = at(named->variable), rate = at(named->variable, 1);
  if (joint.stiffness != 0.0) loads_.add_potential(0.5 * joint.stiffness * pow(x - joint.rest, 2.0));
  if (joint.angle && friction_ == Friction::between_bodies && joint.damping != 0.0)
    add_friction(joint);
  else
    loads_.add_dissipation(0.5 * joint.damping * pow(rate, 2.0));
  if (joint.motion)
    constrain(joint.name, {joint.name + ".motion", (joint.motion_level == Level::position ? x : rate) - *joint.motion},
              joint.motion_level);
}

// With one straight part ½(|Δ|² - l²) = 0, which is quadratic, and with several Σ|Δ| - l = 0. The multiplier times l,
// or itself, is the tension.
void Builder::add_cable(const Cable& cable) {
  std::vector<Expr> squares;
  Expr length = 0.0;
  std::vector<Expr> so_far;
  for (std::size_t k = 0; k + 1 < cable.route.size(); ++k) {
    const Vec x = point(cable.route[k + 1]) - point(cable.route[k]);
    squares.push_back(dot(x, x));
    length += sqrt(squares.back());
    so_far.push_back(length);
  }
  double start = 0.0;
  for (std::size_t k = 0; k + 1 < cable.route.size(); ++k) {
    auto world = [&](const Attachment& p) {
      const Body* b = body(p.body);
      return b ? Vector3(b->position + b->rotation * p.at) : p.at;
    };
    start += (world(cable.route[k + 1]) - world(cable.route[k])).norm();
  }
  const Expr l = cable.wound  ? at(cable.wound->variable)
                 : cable.drum ? start + cable.radius * (at(*cable.drum) - start_of(*cable.drum))
                              : Expr(cable.length.value_or(start));
  const bool single = squares.size() == 1;
  const std::size_t place = constrain(cable.name, {cable.name, single ? 0.5 * (squares[0] - pow(l, 2.0)) : length - l});
  out_.system.constraints[place].tension = single ? l : Expr(1.0);
  const Expr rate = ddt(l);
  if (cable.wound) {
    out_.system.kinetic += 0.5 * cable.inertia / (cable.radius * cable.radius) * pow(rate, 2.0);
    out_.augmented.push_back({cable.wound->variable, place, cable.inertia == 0.0});
  }
  for (std::size_t k = 0; k < cable.pulleys.size(); ++k) {
    const Pulley& pulley = cable.pulleys[k];
    // What has passed the pulley: the length wound off less what lies before it.
    if (pulley.inertia > 0.0)
      out_.system.kinetic += 0.5 * pulley.inertia / (pulley.radius * pulley.radius) * pow(rate - ddt(so_far[k]), 2.0);
  }
}

void Builder::add_spin(const PrescribedSpin& spin) {
  const Frame f = frame(spin.body);
  const std::size_t first = dimension() == 2 ? 2 : 0;
  Vec omega = {0.0, 0.0, 0.0};
  for (const Vec& d : f.d) omega = omega + 0.5 * cross(d, velocity_of(d));
  for (std::size_t c = first; c < 3; ++c)
    constrain(spin.name, {spin.name + "." + axis_names[c], omega[c] - spin.angular_velocity[c]}, Level::velocity);
}

void Builder::add_actuator(const Actuator& actuator) {
  Exprs direction(out_.system.coordinates.size(), 0.0);
  if (actuator.coordinate) {
    for (std::size_t i = 0; i < direction.size(); ++i)
      if (out_.system.coordinates[i] == *actuator.coordinate) direction[i] = actuator.gain;
  } else {
    const int axes = actuator.reacts_on.value_or(actuator.body);
    const Frame f = frame(actuator.body), of_axes = frame(axes);
    if (!actuator.force.isZero()) {
      const Vec force = actuator.in_body_axes ? of_axes.direction(actuator.gain * actuator.force)
                                              : constant(actuator.gain * actuator.force);
      loads_.push(direction, f.point(actuator.at), force);
    }
    if (!actuator.torque.isZero()) {
      Vec torque = constant(actuator.gain * actuator.torque);
      if (actuator.in_body_axes && axes != ground) {
        const std::array<Vec, 3> contra = of_axes.contravariant();
        torque = torque[0] * contra[0] + torque[1] * contra[1] + torque[2] * contra[2];
      }
      loads_.twist(direction, actuator.body, torque);
      if (actuator.reacts_on) loads_.twist(direction, *actuator.reacts_on, -1.0 * torque);
    }
  }
  out_.system.add_input(actuator.name, std::move(direction));
}

Expr Builder::with_places(const Expr& formula, const std::vector<Variable>& places) const {
  Exprs from, to;
  for (const Variable& place : places) {
    const auto own = std::ranges::find(out_.system.coordinates, place.name(), &Variable::name);
    expects(own != out_.system.coordinates.end(), "a coordinate of a body");
    for (const int order : {0, 1}) {
      from.push_back(at(place).derivative(order));
      to.push_back(at(*own).derivative(order));
    }
  }
  return from.empty() ? formula : substitute(Exprs{formula}, from, to)[0];
}

void Builder::add_output(const Output& output) {
  std::vector<Quantity>& outputs = out_.system.outputs;
  const auto n = static_cast<std::size_t>(dimension());
  if (output.formula) outputs.push_back({output.name, with_places(*output.formula, output.places)});
  if (output.point) {
    const Vec x = point(*output.point);
    for (std::size_t c = 0; c < n; ++c) outputs.push_back({output.name + "." + axis_names[c], x[c]});
  }
  if (output.spin) {
    const Frame f = frame(*output.spin);
    const Vec omega = loads_.spin(*output.spin);
    for (std::size_t c = n == 2 ? 2 : 0; c < 3; ++c)
      outputs.push_back({output.name + "." + axis_names[c], output.in_body_axes ? dot(f.d[c], omega) : omega[c]});
  }
  if (output.orientation) {
    const Frame f = frame(*output.orientation);
    const Body& b = m_.bodies[static_cast<std::size_t>(*output.orientation)];
    auto component = [&](std::size_t i, std::size_t c) {
      return dot(f.d[i], constant(b.rotation.col(static_cast<Eigen::Index>(c))));
    };
    outputs.push_back({output.name + ".z", component(0, 1)});
    if (n == 3) {
      outputs.push_back({output.name + ".y", component(0, 2)});
      outputs.push_back({output.name + ".x", component(1, 2)});
    }
  }
}

}  // namespace

Assembly assemble(const Mechanism& mechanism, Friction friction) { return Builder(mechanism, friction).build(); }

}  // namespace invar
