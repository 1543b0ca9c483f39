// How far a beam stands from where it would stand with ever finer elements, under the forces that it carries.
//
// The nodes say which force n each element carries at its Gauss points, and which moments at its ends, −τ_1 and τ_p for
// torques τ_a = ∂V/∂φ_a of its nodes. From its first node on, the equations of the beam itself,
//
//   r,s = Λ Γ,   Λ,s = Λ K̂,   m,s = −r,s × n + c,   (Γ, K) = e₀(s) + C⁻¹ Λᵀ(n, m),
//
// are integrated. The other end of the element is not where they end: that is its defect, and line_error.h says what
// all defects together do. An element of two nodes that turns by θ carries EI sin 2θ / 2L in place of EI θ / L, and
// this is how that is seen: not by its strains, which are only sin θ / L.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "invar/model/flexible/beam_section.h"
#include "invar/model/flexible/line_error.h"
#include "invar/model/flexible/member_mesh.h"
#include "invar/model/flexible/recovered_force.h"

namespace invar {

class BeamError {
 public:
  struct Node {
    Vector3 place;
    Matrix3 axes;  // columns d1, d2, d3
  };
  // Nodes at the start, where nothing is stressed.
  BeamError(MemberMesh mesh, const BeamSection& section, const std::array<bool, 6>& rigid, std::vector<Node> start,
            LineEnd first, LineEnd last);

  // The largest distance. Places and d1, d2, d3 of the nodes one after the other; of every Gauss point the multipliers
  // of strains that are rigid.
  double operator()(std::span<const double> values) const;

 private:
  struct Carried;
  struct Curve;
  using Strains = std::array<Vector3, 2>;  // Γ, K

  Strains strains(const ShapePoint& at, const Node* node, Vector3* slope, std::array<Vector3, 6>* turns) const;
  Carried carried(std::size_t element, const Node* node, std::span<const double> multipliers) const;
  void set_start(std::size_t element);
  Curve integrate(std::size_t element, Node from, Vector3 moment, const Vector3& couple,
                  const RecoveredForce* force) const;
  LineSegment segment(std::size_t element, const Node* node, const Carried& load, const RecoveredForce& force) const;
  Vector6 start_strain(std::size_t element, double part) const;

  MemberMesh mesh_;
  Matrix6 stiffness_, compliance_;
  std::vector<std::size_t> rigid_;
  std::vector<Node> start_;
  std::vector<std::array<Vector6, 2>> start_strain_;  // of each half of an element
  std::vector<Vector6> start_defect_;                 // along the axes of the first node
  std::vector<Vector6> start_point_strain_;           // of the elements' formula, at the Gauss points
  LineEnd first_, last_;
};

}  // namespace invar
