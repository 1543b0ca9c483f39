// What the motion does inside when the outputs stand still: the internal dynamics linearised at a point of rest.
//
// With the outputs on their references the jets form a family with as many parameters as there are degrees of freedom;
// N spans its tangent space (see derivative_array.h). Changes of the states y move along N0 = N[y] and their rates
// along N1 = N[y'], so δy' = A δy with A = N1 N0⁻¹. Eigenvalues in the right half plane: following exactly from a given
// start needs inputs that grow without bound.
#pragma once

#include <complex>
#include <vector>

#include "invar/dae/array_solver.h"
#include "invar/dae/dae.h"
#include "invar/dae/jet.h"
#include "invar/dae/rest_point.h"
#include "invar/dae/structure.h"
#include "invar/math/matrix.h"

namespace invar {

struct ZeroDynamics {
  enum class Kind { none, stable, marginal, unstable };
  Kind kind = Kind::none;
  std::vector<Derivative> states;
  Matrix matrix;  // A, in these states; none where only eigenvalues were sought
  std::vector<std::complex<double>> eigenvalues;
  std::vector<double> tolerance;  // of each: a real part of this size counts as zero

  bool grows(std::size_t i) const { return eigenvalues[i].real() > tolerance[i]; }
  bool decays(std::size_t i) const { return -eigenvalues[i].real() > tolerance[i]; }
};

// A damping ratio below counts as none: the point of rest is not known better.
inline constexpr double undamped = 1e-7;

// k = 0 if the structural Jacobian is regular, otherwise from the verdict of the derivative array. Ask for jet.side =
// Side::left at the beginning of a motion: the system is still at rest there.
ZeroDynamics zero_dynamics(const Dae& dae, const Offsets& offsets, int k, const Jet& rest);

// The same with a solver that exists already.
ZeroDynamics linearised(ArraySolver& solver, const Jet& rest);

// By the real parts, one in the right half plane being enough for `unstable`. The tolerance of an eigenvalue is what
// rounding errors of A may do to it (see spectrum.h), or the damping ratio above.
ZeroDynamics::Kind classify(const ZeroDynamics& zero);

}  // namespace invar
