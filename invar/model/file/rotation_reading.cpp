// Rotations: about an axis, by a quaternion, a matrix or three angles; in the plane an angle. See mechanism_reading.h.
#include <Eigen/Geometry>
#include <array>

#include "invar/base/message.h"
#include "invar/model/file/mechanism_reading.h"
#include "invar/model/mechanism/inertia.h"

namespace invar::model {
namespace {

Matrix3 read_angle(const Reading& reading, Section& section, std::string_view key) {
  if (const Entry* entry = section.find(key); entry && entry->value.as<Table>())
    section.fail(entry->value.position, "in the plane " + in_quotes(key) + " is one angle, not a table");
  return Eigen::AngleAxisd(read_real(reading, section, key, 0.0), Vector3::UnitZ()).toRotationMatrix();
}

}  // namespace

Matrix3 read_rotation(const Reading& reading, Section& section, std::string_view key) {
  if (reading.parts->mechanism.dimension == 2) return read_angle(reading, section, key);
  auto table = section.table(key, section.title() + ": " + std::string(key));
  if (!table) return Matrix3::Identity();
  struct Form {
    std::string_view key;
    std::size_t size;
    Matrix3 (*make)(std::span<const double>);
  };
  constexpr std::array<Form, 3> forms = {Form{"quaternion", 4, rotation_from_quaternion},
                                         Form{"matrix", 9, rotation_from_matrix},
                                         Form{"bryant", 3, rotation_from_bryant}};
  std::optional<Matrix3> rotation;
  for (const Form& form : forms)
    if (const Entry* entry = table->find(form.key)) {
      if (table->entries().size() > 1 && table->find("axis"))
        table->fail(entry->position, "give either \"axis\" and \"angle\" or " + in_quotes(form.key));
      if (rotation) table->fail(entry->position, "give one form only");
      const std::vector<double> numbers = read_numbers(reading, *table, *entry, form.size);
      at_position(reading, entry->value.position, table->title() + ": ", [&] { rotation = form.make(numbers); });
    }
  if (!rotation) {
    const Vector3 axis = read_direction(reading, *table, "axis");
    rotation = Eigen::AngleAxisd(read_real(reading, *table, "angle"), axis).toRotationMatrix();
  }
  table->finish();
  return *rotation;
}

}  // namespace invar::model
