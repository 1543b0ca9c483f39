// What the readers of beams and strings share: the line at the start, its mesh, its ends, and the places on it that
// other parts of the file speak of. Only readers include it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/model/file/mechanism_reading.h"
#include "invar/model/flexible/centre_line.h"
#include "invar/model/flexible/member_mesh.h"
#include "invar/model/flexible/station.h"

namespace invar::model {

// "points", "arc" or "curve" with "length"; only the curve of a string may be stretched.
CentreLine read_line(Reading& reading, Section& item, bool may_be_stretched = false);
// The array "points".
std::vector<Vector3> read_line_points(const Reading& reading, Section& item);

// The arc lengths at all places { on = "NAME", s = … } of the file.
std::vector<const Value*> places_on(const Reading& reading, const std::string& name);

// "elements", "element_nodes"; with a node at every place { on = …, s = … } of the file.
MemberMesh read_mesh(const Reading& reading, Section& item, const std::string& name, double length);

// "from" or "to": the body that carries an end, if one does, and the end at this place in it.
std::optional<Station> read_end(const Reading& reading, Section& item, std::string_view key, const Vector3& place,
                                const Matrix3& axes);

// The symbol of arc length while formulas of it are read.
Expr enter_arc_length(Reading& reading, const Section& item);
void leave_arc_length(Reading& reading);

// Numbers from formulas of arc length.
std::function<Vector3(double)> along_line(const std::vector<Expr>& formulas, const Expr& s);

// A node of a beam or string that is a body, or a point, of its own.
Station add_node(Reading& reading, const Section& item, Body node);
void enter_member(Reading& reading, const std::string& name, const MemberMesh& mesh,
                  const std::vector<Station>& stations);

}  // namespace invar::model
