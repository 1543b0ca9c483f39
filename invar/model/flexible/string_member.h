// A string: a cable with mass that resists nothing but being longer.
//
// Its nodes are points. With π = r,s·r,s and the stretch √π it has V = ∫ ½ EA (√π − 1)² ds, a function of a quadratic
// form, or, if it is inextensible, the conditions ½ (π − 1) = 0 at the Gauss points, whose multipliers over the weight
// of the point are the tension. [J. C. Simo, N. Tarnow, K. K. Wong, CMAME 100 (1992) 63, for the discrete derivative]
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/model/flexible/member_mesh.h"
#include "invar/model/flexible/station.h"
#include "invar/model/mechanism/force_element.h"
#include "invar/model/mechanism/member_line.h"

namespace invar {

class StringMember : public ForceElement {
 public:
  StringMember(MemberMesh mesh, std::vector<Station> stations)
      : mesh_(std::move(mesh)), stations_(std::move(stations)) {}

  std::string_view kind() const override { return "string"; }
  void act(Loads& loads) const override;
  std::vector<Attachment> ends() const override;
  Picture picture() const override { return Picture::member; }
  const MemberLine* member() const override { return &drawn; }

  std::optional<double> stiffness;  // EA; none: inextensible
  double damping = 0.0;             // in s
  double mass = 0.0;                // per length
  MemberLine drawn;

 private:
  Watched slack(const Expr& tension) const;

  MemberMesh mesh_;
  std::vector<Station> stations_;
};

}  // namespace invar
