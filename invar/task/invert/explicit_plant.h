// A system under given inputs in explicit steps: with constraints at acceleration level its equations are linear in
// accelerations and multipliers,
//
//   [ M  Gᵀ ] ( a )   ( f )
//   [ G  0  ] ( λ ) = ( c ),
//
// and every stage of the method by Dormand and Prince takes one factorisation. After a step positions and velocities
// are moved back onto the constraints, with the factors that are there. Cheaper than an implicit scheme by an order of
// magnitude, but not for stiff systems, nor where mass and constraints leave accelerations open.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "invar/math/linear_solver.h"
#include "invar/scheme/runge_kutta.h"
#include "invar/system/equations.h"
#include "invar/system/reference_values.h"
#include "invar/system/state_function.h"
#include "invar/tape/function.h"

namespace invar {

class ExplicitPlant {
 public:
  // Writes u(t).
  using Inputs = std::function<void(double t, std::span<double> u)>;

  // Nothing if the equations are not linear in accelerations and multipliers.
  static std::optional<ExplicitPlant> make(const System& system, std::span<const Reference> signals);

  void start(const State& state);
  // From t to t + h; false if accelerations are left open or not finite.
  bool advance(double h, const Inputs& inputs);
  void set_t(double t) { t_ = t; }

  std::span<const double> q() const { return q_; }
  std::span<const double> v() const { return v_; }

 private:
  struct Formulas;
  ExplicitPlant(const System& system, const Formulas& formulas, std::span<const Reference> signals);
  void set_instant(double t, Side at_knots);
  bool accelerate(std::span<double> a);
  void project();

  std::size_t n_, m_, inputs_;
  ReferenceValues given_;
  Function linear_, constraints_;  // residuals at a = 0, λ = 0 and their matrix; Φ and its rate
  Scratch linear_scratch_, constraints_scratch_;
  LinearSolver solver_;
  const RungeKutta* method_;
  std::vector<double> in_;  // t | q | v | u | parameters | given functions
  std::vector<double> linear_out_, constraints_out_, right_;
  std::vector<double> q_, v_, rate_, change_;  // v and a of the stages, one after the other
  double t_ = 0.0;
};

}  // namespace invar
