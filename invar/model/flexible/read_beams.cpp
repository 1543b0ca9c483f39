// [[beam]]: what bends, twists, stretches and shears.
#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

#include "invar/base/message.h"
#include "invar/model/flexible/beam.h"
#include "invar/model/flexible/member_reading.h"
#include "invar/model/flexible/read_members.h"

namespace invar::model {
namespace {

bool in_plane(const Reading& reading) { return reading.parts->mechanism.dimension == 2; }

// A number for both directions, or two.
std::array<double, 2> read_two(const Reading& reading, Section& item, std::string_view key) {
  const Entry& entry = item.require(key);
  if (!entry.value.as<Array>()) {
    const double both = read_positive(reading, item, key);
    return {both, both};
  }
  const std::vector<double> x = read_numbers(reading, item, entry, 2);
  if (!(x[0] > 0.0 && x[1] > 0.0)) item.fail(entry.value.position, in_quotes(key) + " must be positive");
  return {x[0], x[1]};
}

SectionShape read_section_shape(const Reading& reading, Section& item) {
  Section section = *item.table("section", item.title() + ": section");
  if (section.entries().size() != 1)
    section.fail(section.position(), "give one of \"circle\", \"tube\" and \"rectangle\"");
  SectionShape shape{};
  if (section.find("circle")) {
    shape = {SectionShape::Kind::circle, {read_positive(reading, section, "circle")}};
  } else if (const Entry* tube = section.find("tube")) {
    shape = {SectionShape::Kind::tube, read_numbers(reading, section, *tube, 2)};
    if (!(shape.size[0] > shape.size[1] && shape.size[1] > 0.0))
      section.fail(tube->value.position, "\"tube\" is an outer radius and a smaller inner one");
  } else if (const Entry* sides = section.find("rectangle")) {
    shape = {SectionShape::Kind::rectangle, read_numbers(reading, section, *sides, 2)};
    if (!(shape.size[0] > 0.0 && shape.size[1] > 0.0))
      section.fail(sides->value.position, "\"rectangle\" is two positive lengths");
  }
  section.finish("section");
  return shape;
}

Material read_material(const Reading& reading, Section& item) {
  auto section = item.table("material", item.title() + ": material");
  if (!section) item.fail(item.require("section").position, "\"section\" needs a \"material\"");
  Material material;
  material.young = read_positive(reading, *section, "E");
  const Entry *shear = section->find("G"), *poisson = section->find("nu");
  if ((shear == nullptr) == (poisson == nullptr)) section->fail(section->position(), "give either \"G\" or \"nu\"");
  const double nu = read_real(reading, *section, "nu", 0.0);
  if (!(nu > -1.0 && nu < 0.5)) section->fail(poisson->value.position, "\"nu\" must lie between -1 and 0.5");
  material.shear = shear ? read_positive(reading, *section, "G") : material.young / (2.0 * (1.0 + nu));
  material.density = read_not_negative(reading, *section, "density", 0.0);
  section->finish();
  return material;
}

Matrix6 read_whole_stiffness(const Reading& reading, Section& item) {
  const std::vector<double> x = read_numbers(reading, item, item.require("stiffness"), 36);
  return Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>(x.data());
}

constexpr std::array<std::string_view, 4> stiffness_keys = {"EA", "GA", "EI", "GJ"};

void refuse_beside(Section& item, std::string_view given, std::initializer_list<std::string_view> others) {
  for (const std::string_view key : others)
    if (const Entry* entry = item.find(key))
      item.fail(entry->position, "contradicts " + in_quotes(given) + ": give one of them");
}

// What is rigid needs no stiffness.
double stiffness_unless(bool rigid, const Reading& reading, Section& item, std::string_view key) {
  return rigid && !item.find(key) ? 0.0 : read_positive(reading, item, key);
}

Matrix6 read_stiffness(const Reading& reading, Section& item, const std::array<bool, 6>& rigid) {
  Matrix6 c = Matrix6::Zero();
  const bool planar = in_plane(reading);
  if (!(rigid[0] && rigid[1]) || item.find("GA")) {
    const auto [first, second] = read_two(reading, item, "GA");
    c(0, 0) = first, c(1, 1) = second;
  }
  c(2, 2) = stiffness_unless(rigid[2], reading, item, "EA");
  const auto [first, second] = read_two(reading, item, "EI");
  c(3, 3) = first, c(4, 4) = second;
  c(5, 5) = planar ? 0.0 : stiffness_unless(rigid[5], reading, item, "GJ");
  return c;
}

// With the shape, if one is given.
BeamSection read_section(const Reading& reading, Section& item, const std::array<bool, 6>& rigid,
                         std::optional<SectionShape>& shape) {
  BeamSection section;
  const bool shaped = item.find("section") != nullptr;
  if (shaped) {
    refuse_beside(item, "section", {"EA", "GA", "EI", "GJ", "stiffness"});
    std::optional<double> shear;
    if (item.find("shear_correction")) shear = read_positive(reading, item, "shear_correction");
    shape = read_section_shape(reading, item);
    section = section_of(*shape, read_material(reading, item), shear);
  } else if (item.find("stiffness")) {
    refuse_beside(item, "stiffness", {"EA", "GA", "EI", "GJ"});
    section.stiffness = read_whole_stiffness(reading, item);
  } else {
    bool any = false;
    for (const std::string_view key : stiffness_keys) any = item.find(key) || any;
    if (!any)
      item.fail(
          item.position(),
          "missing its stiffness: \"EA\", \"GA\", \"EI\", \"GJ\", or \"section\" and \"material\", or \"stiffness\"");
    section.stiffness = read_stiffness(reading, item, rigid);
  }
  if (!shaped || item.find("mass_per_length")) section.mass = read_not_negative(reading, item, "mass_per_length");
  if (item.find("inertia_per_length")) {
    if (in_plane(reading))
      section.inertia = Vector3::Constant(read_not_negative(reading, item, "inertia_per_length"));
    else
      section.inertia = read_vector(reading, item, "inertia_per_length");
    if (section.inertia.minCoeff() < 0.0 || section.euler().minCoeff() < -1e-12 * section.inertia.maxCoeff())
      item.fail(item.require("inertia_per_length").value.position,
                "is no inertia: each of its numbers is at most the sum of the others");
  }
  if (in_plane(reading))
    section.inertia = Vector3(section.inertia[0], 0.5 * section.inertia[0], 0.5 * section.inertia[0]);
  return section;
}

std::array<bool, 6> read_rigid(const Reading& reading, Section& item) {
  std::array<bool, 6> rigid = {};
  if (!item.find("rigid")) return rigid;
  for (const Text& word : item.strings("rigid")) {
    if (word.text == "shear")
      rigid[0] = rigid[1] = true;
    else if (word.text == "extension")
      rigid[2] = true;
    else if (word.text == "torsion" && !in_plane(reading))
      rigid[5] = true;
    else
      item.fail(word.position,
                "unknown strain " + in_quotes(word.text) + "; \"rigid\" takes " +
                    (in_plane(reading) ? "\"shear\" and \"extension\"" : "\"shear\", \"extension\" and \"torsion\""));
  }
  return rigid;
}

// In the plane a node turns about z, and its first director is along the beam.
void turn_node(const Reading& reading, const Matrix3& axes, Body& node, Station& station) {
  if (!in_plane(reading)) {
    node.rotation = axes;
    return;
  }
  node.rotation << axes.col(2), Vector3::UnitZ().cross(axes.col(2)), Vector3::UnitZ();
  station.axes = node.rotation.transpose() * axes;
}

struct Motion {
  Vector3 velocity = Vector3::Zero(), spin = Vector3::Zero(), about = Vector3::Zero();
};

std::vector<Station> read_stations(Reading& reading, Section& item, const std::string& name, const CentreLine& line,
                                   const MemberMesh& mesh, const Vector3& normal,
                                   const std::function<Vector3(double)>& twist) {
  const Motion motion{read_vector(reading, item, "velocity", Vector3::Zero()),
                      read_turning(reading, item, "angular_velocity", Vector3::Zero()), line.place(0.0)};
  std::vector<Station> stations;
  for (std::size_t k = 0; k < mesh.nodes().size(); ++k) {
    const double s = mesh.nodes()[k];
    Matrix3 axes;
    at_position(reading, item.position(), item.title() + ": ",
                [&] { axes = section_axes(line.tangent(s), normal, twist(s)[0]); });
    const bool first = k == 0, last = k + 1 == mesh.nodes().size();
    if (first || last) {
      const auto end = read_end(reading, item, first ? "from" : "to", line.place(s), axes);
      if (end && is_point(reading, end->body))
        item.fail(item.require(first ? "from" : "to").position,
                  in_words(reading, end->body) + " has no axes that could hold an end; use a joint");
      if (end) {
        stations.push_back(*end);
        continue;
      }
    }
    Body node;
    node.name = fmt::format("{}.n{}", name, k);
    node.node = true;
    node.position = line.place(s);
    node.angular_velocity = motion.spin;
    node.velocity = motion.velocity + motion.spin.cross(node.position - motion.about);
    Station station;
    turn_node(reading, axes, node, station);
    const Matrix3 own = station.axes;
    station = add_node(reading, item, std::move(node));
    station.axes = own;
    stations.push_back(station);
  }
  return stations;
}

void read_loads(Reading& reading, Section& item, Beam& beam) {
  if (!item.find("load") && !item.find("follower_load")) return;
  beam.arc_length = enter_arc_length(reading, item);
  const Allowed allowed{.order = -1, .time = true};
  if (item.find("load")) beam.load = read_vector_formulas(reading, item, "load", allowed);
  if (item.find("follower_load")) beam.follower_load = read_vector_formulas(reading, item, "follower_load", allowed);
  leave_arc_length(reading);
}

std::function<Vector3(double)> read_twist(Reading& reading, Section& item) {
  if (!item.find("twist")) return [](double) { return Vector3(Vector3::Zero()); };
  if (in_plane(reading)) item.fail(item.require("twist").position, "in the plane nothing twists");
  const Expr s = enter_arc_length(reading, item);
  const std::vector<Expr> angle = {
      read_formula(reading, item.require("twist").value, where(item, "twist"), {.time = false}), 0.0, 0.0};
  leave_arc_length(reading);
  use_up(reading, angle, where(item, "twist"));
  return along_line(angle, s);
}

MemberLine drawn_beam(const MemberMesh& mesh, const std::vector<Station>& stations,
                      const std::optional<SectionShape>& shape) {
  MemberLine line{.nodes = mesh.nodes(), .points = mesh.all_strain_points()};
  for (const Station& station : stations) line.normals.emplace_back(station.axes.col(0));
  for (std::size_t i = 0; i < section_force_names.size(); ++i)
    line.forces.push_back({section_force_names[i], i < 3 ? "N" : "N m"});
  if (!shape) return line;
  (shape->kind == SectionShape::Kind::rectangle ? line.sides : line.radii) = shape->size;
  if (shape->kind == SectionShape::Kind::circle) line.radii.push_back(0.0);
  return line;
}

void read_beam(Reading& reading, Section& item) {
  const std::string name = read_item_name(reading, item, NameKind::body, "beam");
  const CentreLine line = read_line(reading, item);
  if (!(line.length > 0.0)) item.fail(item.position(), "has no length");
  const MemberMesh mesh = read_mesh(reading, item, name, line.length);
  const Vector3 normal = in_plane(reading) ? Vector3(Vector3::UnitZ()) : read_direction(reading, item, "normal");
  const std::array<bool, 6> rigid = read_rigid(reading, item);
  std::optional<SectionShape> shape;
  const BeamSection section = read_section(reading, item, rigid, shape);
  at_position(reading, item.position(), item.title() + ": ", [&] { strain_terms(section.stiffness, rigid); });
  const std::function<Vector3(double)> twist = read_twist(reading, item);
  std::vector<Station> stations = read_stations(reading, item, name, line, mesh, normal, twist);
  enter_member(reading, name, mesh, stations);
  MemberLine drawn = drawn_beam(mesh, stations, shape);
  const auto beam = std::make_shared<Beam>(mesh, std::move(stations), section);
  beam->drawn = std::move(drawn);
  beam->name = name;
  beam->rigid = rigid;
  beam->damping = read_not_negative(reading, item, "damping", 0.0);
  read_loads(reading, item, *beam);
  item.finish();
  reading.parts->mechanism.force_elements.push_back(beam);
}

}  // namespace

void read_beams(Reading& reading, Section& top) {
  if (!reading.parts) return;
  for (Section& item : top.tables("beam", "[[beam]]")) read_beam(reading, item);
}

}  // namespace invar::model
