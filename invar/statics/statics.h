// What acts on a system that stays as it is, in the metric of its masses.
//
//   r(q, v, λ) = d/dt ∂T/∂v − ∂T/∂q + ∂V/∂q − f + Gᵀλ   at q'' = 0
//
// v is zero but for steady coordinates, on whose places nothing depends. With the mass matrix W = L Lᵀ, mended where it
// is singular, displacements are y = Lᵀ δq and forces L⁻¹ r: lengths and angles, forces and torques then have the same
// unit, and no decision depends on how they are measured. λ is the one that leaves the least |L⁻¹ r|, so that what is
// left acts along motions that the constraints allow.
#pragma once

#include <memory>
#include <vector>

#include "invar/math/matrix.h"
#include "invar/system/equations.h"
#include "invar/system/state_function.h"
#include "invar/system/system.h"

namespace invar {

// A system at one place.
struct StaticPoint {
  State state;             // with λ
  bool is_finite = false;  // of all numbers
  Matrix L;                // lower triangular; of a large system there is none
  Vector unit;             // what stands for it then: lengths of its rows
  Vector force;            // L⁻¹ r
  Matrix free;             // orthonormal y that all constraints allow as velocities
  Matrix directions;       // rows of G L⁻ᵀ, of length one
  Vector conditions;       // constraints as they stand, each divided by the length of its gradient where it has one
  double imbalance = 0.0;  // largest |r_i| relative to its terms
  double violation = 0.0;  // of a constraint, likewise
  int worst_constraint = -1;
  double force_scale = 0.0;  // |L⁻¹| of the terms
  double size = 1.0;         // |y| from the origin, or that of the start if it is larger; if both lie there one unit

  Vector displacement(const Vector& y) const;     // δq = L⁻ᵀ y
  double length(const Vector& dq) const;          // of y
  Vector way_to(const StaticPoint& other) const;  // y
  State moved(const Vector& y) const;
};

class Statics {
 public:
  // Of a held system without redundant constraints. The search begins at `reference`.
  Statics(const System& system, std::vector<double> reference);

  StaticPoint at(const std::vector<double>& q, const std::vector<double>& v);

  // ∂/∂q and ∂/∂v of r at constant λ, and M, all as L⁻¹ · L⁻ᵀ.
  Matrix stiffness(const StaticPoint& p);
  Matrix damping(const StaticPoint& p);
  Matrix mass(const StaticPoint& p);
  // What entries of the stiffness are sums of, for judging zeros.
  Matrix stiffness_terms(const StaticPoint& p);
  Matrix damping_terms(const StaticPoint& p);
  // ∂/∂q and ∂/∂v of the conditions, as · L⁻ᵀ.
  Matrix condition_stiffness(const StaticPoint& p);
  Matrix condition_damping(const StaticPoint& p);
  double potential(const StaticPoint& p);
  // By coordinate: does any equation change with its place? By pairs of them: does the force on the first change with
  // the rate of the second?
  std::vector<bool> matters(const State& s);
  Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> resists(const State& s);
  // r and G by coordinates, for equations that are solved together with λ.
  Vector dynamics(const State& s);
  Matrix dynamics_slope(const State& s);
  Matrix gradient(const State& s);
  Vector constraint(const State& s);

  const System& system() const { return *system_; }
  int coordinates() const { return n_; }
  int constraints() const { return m_; }
  Level level(int c) const { return e_.level[static_cast<std::size_t>(c)]; }
  // Forces that have no potential may act on a system at rest.
  bool has_potential() const { return has_potential_; }

 private:
  class SparseFunction {
   public:
    SparseFunction(const System& system, const SparseExprs& entries);
    Matrix operator()(const State& s);

   private:
    Pattern pattern_;
    StateFunction values_;
  };
  void balance_reactions(StaticPoint& p);
  void measure(StaticPoint& p);

  std::shared_ptr<const System> system_;
  std::vector<double> reference_;
  int n_, m_;
  Equations e_;
  bool has_potential_;
  StateFunction dynamics_, dynamics_size_, constraint_, constraint_size_, potential_;
  SparseFunction mass_, gradient_, stiffness_, damping_, stiffness_size_, damping_size_, constraint_q_, constraint_v_,
      constraint_q_size_;
};

}  // namespace invar
