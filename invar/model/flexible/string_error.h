// How far a string stands from where it would stand with ever finer elements, under the forces that it carries.
//
// Between the Gauss points the force n is continued (recovered_force.h), and from the first node of each element on
// r,s = (1 + |n| / EA) n / |n| is integrated. What is missing to the other end is what the element does wrong;
// line_error.h says what all that does together.
#pragma once

#include <optional>
#include <span>

#include "invar/model/flexible/line_error.h"
#include "invar/model/flexible/member_mesh.h"

namespace invar {

class StringError {
 public:
  StringError(MemberMesh mesh, std::optional<double> stiffness, LineEnd first, LineEnd last)
      : mesh_(std::move(mesh)), stiffness_(stiffness), first_(first), last_(last) {}

  // The largest distance. By how much it is longer than its mesh; places of the nodes one after the other; if it is
  // inextensible, the tension at every Gauss point. Zero if it is slack somewhere, or nearly so: its shape is then not
  // that of forces in balance.
  double operator()(std::span<const double> values) const;

 private:
  MemberMesh mesh_;
  std::optional<double> stiffness_;
  LineEnd first_, last_;
};

}  // namespace invar
