// A chain of three rigid bodies in director coordinates, hung on the ground by revolute joints, as a System of
// formulas.
//
//   q = (φ, d1, d2, d3) of each body,   T = ½ m φ'² + ½ Σ E_i d_i'²,   V = m g φ_z
//   internal:  ½(d_i·d_i − 1), d1·d2, d1·d3, d2·d3
//   revolute joint of body a (or the ground) and the next body b:
//              φ_b + Σ ρ_bi d_i^b − φ_a − Σ ρ_ai d_i^a,   d1^a·d3^b,   d2^a·d3^b
//
// [P. Betsch, P. Steinmann, Multibody Syst. Dyn. 8 (2002) 367]. Every number of the model is a parameter of no
// particular value, so that no entry of a formula vanishes.
#pragma once

#include <array>
#include <string>

#include "invar/system/system.h"

namespace invar {

class ThreeBodyChain {
 public:
  static System system() {
    ThreeBodyChain chain;
    for (std::size_t b = 0; b < 3; ++b) chain.add_body(b);
    chain.add_gravity();
    const Frame ground = {{}, {chain.vector_parameter("ground.d1"), chain.vector_parameter("ground.d2")}};
    for (std::size_t b = 0; b < 3; ++b) chain.add_internal_constraints(b);
    for (std::size_t b = 0; b < 3; ++b) chain.add_joint(b == 0 ? ground : chain.body_[b - 1], b);
    return chain.system_;
  }

 private:
  struct Frame {
    Exprs phi;  // empty for the ground
    std::array<Exprs, 3> d;
  };

  static Expr dot(const Exprs& a, const Exprs& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  static std::string name(std::size_t b) { return "body" + std::to_string(b + 1); }

  Exprs vector_parameter(const std::string& name) {
    Exprs p;
    for (const char* axis : {".x", ".y", ".z"}) p.push_back(system_.add_parameter(name + axis, 1.0));
    return p;
  }

  Exprs add_vector(const std::string& name) {
    const Expr inertia = system_.add_parameter(name + ".inertia", 1.0);
    Exprs q;
    for (const char* axis : {".x", ".y", ".z"}) {
      system_.add_coordinate(name + axis);
      q.push_back(at(system_.coordinates.back()));
      system_.kinetic += 0.5 * inertia * pow(at(system_.coordinates.back(), 1), 2);
    }
    return q;
  }

  void add_body(std::size_t b) {
    body_[b].phi = add_vector(name(b) + ".phi");
    mass_[b] = system_.parameters.back().symbol;
    for (std::size_t i = 0; i < 3; ++i) body_[b].d[i] = add_vector(name(b) + ".d" + std::to_string(i + 1));
  }

  void add_gravity() {
    const Expr g = system_.add_parameter("gravity", 1.0);
    for (std::size_t b = 0; b < 3; ++b) system_.potential += mass_[b] * g * body_[b].phi[2];
  }

  void add_internal_constraints(std::size_t b) {
    const auto& d = body_[b].d;
    for (std::size_t i = 0; i < 3; ++i)
      system_.add_constraint(name(b) + ".length" + std::to_string(i + 1), 0.5 * (dot(d[i], d[i]) - 1.0));
    system_.add_constraint(name(b) + ".angle12", dot(d[0], d[1]));
    system_.add_constraint(name(b) + ".angle13", dot(d[0], d[2]));
    system_.add_constraint(name(b) + ".angle23", dot(d[1], d[2]));
  }

  void add_joint(const Frame& parent, std::size_t b) {
    const Frame& child = body_[b];
    const std::string joint = "joint" + std::to_string(b + 1);
    const Exprs on_parent = vector_parameter(joint + ".on_parent"), on_child = vector_parameter(joint + ".on_child");
    for (std::size_t c = 0; c < 3; ++c) {
      Expr gap = child.phi[c];
      for (std::size_t i = 0; i < 3; ++i) gap += on_child[i] * child.d[i][c];
      if (parent.phi.empty()) {
        gap -= on_parent[c];
      } else {
        gap -= parent.phi[c];
        for (std::size_t i = 0; i < 3; ++i) gap -= on_parent[i] * parent.d[i][c];
      }
      system_.add_constraint(joint + ".point" + std::to_string(c + 1), gap);
    }
    for (std::size_t i = 0; i < 2; ++i)
      system_.add_constraint(joint + ".axis" + std::to_string(i + 1), dot(parent.d[i], child.d[2]));
  }

  System system_;
  std::array<Frame, 3> body_;
  std::array<Expr, 3> mass_;
};

}  // namespace invar
