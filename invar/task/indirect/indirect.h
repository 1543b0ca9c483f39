// The indirect method of optimal control: inputs of least effort from the conditions of optimality themselves, with
// costates, in a discretisation that keeps the control Hamiltonian; see indirect_equations.h for the equations.
//
// Unknowns are λ₀, x₁, λ₁, …, x_{N-1}, λ_{N-1} with x = (q, p) at nodes and λ in intervals; Newton's method on all of
// them at once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "invar/base/kind_names.h"
#include "invar/program/nonlinear_program.h"
#include "invar/system/system.h"
#include "invar/task/indirect/indirect_equations.h"
#include "invar/task/transcription/optimize_settings.h"

namespace invar {

// A motion to begin with, for example that of the direct method.
struct IndirectGuess {
  std::vector<std::vector<double>> q, v;  // at nodes 0 … N
  std::vector<std::vector<double>> u;     // in the N intervals; may be empty
};

// The first keeps the energy balance, both keep the Hamiltonian.
enum class IndirectScheme { energy_momentum, midpoint };
inline constexpr KindName<IndirectScheme> indirect_schemes[] = {
    {IndirectScheme::energy_momentum, "energy-momentum"},
    {IndirectScheme::energy_momentum, "auto"},
    {IndirectScheme::midpoint, "midpoint"},
};

struct IndirectTask {
  const System& system;
  std::vector<double> q0, v0, q1, v1;  // start and end
  double horizon = 1.0;
  std::size_t intervals = 40;
  IndirectScheme scheme = IndirectScheme::energy_momentum;
  double tolerance = 1e-12;  // of Newton's method, relative
  int max_iterations = 300;
  InputRanges ranges = {};                  // none: no limits
  std::optional<IndirectGuess> guess = {};  // none: a cubic from start to end
  std::function<bool(int iteration, double cost, double infeasibility)> keep_going = {};  // false stops
};

struct Extremal {
  SolverStatus status = SolverStatus::failed;
  std::string reason;
  int iterations = 0;
  double residual = 0.0;                                // of the worst equation, relative to its terms
  std::vector<std::vector<double>> q, p, v;             // at nodes 0 … N
  std::vector<std::vector<double>> lambda_q, lambda_p;  // in intervals
  std::vector<std::vector<double>> u;                   // in intervals
  std::vector<double> hamiltonian;                      // in intervals: -½ u·u + λ·x'
  std::vector<double> energy_balance;                   // in intervals: T+V gained less work (u·B + f)(q₁-q₀)
  double cost = 0.0;                                    // ½ ∫ u·u dt
};

// The limits of the inputs among the settings; none if there are none.
InputRanges input_ranges(const System& system, const OptimizeSettings& settings);

// InputError, with what to do instead, if the indirect method cannot solve such a problem.
void check_fits_indirect(const System& system, const OptimizeSettings& settings);

// The motion may be any extremal near the guess: whether it is the least costly one is not asked. No convergence is a
// status.
Extremal find_extremal(const IndirectTask& task);

// Largest difference between the motion and one that is computed from its inputs step by step, relative to the largest
// entry of its kind. Nothing if a step has no solution.
std::optional<double> replay(const IndirectTask& task, const Extremal& found);

}  // namespace invar
