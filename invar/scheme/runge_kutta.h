// Explicit Runge–Kutta methods for equations of motion with constraints at acceleration level (index 1), on vectors or
// on the rotation group.
//
// Stage i has the increment and the speeds
//
//   θ_i = h Σ_j a_ij k_j,   ν_i = ν₀ + h Σ_j a_ij ν'_j,   k_i = dmap⁻¹_{-θ_i} ν_i      at q₀ ∘ map(θ_i), t₀ + c_i h
//
// where ν'_i and λ_i solve the linear equations of motion there; without rotations this is q_i = q₀ + h Σ a_ij v_j. The
// step ends with the weights b, and with those of another order its error is estimated. Constraints are kept by
// projection of every node or by Baumgarte's terms (scheme.h), or drift.
// [E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, sec. II.1, II.4-6;
//  H. Munthe-Kaas, BIT 38 (1998) 92]
#pragma once

#include <complex>
#include <vector>

#include "invar/scheme/scheme.h"

namespace invar {

struct RungeKutta {
  std::vector<double> c;               // places of the stages
  std::vector<std::vector<double>> a;  // row i has i entries
  // Weights of the step; none: they are those of its last stage, which stands at the end and is the first of the next
  // step (first same as last).
  std::vector<double> b;
  std::vector<double> error;  // less those of the embedded method; none: there is none
  // Weights at the part θ of the step: Σ_k inside[i][k] θ^(k+1); none: nothing is known of the inside.
  std::vector<std::vector<double>> inside;
  // On the rotation group k_i = ν_i, of order two: as I. Zenzerović prints it (Zagreb 2012, sec. 3.3.3).
  bool as_printed = false;

  bool ends_in_stage() const { return b.empty(); }
  const std::vector<double>& end_weights() const { return b.empty() ? a.back() : b; }
};

enum class Rotations {
  as_coordinates,  // directors are numbers like others
  on_group,
};

Residual runge_kutta_step(const RungeKutta& method, Rotations rotations, const Equations& e, Interval& step,
                          const SchemeOptions& options);

// What a step makes of y' = λ y, with z = h λ: y₁ = R(z) y₀.
std::complex<double> stability_function(const RungeKutta& method, std::complex<double> z);

// The factor by which errors of the constraints grow from step to step, at most; zero if the terms follow the step.
double growth_of_errors(const RungeKutta& method, const Baumgarte& terms, double h);
// Steps up to this size do not make them grow; infinite if there are no terms or they follow the step.
double largest_stable_step(const RungeKutta& method, const Baumgarte& terms);

}  // namespace invar
