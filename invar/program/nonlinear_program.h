// A sparse nonlinear program: min f(x), lower ≤ x ≤ upper, row_lower ≤ g(x) ≤ row_upper; and what a solver makes of it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace invar {

struct NonlinearProgram {
  struct Place {
    int row, col;
  };
  std::vector<double> lower, upper;  // of the variables; equal where one is fixed
  std::vector<double> row_lower, row_upper;
  std::vector<Place> jacobian;  // of g
  std::vector<Place> hessian;   // row ≥ col; entries at the same place are added
  std::function<double(std::span<const double> x)> cost;
  std::function<void(std::span<const double> x, std::span<double> gradient)> cost_gradient;
  std::function<void(std::span<const double> x, std::span<double> g)> rows;
  std::function<void(std::span<const double> x, std::span<double> values)> jacobian_values;
  // Of factor·f + weight·g.
  std::function<void(std::span<const double> x, double factor, std::span<const double> weight,
                     std::span<double> values)>
      hessian_values;
};

struct Solution;

struct SolverOptions {
  double tolerance = 1e-10;
  int max_iterations = 1000;
  std::function<bool(int iteration, double cost, double infeasibility)> keep_going;  // false stops the solver
  const Solution* near = nullptr;  // of a program with nearly the same solution: gives the first multipliers
};

enum class SolverStatus { solved, infeasible, too_many_equations, out_of_iterations, unbounded, interrupted, failed };

struct Solution {
  SolverStatus status = SolverStatus::failed;
  std::string reason;  // in the solver's words
  std::vector<double> x;
  std::vector<double> weight;        // multipliers of the rows, L = f + weight·g
  std::vector<double> below, above;  // of the bounds, not negative
  double cost = 0.0;
  double infeasibility = 0.0;  // largest violation of a row or bound
  double kkt = 0.0;            // largest entry of the gradient of the Lagrangian
  int iterations = 0;
};

}  // namespace invar
