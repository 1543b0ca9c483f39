// [[body]] and [[point]]: what has mass, and where it is and how it moves at the start.
#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "invar/base/message.h"
#include "invar/model/file/mechanism_reading.h"
#include "invar/model/file/samples.h"
#include "invar/model/mechanism/frame.h"
#include "invar/model/mechanism/inertia.h"

namespace invar::model {
namespace {

constexpr std::size_t most_bodies = 10000;  // each has up to 12 coordinates
Matrix3 read_body_axes(const Reading& reading, Section& item, int dimension) {
  if (dimension == 3) return read_rotation(reading, item, "rotation");
  const Entry* angle = item.find("angle");
  const Entry* rotation = item.find("rotation");
  if (angle && rotation) item.fail(rotation->position, "give either \"angle\" or \"rotation\"");
  if (!angle) return read_rotation(reading, item, "rotation");
  return Eigen::AngleAxisd(read_real(reading, item, "angle"), Vector3::UnitZ()).toRotationMatrix();
}

Matrix3 read_inertia(const Reading& reading, Section& item, int dimension) {
  const Entry& entry = item.require("inertia");
  Matrix3 inertia = Matrix3::Zero();
  const auto* items = entry.value.as<Array>();
  if (dimension == 2) {
    if (items) item.fail(entry.value.position, "in the plane \"inertia\" is one number, not an array");
    inertia(2, 2) = read_not_negative(reading, item, "inertia");
    return inertia;
  }
  if (!items || (items->size() != 3 && items->size() != 6 && items->size() != 9))
    item.fail(entry.value.position,
              "\"inertia\" must have 3, 6 (xx yy zz xy xz yz) or 9 entries, not " +
                  (items ? std::to_string(items->size()) : "be " + std::string(kind_name(entry.value))));
  const std::vector<double> numbers = read_numbers(reading, item, entry, items->size());
  at_position(reading, entry.value.position, item.title() + ": inertia: ", [&] { inertia = inertia_from(numbers); });
  return inertia;
}

std::shared_ptr<const Mesh> read_surface(const Reading& reading, Section& shape) {
  const std::string path = read_path(reading, shape, "mesh");
  const double scale = shape.find("scale") ? read_positive(reading, shape, "scale") : 1.0;
  std::shared_ptr<const Mesh> mesh;
  at_position(reading, shape.require("mesh").value.position, shape.title() + ": ",
              [&] { mesh = std::make_shared<Mesh>(read_mesh(path, scale)); });
  return mesh;
}

Shape read_shape(const Reading& reading, Section& item) {
  Shape result;
  auto shape = item.table("shape", item.title() + ": shape");
  if (!shape) return result;
  const bool scaled = shape->find("mesh") && shape->find("scale");
  if (shape->entries().size() != (scaled ? 2u : 1u))
    shape->fail(shape->position(), "give one of \"box\", \"cylinder\", \"sphere\" and \"mesh\"");
  if (const Entry* box = shape->find("box"))
    result = {
        .kind = Shape::Kind::box,
        .size = read_numbers(reading, *shape, *box, static_cast<std::size_t>(reading.parts->mechanism.dimension))};
  if (const Entry* cylinder = shape->find("cylinder"))
    result = {.kind = Shape::Kind::cylinder, .size = read_numbers(reading, *shape, *cylinder, 2)};
  if (shape->find("sphere")) result = {.kind = Shape::Kind::sphere, .size = {read_positive(reading, *shape, "sphere")}};
  if (shape->find("mesh")) result = {.kind = Shape::Kind::mesh, .mesh = read_surface(reading, *shape)};
  shape->finish("shape");
  return result;
}

std::array<int, 3> read_turning_axes(const Section& section, const Entry& entry) {
  const std::string* text = entry.value.as<std::string>();
  constexpr std::string_view letters = "xyz";
  std::array<int, 3> axes{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t place = text && text->size() == 3 ? letters.find((*text)[i]) : std::string_view::npos;
    if (place == std::string_view::npos || (i > 0 && static_cast<int>(place) == axes[i - 1]))
      section.fail(entry.value.position,
                   "\"axes\" must be three letters x, y, z, of which no two neighbours are the same, such as \"zxz\"");
    axes[i] = static_cast<int>(place);
  }
  return axes;
}

// At a singular start the rates of two angles would turn the body about one axis.
void refuse_singular_start(const Section& section, const Entry& start, const TurningAngles& angles) {
  constexpr double near = 1e-3;
  const bool proper = angles.axes[0] == angles.axes[2];
  if (std::abs(proper ? std::sin(angles.start[1]) : std::cos(angles.start[1])) < near)
    section.fail(start.value.position, proper ? "these angles are singular where the second one is a multiple of π"
                                              : "these angles are singular where the second one is a right angle");
}

TurningAngles read_angles(const Reading& reading, Section& item, int dimension) {
  TurningAngles angles;
  auto section = item.table("turning_angles", item.title() + ": turning_angles");
  if (!section) return angles;
  if (dimension == 2) section->fail(section->position(), "in the plane a body has one angle");
  angles.axes = read_turning_axes(*section, section->require("axes"));
  angles.start = read_vector(reading, *section, "start");
  refuse_singular_start(*section, section->require("start"), angles);
  section->finish();
  return angles;
}

// Enters the names of the body and of its coordinates.
std::string read_body_name(Reading& reading, Section& item, NameKind kind) {
  const std::string name = item.string("name");
  const Position position = item.require("name").value.position;
  if (name == "ground") item.fail(position, "\"ground\" is there already");
  read_item_name(reading, item, kind);
  const auto n = static_cast<std::size_t>(reading.parts->mechanism.dimension);
  const auto enter = [&](const std::string& coordinate) {
    add_name(reading.names, reading.document, position, coordinate, NameKind::placement);
  };
  for (std::size_t c = 0; c < n; ++c) enter(name + "." + axis_names[c]);
  if (kind == NameKind::body)
    for (std::size_t i = 1; i <= n; ++i)
      for (std::size_t c = 0; c < n; ++c) enter(name + ".d" + std::to_string(i) + "." + axis_names[c]);
  return name;
}

void read_one(Reading& reading, Section& item, NameKind kind) {
  Mechanism& mechanism = reading.parts->mechanism;
  Body body;
  body.name = read_body_name(reading, item, kind);
  body.point = kind == NameKind::point;
  body.mass = body.point ? read_not_negative(reading, item, "mass") : read_positive(reading, item, "mass");
  body.position = read_vector(reading, item, "position");
  body.velocity = read_vector(reading, item, "velocity", Vector3::Zero());
  if (!body.point) {
    body.inertia = read_inertia(reading, item, mechanism.dimension);
    body.rotation = read_body_axes(reading, item, mechanism.dimension);
    body.angular_velocity = read_turning(reading, item, "angular_velocity", Vector3::Zero());
    body.own_angles = item.find("turning_angles") != nullptr;
    body.angles = read_angles(reading, item, mechanism.dimension);
  }
  body.shape = read_shape(reading, item);
  item.finish();
  reading.parts->bodies.emplace(body.name, static_cast<int>(mechanism.bodies.size()));
  mechanism.bodies.push_back(std::move(body));
}

void read_all(Reading& reading, Section& top, NameKind kind) {
  if (!reading.parts) return;
  const std::string key(kind_name(kind));
  std::vector<Section> items = top.tables(key, "[[" + key + "]]");
  if (items.size() > most_bodies)
    top.fail(top.require(key).value.position, "[[" + key + "]]: more than " + std::to_string(most_bodies));
  for (Section& item : items) read_one(reading, item, kind);
}

}  // namespace

void read_bodies(Reading& reading, Section& top) { read_all(reading, top, NameKind::body); }
void read_points(Reading& reading, Section& top) { read_all(reading, top, NameKind::point); }

}  // namespace invar::model
