// Many copies of a system, each in a state of its own, taken a step further together: an explicit Runge–Kutta method
// whose accelerations are formulas, evaluated in lanes. See runge_kutta.h for the method.
//
// Accelerations are formulas along open trees (articulated.h), and where there are few coordinates and no constraints
// by elimination in M a = f, M = L D Lᵀ, without pivoting, since a mass matrix is positive definite.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "invar/scheme/runge_kutta.h"
#include "invar/system/reference_values.h"
#include "invar/system/system.h"
#include "invar/tape/function.h"

namespace invar {

// Accelerations of t, q, v, u and parameters, in the symbols of the equations.
Exprs lane_accelerations(const System& system, const Equations& e);

// A copy shares the formulas and has its own numbers.
class LaneSteps {
 public:
  // Are the accelerations of the system formulas that are short enough?
  static bool fits(const System& system);
  LaneSteps(const System& system, const RungeKutta& method, std::span<const Reference> references);

  void set_parameters(std::span<const double> values);
  void compile(const Compiler& compiler) { acceleration_ = acceleration_.compiled_lanes(compiler); }

  // Copies in structure-of-arrays layout, t.size() of them: state[i*count + p] is coordinate or, from n on, velocity i
  // of copy p, u[k*count + p] its input k, held over the step.
  struct Copies {
    std::span<double> t, state;
    std::span<const double> u;
    std::span<std::uint8_t> going;
  };
  // Those of `from` … `to` that are going. One whose accelerations are not finite stays where it is, with going[p]
  // zero.
  void advance(double h, const Copies& copies, std::size_t from, std::size_t to);

 private:
  static constexpr std::size_t block = 256;  // copies at a time, so that all their numbers stay in the cache

  void advance_block(double h, const Copies& copies, std::size_t first, std::size_t lanes);
  void set_instant(std::size_t lanes, std::span<const double> t, double later);
  void set_unit_length(std::size_t lanes, std::span<double> q, std::span<double> v) const;  // of Euler parameters
  // sum += h Σ_i weight_i y_i
  void add(std::size_t numbers, double h, std::span<const double> weight, const std::vector<double>& y,
           std::span<double> sum) const;

  const RungeKutta* method_;
  std::size_t n_, inputs_;
  std::vector<std::size_t> balls_;
  std::vector<double> parameters_;
  ReferenceValues given_;
  Function acceleration_;  // of t, q, v, u, the parameters and the given functions of time
  Scratch scratch_;
  std::vector<double> in_, begin_, rate_, change_, references_;
};

}  // namespace invar
