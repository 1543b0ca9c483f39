// [[trajectory]] with `orientation`: a body turns from its start orientation about a fixed axis by an angle ψ(t).
//
//   R_d(t) = exp(ψ(t) n) R_0,   d_i · r_j(t) = 0 for i < j:  three off-diagonal entries of RᵀR_d
#include <Eigen/Geometry>
#include <algorithm>

#include "invar/base/message.h"
#include "invar/model/file/course.h"
#include "invar/model/file/mechanism_reading.h"
#include "invar/model/mechanism/frame.h"

namespace invar::model {
namespace {

// The same trajectory as if the angle were an output: `angle` is where it goes, from zero.
Table as_course(Section& section) {
  Table table;
  for (const Entry& entry : section.entries()) {
    if (entry.key == "orientation" || entry.key == "axis") continue;
    table.push_back(entry);
    if (entry.key != "angle") continue;
    table.back().key = "to";
    table.push_back({"from", entry.position, {entry.value.position, 0.0}});
  }
  return table;
}

// Coordinates of bodies, or what they are in other coordinates.
Expr component(const System& system, const std::string& name) {
  for (const Variable& x : system.coordinates)
    if (x.name() == name) return at(x);
  for (const Quantity& y : system.shown)
    if (y.name == name) return y.expr;
  throw InputError("unknown coordinate " + in_quotes(name));
}

Vec director(const System& system, const Body& body, int i, int dimension) {
  Vec d = {0.0, 0.0, 0.0};
  const std::string name = body.name + ".d" + std::to_string(i + 1) + ".";
  for (std::size_t c = 0; c < static_cast<std::size_t>(dimension); ++c) d[c] = component(system, name + "xyz"[c]);
  return d;
}

// A direction that turns about an axis with the angle (Rodrigues).
Vec turned(const Vector3& r, const Vector3& axis, const Expr& angle) {
  const Vector3 along = axis * axis.dot(r), across = r - along, ahead = axis.cross(r);
  return constant(along) + cos(angle) * constant(across) + sin(angle) * constant(ahead);
}

Course read_angle(const Reading& reading, Section& section, const std::string& name) {
  const Entry* form = find_form(section);
  if (!form || form->key != "expr") return read_courses(reading, section, form, {{name}, false, true})[0];
  refuse_details(section, "\"expr\"");
  const Expr formula = read_formula(reading, form->value, section.title() + ": angle", {});
  use_up(reading, {&formula, 1}, section.title() + ": angle");
  const Known known{parameters(reading.problem.system), parameter_values(reading.problem.system),
                    reading.problem.signals};
  Course course;
  at_position(reading, form->value.position, section.title() + ": ",
              [&] { course.function = formula_of_time(formula, known); });
  if (formula.is_constant()) course.constant = formula.value();
  if (const std::vector<double> knots = course.function->knots(); !knots.empty()) course.end = knots.back();
  return course;
}

}  // namespace

void read_turn(Reading& reading, Section& section, std::set<std::string>& prescribed) {
  Problem& problem = reading.problem;
  if (!reading.parts)
    section.fail(section.require("orientation").position, "\"orientation\" is that of a body; [system] has none");
  const Text name = read_text(section, "orientation");
  const int index = read_moving_body(reading, section, "orientation"), dimension = reading.parts->mechanism.dimension;
  const Body& body = *find_body(reading, index);
  if (body.point) section.fail(name.position, in_words(reading, index) + " has no orientation");
  const Vector3 axis = dimension == 2 ? Vector3(Vector3::UnitZ()) : read_direction(reading, section, "axis");
  if (section.find("angle")) read_real(reading, section, "angle");
  for (const std::string_view key : {"from", "to"})
    if (const Entry* entry = section.find(key))
      section.fail(entry->position, "unknown key " + in_quotes(key) + "; give \"angle\"");

  const Table table = as_course(section);
  Section rest(reading.document, table, section.position(), section.title());
  const std::string title = body.name + ".rotation";
  if (!prescribed.insert(title).second)
    section.fail(name.position, "the orientation of " + in_quotes(body.name) + " is prescribed twice");
  const Course course = read_angle(reading, rest, title);
  Expr angle = course.constant.value_or(0.0);
  if (!course.constant) {
    problem.signals.push_back({title, problem.system.graph.reference(title), course.function});
    angle = at(problem.signals.back().value);
  }
  const auto add = [&](const char* about, int i, int j) {
    problem.targets.push_back(
        {title + "." + about,
         dot(director(problem.system, body, i, dimension), turned(body.rotation.col(j), axis, angle)),
         {}});
  };
  if (dimension == 3) add("x", 1, 2), add("y", 0, 2);
  add("z", 0, 1);
  reading.end_of_motion = std::max(reading.end_of_motion, course.end);
}

}  // namespace invar::model
