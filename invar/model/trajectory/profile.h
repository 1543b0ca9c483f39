// Given functions of time: moves from rest to rest, splines through points, formulas.
//
// All are smooth between their knots, with every derivative to full precision near both ends, and hold their end values
// outside their window. What series() computes is the piece on the asked side of exactly this t: whoever steps through
// time ends steps at the knots themselves, not a rounding error beside them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "invar/system/reference.h"

namespace invar {

using TimeFunctionPtr = std::shared_ptr<const TimeFunction>;

// γ(t) = from + (to - from) c(t - start), c rising from 0 to 1 within `duration`.
struct Move {
  double from = 0.0;
  double to = 1.0;
  double start = 0.0;
  double duration = 1.0;
};

// c' ∝ τ^k (1-τ)^k, τ = t/duration: the polynomial of odd degree 2k+1 with k derivatives zero at both ends, of class
// C^k. Degree 1 is the ramp with a corner at each end.
constexpr int highest_degree = 99;
TimeFunctionPtr polynomial_move(int degree, const Move& move);

// Constant speed between two ramps of length `accelerate` ≤ duration/2, of class C⁴: with s = t/accelerate
//   c' = v (35 s⁴ - 84 s⁵ + 70 s⁶ - 20 s⁷),  c' = v,  and the first ramp mirrored;  v = 1/(duration - accelerate)
TimeFunctionPtr three_phase_move(double accelerate, const Move& move);

// c = (1 - cos πτ)/2, of class C¹: the acceleration jumps at both ends.
TimeFunctionPtr harmonic_move(const Move& move);

TimeFunctionPtr constant_function(double value);

// Through the values at the ascending times, at rest at both ends: piecewise of degree 2k+1, of class C^2k inside and
// C^k at the ends, k = `smoothness`. InputError if the times are too uneven for finite numbers.
constexpr int highest_smoothness = 7;
TimeFunctionPtr spline(std::vector<double> times, std::span<const double> values, int smoothness);

// A formula of t, parameters and references (which may carry derivatives), without kinks.
struct Known {
  std::vector<Expr> symbols;   // of the parameters
  std::vector<double> values;  // theirs
  std::vector<Reference> references;
};
TimeFunctionPtr formula_of_time(const Expr& formula, const Known& known);

// InputError if the formula contains abs or sign.
void refuse_kinks(const Expr& formula);

// The derivatives 0 … this of a formula of t and references are continuous; below zero if the formula itself may jump.
int smoothness(const Expr& formula, std::span<const Reference> references);

}  // namespace invar
