// See zero_dynamics.h.
#include "invar/system/zero_dynamics.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "invar/system/array_solver.h"
#include "invar/system/derivative_array.h"

namespace invar {

double real_part_tolerance(const Matrix& A, const std::complex<double>& eigenvalue) {
  return 1e-6 * std::max(std::abs(eigenvalue), A.norm());
}

ZeroDynamics::Kind classify(const Matrix& A, const std::vector<std::complex<double>>& eigenvalues) {
  if (eigenvalues.empty()) return ZeroDynamics::Kind::none;
  bool unstable = false, marginal = false;
  for (const std::complex<double>& s : eigenvalues) {
    const double zero = real_part_tolerance(A, s);
    unstable = unstable || s.real() > zero;
    marginal = marginal || std::abs(s.real()) <= zero;
  }
  if (unstable) return ZeroDynamics::Kind::unstable;
  return marginal ? ZeroDynamics::Kind::marginal : ZeroDynamics::Kind::stable;
}

ZeroDynamics zero_dynamics(const Dae& dae, const Offsets& offsets, int k, const Jet& rest) {
  JetEvaluator evaluator(dae);
  const ArrayVerdict verdict = judge_array(evaluator, offsets, dae, rest, k);
  ZeroDynamics result;
  result.states = verdict.states;
  result.matrix = ArraySolver(dae, offsets, verdict).state_matrix(rest);
  if (result.matrix.size() > 0) {
    const Eigen::VectorXcd s = result.matrix.eigenvalues();
    result.eigenvalues.assign(s.begin(), s.end());
    std::sort(result.eigenvalues.begin(), result.eigenvalues.end(), [](const auto& a, const auto& b) {
      return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
    });
  }
  result.kind = classify(result.matrix, result.eigenvalues);
  return result;
}

}  // namespace invar
