// A beam that stretches, shears, bends and twists (Simo–Reissner), in director coordinates.
//
// Every node has a place r and directors d1, d2, d3 of its section, d3 along the beam, like a rigid body; r and d_i are
// interpolated, no rotation is. With , s the derivative by arc length,
//
//   Γ_i = d_i·r,s,   K_i = ½ (d_j,s·d_k − d_k,s·d_j), (i, j, k) cyclic,   e = (Γ, K) − (Γ, K) at the start,
//   V = ∫ ½ eᵀ C e ds,   T = ½ ∫ (ρA r'·r' + Σ E_i d_i'·d_i') ds,   E = ½ tr J − J.
//
// Strains notice no rigid motion and are quadratic in the coordinates, so that potentials, as sums of squares, have
// discrete gradients that keep energy and momenta. Damping is a stress η C e', which dissipates as much in discrete
// equations. A strain that is rigid is a constraint at the Gauss points in place of a potential; its multiplier over
// the weight of the point is the section force.
// [J. C. Simo, L. Vu-Quoc, CMAME 58 (1986) 79; I. Romero, F. Armero, IJNME 54 (2002) 1683; P. Betsch, P. Steinmann,
// IJNME 54 (2002) 1775]
#pragma once

#include <array>
#include <string>
#include <vector>

#include "invar/model/flexible/beam_section.h"
#include "invar/model/flexible/member_mesh.h"
#include "invar/model/flexible/station.h"
#include "invar/model/mechanism/force_element.h"
#include "invar/model/mechanism/member_line.h"

namespace invar {

class Beam : public ForceElement {
 public:
  Beam(MemberMesh mesh, std::vector<Station> stations, BeamSection section)
      : mesh_(std::move(mesh)), stations_(std::move(stations)), section_(std::move(section)) {}

  std::string_view kind() const override { return "beam"; }
  void act(Loads& loads) const override;
  std::vector<Attachment> ends() const override;
  Picture picture() const override { return Picture::member; }
  const MemberLine* member() const override { return &drawn; }

  const MemberMesh& mesh() const { return mesh_; }
  const std::vector<Station>& stations() const { return stations_; }  // of the nodes

  std::array<bool, 6> rigid = {};  // in the order of the strains
  double damping = 0.0;            // η in s
  // Per length: along the axes of the world, and along those of the section; formulas of t and the symbol of s.
  std::vector<Expr> load, follower_load;
  Expr arc_length = 0.0;  // that symbol
  MemberLine drawn;

 private:
  struct Node;
  std::vector<Node> nodes(const Loads& loads) const;
  void add_inertia(Loads& loads, const MemberElement& element, const Node* node) const;
  // With the multipliers of rigid strains.
  void add_strains(Loads& loads, const MemberElement& element, const Node* node, std::size_t& number,
                   Exprs& multipliers) const;
  void watch_turns(Loads& loads, const Node* node) const;
  void estimate_error(Loads& loads, const std::vector<Node>& all, const Exprs& multipliers) const;
  void add_loads(Loads& loads, const MemberElement& element, const Node* node) const;

  MemberMesh mesh_;
  std::vector<Station> stations_;
  BeamSection section_;
};

}  // namespace invar
