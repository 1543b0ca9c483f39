// How forces and flexible members enter the equations of a mechanism: by energies, by dissipation, by conditions, on
// points and as torques.
//
// A torque τ acts on the directors as ½ τ × dⁱ with contravariant directors, and ω = ½ Σ dⁱ × d_i' is the angular
// velocity whose power with a torque is τ·ω. Both hold between two nodes of a time step too, where mean directors are
// not orthonormal.
#pragma once

#include "invar/model/mechanism/assembly.h"
#include "invar/model/mechanism/joint_equations.h"

namespace invar {

class Loads {
 public:
  // Both must outlive it; the frames of the bodies are there already.
  Loads(const Mechanism& mechanism, Assembly& assembly) : m_(mechanism), out_(assembly) {}

  int dimension() const { return m_.dimension; }
  const Body* body(int k) const;  // nothing for the ground
  Frame frame(int k) const;
  Vec point(const Attachment& a) const { return frame(a.body).point(a.at); }
  Vec spin(int body) const;  // ω

  void add_potential(const Expr& energy) {
    out_.system.potential += energy;
    out_.other_potential += energy;
  }
  void add_kinetic(const Expr& energy) { out_.system.kinetic += energy; }
  // Gravity on a mass at this place.
  void weigh(const Expr& mass, const Vec& place);
  // A condition that belongs to this part of the mechanism; the symbol of its multiplier.
  Expr constrain(const std::string& part, const NamedExpr& condition, Level level = Level::position);
  // A further quantity in the results.
  void show(const std::string& name, const Expr& quantity) { out_.system.shown.push_back({name, quantity}); }
  void watch(Watched quantity) { out_.system.watched.push_back(std::move(quantity)); }
  void estimate(Estimated error) { out_.system.estimated.push_back(std::move(error)); }
  // Rayleigh's function: forces are minus its gradient in the velocities.
  void add_dissipation(const Expr& half_power) { dissipation_ += half_power; }
  void push(const Vec& point, const Vec& force) { push(out_.system.forces, point, force); }
  void twist(int body, const Vec& torque) { twist(out_.system.forces, body, torque); }
  // On b, and its opposite on a.
  void twist_between(int a, int b, const Vec& torque);

  // Generalised forces, also of inputs: the coefficients of the virtual displacement of a point; and of a torque.
  void push(Exprs& direction, const Vec& point, const Vec& force) const;
  void twist(Exprs& direction, int body, const Vec& torque) const;

  void finish();  // forces of the dissipation

 private:
  const Mechanism& m_;
  Assembly& out_;
  Expr dissipation_ = 0.0;
};

Vec velocity_of(const Vec& x);

}  // namespace invar
