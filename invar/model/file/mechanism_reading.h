// What the readers of bodies, joints, force elements and their like share: numbers, vectors and places. Only readers
// include it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "invar/model/file/reading.h"

namespace invar::model {

// What the start may miss a joint or cable by, relative to the lengths at hand; less is repaired in silence.
inline constexpr double start_tolerance = 1e-6;

// Numbers or formulas of the parameters. Those with `otherwise` may be missing.
double read_real(const Reading& reading, Section& section, std::string_view key);
double read_real(const Reading& reading, Section& section, std::string_view key, double otherwise);
double read_positive(const Reading& reading, Section& section, std::string_view key);
double read_not_negative(const Reading& reading, Section& section, std::string_view key);
double read_not_negative(const Reading& reading, Section& section, std::string_view key, double otherwise);

// The entries of an array of this size.
const Array& read_array(const Section& section, const Entry& entry, std::size_t size);
std::vector<double> read_numbers(const Reading& reading, const Section& section, const Entry& entry, std::size_t size);

// A place, a velocity, a force: three numbers, in the plane two.
Vector3 read_vector(const Reading& reading, Section& section, std::string_view key);
Vector3 read_vector(const Reading& reading, Section& section, std::string_view key, const Vector3& otherwise);
// An axis, of length one.
Vector3 read_direction(const Reading& reading, Section& section, std::string_view key);
// An angular velocity or a torque: three numbers, in the plane one number, which turns from x to y.
Vector3 read_turning(const Reading& reading, Section& section, std::string_view key, const Vector3& otherwise);

// The same by formulas; three in any case, with zeros in the plane.
std::vector<Expr> read_vector_formulas(const Reading& reading, Section& section, std::string_view key,
                                       const Allowed& allowed);
std::vector<Expr> read_turning_formulas(const Reading& reading, Section& section, std::string_view key,
                                        const Allowed& allowed);

// The axes of something against the world, in one of several forms; in the plane one angle. The identity if it is
// missing.
Matrix3 read_rotation(const Reading& reading, Section& section, std::string_view key);

// The body or point of this name, or the ground.
int read_body(const Reading& reading, const Section& section, const Text& name);
// Under this key; not the ground. Also { on = "boom", s = 3.2 }: a place on a beam or string.
int read_moving_body(const Reading& reading, Section& section, std::string_view key);
// `between`: two different ones, by name or as places on beams.
std::pair<int, int> read_pair(const Reading& reading, Section& section);
// The keys `on` and `at` of a section, and `s` if it is on a beam or string.
Attachment read_attachment(const Reading& reading, Section& section);
// frame = "world" or "body": whether it is the latter.
bool read_in_body_axes(Section& section);
// A coordinate with a name of its own.
Variable read_coordinate(const Reading& reading, const Section& section, const Text& name);
Text read_text(Section& section, std::string_view key);

// A new coordinate under this name.
NamedCoordinate add_coordinate(Reading& reading, const Text& name, double start);

const Body* find_body(const Reading& reading, int body);  // nothing for the ground
bool is_point(const Reading& reading, int body);
std::string in_words(const Reading& reading, int body);  // `point "load"`, `body "boom"` or `the ground`
Vector3 place_at_start(const Reading& reading, const Attachment& attachment);

// Whether a [[joint]] is a gear, which ties coordinates and not bodies.
bool is_gear(Section& joint);

// A point mass has one place only: that is where what takes hold of it is, whether it is said or not.
Vector3 read_place(const Reading& reading, Section& section, std::string_view key, int point);

// A name for a part that was not given one: `spring3`.
std::string read_optional_name(Reading& reading, Section& item, NameKind kind, const std::string& otherwise,
                               std::string_view word = {});

// What [initial] says about a model of bodies: rates of named coordinates.
void read_rates(Reading& reading, Section& top);

}  // namespace invar::model
