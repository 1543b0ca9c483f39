// A string: a cable with mass that resists nothing but being longer.
//
// Its nodes are points. With π = r,s·r,s and the stretch √π it has V = ∫ ½ EA (√π − 1)² ds, a function of a quadratic
// form, or, if it is inextensible, the conditions ½ (π − 1) = 0 at the Gauss points, whose multipliers over the weight
// of the point are the tension. [J. C. Simo, N. Tarnow, K. K. Wong, CMAME 100 (1992) 63, for the discrete derivative]
//
// With a winch at its first end the length ℓ that is out, without stretch, is a coordinate, and its nodes stand at
// fixed parts of it: s is no longer what a point of the string keeps, but ℓ₀ times its part of ℓ from the winch. What
// a point keeps is its length ℓ − ℓ s/ℓ₀ to the other end, so that with κ = ℓ/ℓ₀
//
//   its velocity is  w = r' + (ℓ₀ − s) ℓ'/ℓ r,s,
//   T = ½ ρ ∫ w·w κ ds + ½ ρ (ℓ₁ − ℓ) (ℓ'² + v·v) + ½ I/R² ℓ'²,   V = ½ EA ∫ (√π/κ − 1)² κ ds,
//
// where ℓ₁ is the whole length, what is not out lies on the drum without stretch and turns with it, and v is the
// velocity of the body that carries the drum. The force along ℓ on a drum that is held is N + N²/2EA: what is wound up
// gives its stretch back. [D. Bigoni et al., Mech. Mater. 80 (2015) 205, for such forces]
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/model/flexible/member_mesh.h"
#include "invar/model/flexible/station.h"
#include "invar/model/mechanism/force_element.h"
#include "invar/model/mechanism/member_line.h"

namespace invar {

struct StringWinch {
  NamedCoordinate out;                 // ℓ
  double stored = 0.0;                 // at the start
  double inertia = 0.0, radius = 1.0;  // of the drum
};

class StringMember : public ForceElement {
 public:
  StringMember(MemberMesh mesh, std::vector<Station> stations)
      : mesh_(std::move(mesh)), stations_(std::move(stations)) {}

  std::string_view kind() const override { return "string"; }
  void act(Loads& loads) const override;
  std::vector<Attachment> ends() const override;
  Picture picture() const override { return Picture::member; }
  const MemberLine* member() const override { return &drawn; }
  const NamedCoordinate* coordinate() const override { return winch ? &winch->out : nullptr; }

  std::optional<double> stiffness;  // EA; none: inextensible
  double damping = 0.0;             // in s
  double mass = 0.0;                // per length
  std::optional<StringWinch> winch;
  MemberLine drawn;

 private:
  struct Line;
  Line line(const Loads& loads) const;
  void add_inertia(Loads& loads, const MemberElement& element, const Line& line) const;
  void add_flow(Loads& loads, const MemberElement& element, const Line& line) const;
  void add_drum(Loads& loads, const Line& line) const;
  void estimate_error(Loads& loads, const Line& line, const Exprs& tensions) const;
  Watched slack(const Expr& tension) const;

  MemberMesh mesh_;
  std::vector<Station> stations_;
};

}  // namespace invar
