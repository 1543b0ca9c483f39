// See bushing.h.
#include "invar/model/forces/bushing.h"

#include "invar/base/message.h"
#include "invar/expr/derivative.h"
#include "invar/model/file/mechanism_reading.h"
#include "invar/model/forces/force_kinds.h"
#include "invar/model/mechanism/loads.h"

namespace invar {

namespace {

using Axes = std::array<Vec, 3>;

// The axes of an end, written in the directors of its body or in their contravariant ones.
Axes written_in(const std::array<Vec, 3>& directors, const Matrix3& axes) {
  Axes e;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3 local = axes.col(static_cast<Eigen::Index>(i));
    e[i] = local[0] * directors[0] + local[1] * directors[1] + local[2] * directors[2];
  }
  return e;
}

// The ends that have axes: a point mass has none.
std::vector<const Bushing::End*> with_axes(const Bushing& bushing, const Loads& loads) {
  std::vector<const Bushing::End*> list;
  for (const Bushing::End* end : {&bushing.a, &bushing.b})
    if (const Body* body = loads.body(end->at.body); !body || !body->point) list.push_back(end);
  return list;
}

void resist_shifts(const Bushing& bushing, Loads& loads) {
  const Vec gap = loads.point(bushing.b.at) - loads.point(bushing.a.at);
  const auto ends = with_axes(bushing, loads);
  const double share = 0.5 / static_cast<double>(ends.size());
  for (const Bushing::End* end : ends) {
    const Axes e = written_in(loads.frame(end->at.body).d, end->axes);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto place = static_cast<Eigen::Index>(i);
      const Expr shift = dot(e[i], gap);
      if (const double k = bushing.stiffness[place]; k != 0.0) loads.add_potential(share * k * pow(shift, 2.0));
      if (const double c = bushing.damping[place]; c != 0.0) loads.add_dissipation(share * c * pow(ddt(shift), 2.0));
    }
  }
}

void resist_turns(const Bushing& bushing, Loads& loads) {
  const Axes a = written_in(loads.frame(bushing.a.at.body).d, bushing.a.axes),
             b = written_in(loads.frame(bushing.b.at.body).d, bushing.b.axes);
  const Vector3 c = Vector3::Constant(0.5 * bushing.rotational_stiffness.sum()) - bushing.rotational_stiffness;
  for (std::size_t i = 0; i < 3; ++i)
    if (const double ci = c[static_cast<Eigen::Index>(i)]; ci != 0.0) loads.add_potential(ci * (1.0 - dot(a[i], b[i])));
}

void brake_turns(const Bushing& bushing, Loads& loads) {
  const Vec spin = loads.spin(bushing.b.at.body) - loads.spin(bushing.a.at.body);
  for (const Bushing::End* end : {&bushing.a, &bushing.b}) {
    const Axes e = written_in(loads.frame(end->at.body).contravariant(), end->axes);
    for (std::size_t i = 0; i < 3; ++i)
      if (const double c = bushing.rotational_damping[static_cast<Eigen::Index>(i)]; c != 0.0)
        loads.twist_between(bushing.a.at.body, bushing.b.at.body, -0.5 * c * dot(e[i], spin) * e[i]);
  }
}

}  // namespace

void Bushing::act(Loads& loads) const {
  resist_shifts(*this, loads);
  if (!rotational_stiffness.isZero(0.0)) resist_turns(*this, loads);
  if (!rotational_damping.isZero(0.0)) brake_turns(*this, loads);
}

namespace model {
namespace {

Vector3 not_negative(Section& item, std::string_view key, const Vector3& x) {
  if (x.minCoeff() < 0.0) item.fail(item.require(key).value.position, in_quotes(key) + " must not be negative");
  return x;
}

void read_constants(const Reading& reading, Section& item, Bushing& bushing) {
  const Vector3 none = Vector3::Zero();
  bushing.stiffness = not_negative(item, "stiffness", read_vector(reading, item, "stiffness", none));
  bushing.damping = not_negative(item, "damping", read_vector(reading, item, "damping", none));
  bushing.rotational_stiffness =
      not_negative(item, "rotational_stiffness", read_turning(reading, item, "rotational_stiffness", none));
  bushing.rotational_damping =
      not_negative(item, "rotational_damping", read_turning(reading, item, "rotational_damping", none));
}

bool gives_constants(Section& item) {
  for (const std::string_view key : {"stiffness", "damping", "rotational_stiffness", "rotational_damping"})
    if (item.find(key)) return true;
  return false;
}

void refuse_points(const Reading& reading, Section& item, int a, int b) {
  if (!is_point(reading, a) && !is_point(reading, b)) return;
  if (is_point(reading, a) && is_point(reading, b))
    item.fail(item.require("between").value.position, "point masses have no axes that it could follow");
  for (const std::string_view key : {"rotational_stiffness", "rotational_damping", "rest_rotation"})
    if (const Entry* entry = item.find(key))
      item.fail(entry->position, in_words(reading, is_point(reading, a) ? a : b) + " has no orientation");
}

Bushing::End end_on(const Reading& reading, int body, const Vector3& place, const Matrix3& axes) {
  const Body* on = find_body(reading, body);
  if (!on) return {{body, place}, axes};
  return {{body, on->rotation.transpose() * (place - on->position)}, on->rotation.transpose() * axes};
}

}  // namespace

// The frames are one at the start, unless the second body would rest elsewhere: shifted and turned, as the first sees
// it.
std::shared_ptr<ForceElement> read_bushing(Reading& reading, Section& item) {
  auto bushing = std::make_shared<Bushing>();
  const auto [a, b] = read_pair(reading, item);
  read_constants(reading, item, *bushing);
  refuse_points(reading, item, a, b);
  const Body* carrier = find_body(reading, is_point(reading, a) ? b : a);
  const Vector3 at = is_point(reading, a)   ? read_place(reading, item, "at", a)
                     : is_point(reading, b) ? read_place(reading, item, "at", b)
                                            : read_vector(reading, item, "at");
  const Matrix3 axes = item.find("axes") ? read_rotation(reading, item, "axes")
                       : carrier         ? carrier->rotation
                                         : Matrix3(Matrix3::Identity());
  const Vector3 rest = axes * read_vector(reading, item, "rest", Vector3::Zero());
  const Matrix3 turned = axes * read_rotation(reading, item, "rest_rotation").transpose();
  item.finish();
  if (!gives_constants(item))
    item.fail(item.position(),
              "missing \"stiffness\", \"damping\", \"rotational_stiffness\" or \"rotational_damping\"");
  const bool shift_second = is_point(reading, a);  // a point mass is attached where it is
  bushing->a = end_on(reading, a, shift_second ? at : Vector3(at + rest), axes);
  bushing->b = end_on(reading, b, shift_second ? Vector3(at - rest) : at, turned);
  return bushing;
}

}  // namespace model

}  // namespace invar
