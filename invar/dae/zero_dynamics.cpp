// See zero_dynamics.h.
#include "invar/dae/zero_dynamics.h"

#include <algorithm>
#include <cmath>

#include "invar/dae/array_solver.h"
#include "invar/dae/derivative_array.h"
#include "invar/math/spectra/spectrum.h"

namespace invar {

ZeroDynamics::Kind classify(const ZeroDynamics& zero) {
  if (zero.eigenvalues.empty()) return ZeroDynamics::Kind::none;
  bool unstable = false, marginal = false;
  for (std::size_t i = 0; i < zero.eigenvalues.size(); ++i) {
    unstable = unstable || zero.grows(i);
    marginal = marginal || !(zero.grows(i) || zero.decays(i));
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
  const Spectrum all = spectrum(result.matrix);
  result.eigenvalues = all.values;
  for (std::size_t i = 0; i < all.values.size(); ++i)
    result.tolerance.push_back(std::max(all.uncertainty[i], undamped * std::abs(all.values[i])));
  result.kind = classify(result);
  return result;
}

ZeroDynamics zero_dynamics(const Dae& dae, const Offsets& offsets, int k, const Jet& rest) {
  JetEvaluator evaluator(dae);
  ArraySolver solver(dae, offsets, judge_array(evaluator, offsets, dae, rest, k));
  return linearised(solver, rest);
}

}  // namespace invar
