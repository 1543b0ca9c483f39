// A bushing: linear springs and dampers along and about three axes, between a frame on one body and a frame on another.
//
// With Δ from the origin of the first frame to that of the second and axes e of both frames, which coincide at rest,
//
//   V = ½ Σ k_i ½[(eᵃ_i·Δ)² + (eᵇ_i·Δ)²] + Σ c_i (1 - eᵃ_i·eᵇ_i),   c_i = ½(κ_1 + κ_2 + κ_3) - κ_i.
//
// For a relative rotation by θ about n the second sum is (1 - cos θ) Σ κ_i n_i², that is ½ Σ κ_i φ_i² with φ = 2
// sin(θ/2) n: the modified trace potential [F. Bullo, R. M. Murray, Automatica 35 (1999) 17]. So the stiffnesses are
// exact to first order, the moment about a fixed axis is κ sin θ, the energy is never negative, and nothing changes
// when the bodies change places or all space turns. All is a polynomial of invariants that are quadratic in the
// coordinates: discrete gradients keep energy and momenta. Dampers act on the rates of eᵃ_i·Δ and eᵇ_i·Δ and on the
// components of the relative angular velocity along eᵃ_i and eᵇ_i, half each.
#pragma once

#include "invar/model/mechanism/force_element.h"
#include "invar/model/mechanism/mechanism.h"

namespace invar {

class Bushing : public ForceElement {
 public:
  // In body axes, from the centre of mass; of a point mass only the place counts.
  struct End {
    Attachment at;
    Matrix3 axes = Matrix3::Identity();  // columns
  };

  std::string_view kind() const override { return "bushing"; }
  void act(Loads& loads) const override;
  std::vector<Attachment> ends() const override { return {a.at, b.at}; }
  Picture picture() const override { return Picture::sign; }

  End a, b;
  Vector3 stiffness = Vector3::Zero(), damping = Vector3::Zero();
  Vector3 rotational_stiffness = Vector3::Zero(), rotational_damping = Vector3::Zero();
};

}  // namespace invar
