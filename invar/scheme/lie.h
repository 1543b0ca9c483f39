// Bodies turned on their rotation group: velocities in body axes, and steps that stay on it.
//
// A body's directors are the columns of R. With its quasi-velocity (v, Ω), Ω in body axes, they move by R' = R [Ω]×:
// for all coordinates q' = P(q) ν. Of the equations of motion in directors the part along P is Newton's and Euler's
// law,
//
//   Pᵀ (inertia + ∂V/∂q - f - Bᵀu + Gᵀλ) = 0,
//
// in which the reactions that keep directors orthonormal drop out. A step turns a body by R₁ = R₀ map(θ) with the
// exponential or the Cayley map; coordinates that are no directors are added to as usual.
// [H. Munthe-Kaas, BIT 38 (1998) 92; Z. Terze, A. Müller, D. Zlatar, Multibody Syst. Dyn. 34 (2015) 275]
#pragma once

#include <string>
#include <vector>

#include "invar/scheme/scheme.h"

namespace invar {

// The bodies of a step, and everything about their rotations as formulas.
class LieBodies {
 public:
  explicit LieBodies(const Equations& e);

  std::size_t speeds() const { return speeds_; }                      // entries of ν
  const std::vector<std::size_t>& joints() const { return joints_; }  // constraints that are not about directors alone

  Exprs speeds_of(const Exprs& q, const Exprs& v) const;                       // ν, and ν' if v are accelerations
  Exprs rates(const Exprs& q, const Exprs& nu) const;                          // P ν
  Exprs accelerations(const Exprs& q, const Exprs& nu, const Exprs& a) const;  // P ν' + P' ν
  Exprs moved(const Exprs& q, const Exprs& by, RotationMap map) const;         // q ∘ map(by)
  Exprs along(const Exprs& q, const Exprs& force) const;                       // Pᵀ f
  // `by` changes at this rate when q ∘ map(by) moves with ν: the inverse of the map's derivative at -by.
  Exprs rate_of_step(const Exprs& by, const Exprs& nu, RotationMap map) const;
  // The transposed of that, at +by or -by: a momentum of the step seen from its start or from its end.
  Exprs momentum_seen(const Exprs& by, const Exprs& momentum, RotationMap map, double sign) const;

  // Multipliers of all constraints from those of the joints, and back.
  Exprs all_multipliers(const Exprs& of_joints) const;
  Exprs of_joints(const Exprs& all) const;
  // The point at which formulas of the equations are evaluated.
  Point at_point(const Expr& t, const Exprs& q, const Exprs& nu, const Exprs& a, const Exprs& lambda,
                 const Exprs& u) const;

 private:
  struct Part {
    enum class Kind { plain, planar, spatial } kind;
    std::size_t q, nu;  // first coordinate and first speed
  };
  const Equations& e_;
  std::vector<Part> parts_;
  std::size_t speeds_ = 0;
  std::vector<std::size_t> joints_;
};

// The equations at one instant: as many unknowns ν' as speeds, one λ per joint constraint.
struct LieStage {
  Exprs a, lambda;
};
// Adds unknowns and equations of motion with constraints at acceleration level, and Baumgarte's terms if wanted.
LieStage add_stage(const std::string& name, const LieBodies& bodies, const Equations& e, Interval& step, Residual& r,
                   const Expr& t, const Exprs& q, const Exprs& nu, const Exprs& u, const SchemeOptions& options);

// h times a speed as unknowns of their own. They count from one: their equations and those of the constraints then have
// a size that rounding can be compared with, also when nothing moves.
Exprs displacement(Interval& step, Residual& r, const Exprs& speed);

// What moves the end of a step onto the constraints: q ∘ map(position), ν + velocity.
struct NodeProjection {
  Exprs position, velocity;
};
// Sets the end node from q and ν, after moving them onto the constraints by the smallest change if that is wanted.
NodeProjection finish_step(const LieBodies& bodies, const Equations& e, Interval& step, Residual& r, const Exprs& q,
                           const Exprs& nu, const Exprs& lambda, const SchemeOptions& options);

}  // namespace invar
