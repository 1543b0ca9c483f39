// The slowest small motions of a large system whose forces need not have a potential:
//
//   s² M x + s D x + K x + Gᵀ λ = 0,   G x = 0
//
// With v = s x the map (x, v) ↦ (x/s, v/s) is A [x/s; λ/s] = [−D x − M v; 0], A = [K Gᵀ; G 0]: one sparse elimination
// serves all of Arnoldi's method, which finds the largest 1/s first [F. Tisseur, K. Meerbergen, SIAM Review 43 (2001)
// 235, sec. 5]. An eigenvalue counts that no longer changes as the basis grows; each comes with its uncertainty.
#pragma once

#include <complex>
#include <functional>
#include <vector>

#include "invar/math/matrix.h"

namespace invar {

struct SmallMotions {
  std::function<Vector(const Vector& force)> push;  // the x of A [x; λ] = [force; 0]
  std::function<Vector(const Vector& x)> mass, damping;
  Vector unit;  // of x: what lengths are measured by
};

struct SlowMotions {
  std::vector<std::complex<double>> values;  // ascending by size
  std::vector<double> uncertainty;           // of each
};

SlowMotions slowest_motions(const SmallMotions& motions);

}  // namespace invar
