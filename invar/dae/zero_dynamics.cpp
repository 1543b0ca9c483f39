// See zero_dynamics.h.
#include "invar/dae/zero_dynamics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/dae/array_solver.h"
#include "invar/dae/derivative_array.h"
#include "invar/math/spectra/spectrum.h"

namespace invar {

namespace {

constexpr double undamped = 1e-7;  // a damping ratio below counts as none: the point of rest is not known better

}  // namespace

double real_part_tolerance(const Matrix& A, const std::complex<double>& eigenvalue) {
  const Spectrum all = spectrum(A);
  double tolerance = 0.0, nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    const double distance = std::abs(all.values[i] - eigenvalue);
    if (distance >= nearest) continue;
    nearest = distance;
    tolerance = all.uncertainty[i];
  }
  return std::max(tolerance, undamped * std::abs(eigenvalue));
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

ZeroDynamics linearised(ArraySolver& solver, const Jet& rest) {
  ZeroDynamics result;
  result.states = solver.states();
  Matrix error;
  result.matrix = solver.state_matrix(rest, &error);
  // Entries that cancellation has left of larger terms are zero.
  result.matrix = (result.matrix.cwiseAbs().array() > error.array()).select(result.matrix, 0.0);
  result.eigenvalues = spectrum(result.matrix).values;
  result.kind = classify(result.matrix, result.eigenvalues);
  return result;
}

ZeroDynamics zero_dynamics(const Dae& dae, const Offsets& offsets, int k, const Jet& rest) {
  JetEvaluator evaluator(dae);
  ArraySolver solver(dae, offsets, judge_array(evaluator, offsets, dae, rest, k));
  return linearised(solver, rest);
}

}  // namespace invar
