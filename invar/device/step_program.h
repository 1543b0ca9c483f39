// Time steps of one system for many points as a kernel: every point has a state and some parameters of its own, and all
// take the same steps at the same times.
//
// Of the arrays of the kernel (device.h) are
//
//   0 state    the numbers of the node: q, v and what the scheme carries
//   1 own      values of the parameters that differ from point to point
//   2 rows     of every step what is the same for all points: times, inputs, given functions of time
//   3 left     zero while a point goes on; k + 1 where step k could not be taken: it stays at the start of that step
//   4 range    the least and the greatest value so far of the numbers of the node that are watched
//   5 memory   of steps with unknowns: how many there were since the point began here, iterations, and the unknowns
//
// Parameters that do not differ are numbers in the kernel.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "invar/scheme/runge_kutta.h"
#include "invar/scheme/steps/step_formulas.h"
#include "invar/system/reference.h"
#include "invar/system/system.h"

namespace invar {

struct StepProgram {
  // Writes u(t).
  using Inputs = std::function<void(double t, std::span<double> u)>;

  std::string kernel;
  std::size_t state = 0;    // numbers of a point
  std::size_t watched = 0;  // so many of them, the first ones, whose range is kept …
  std::size_t every = 1;    // … over each so many steps
  std::size_t memory = 0;   // numbers besides
  std::size_t own = 0;      // parameters
  std::size_t row = 0;      // numbers of a step
  // Writes the row of the step from t to t + h.
  std::function<void(double t, double h, const Inputs& inputs, std::span<double> row)> write_row;
};

// Where a parameter of a system gets its value in a kernel.
struct KernelParameters {
  std::vector<double> values;    // of all
  std::vector<std::size_t> own;  // places of those that differ from point to point
};

// Explicit Runge–Kutta methods where accelerations are formulas: systems that LaneSteps fits, with its operations.
StepProgram explicit_program(const System& system, const RungeKutta& method, std::span<const Reference> references,
                             const KernelParameters& parameters, std::size_t watched = 0, std::size_t every = 1);

// Steps with unknowns: whole iterations of Newton's method by elimination, from the guess of the scheme or from where
// the steps before lead. A point is left where that does not contract, or not serve: then the general method has to go
// on (newton.h), so that what it cannot do either fails in the same way. Nothing if the elimination would be too long.
//
// `places` are arguments of the formulas along the motion: pivots suit the first of those with which the elimination
// serves in all others, too.
std::optional<StepProgram> implicit_program(const StepFormulas& formulas, double tolerance,
                                            std::span<const std::vector<double>> places,
                                            const KernelParameters& parameters, std::size_t watched = 0,
                                            std::size_t every = 1);
// With one place.
std::optional<StepProgram> implicit_program(const StepFormulas& formulas, double tolerance,
                                            std::span<const double> place, const KernelParameters& parameters,
                                            std::size_t watched = 0, std::size_t every = 1);

}  // namespace invar
