// Eigenvalues of a small real matrix, each with what rounding errors of the entries may have done to it.
//
// The matrix is balanced first, D⁻¹ A D with powers of two, so that units of the unknowns do not matter [B. N. Parlett,
// C. Reinsch, Numer. Math. 13 (1969) 293]. Relative errors η of the entries move an eigenvalue s with right and left
// eigenvectors x and y by up to η |y|ᵀ|A||x| / |yᴴx|, which does not depend on units either. Each eigenvalue is so
// judged by its own size and sensitivity, however fast others are; a multiple one that rounding has split is as
// uncertain as the split is wide.
#pragma once

#include <complex>
#include <vector>

#include "invar/math/matrix.h"

namespace invar {

struct Spectrum {
  std::vector<std::complex<double>> values;
  std::vector<double> uncertainty;  // of each, for relative errors `entry_error` of the entries
};

inline constexpr double entry_error = 1e-12;  // some thousand operations of condition one

// Ascending by real part, then by imaginary part.
Spectrum spectrum(const Matrix& A);

// Factors d such that rows and columns of diag(d)⁻¹ A diag(d) have about the same length.
Vector balancing(const Matrix& A);

}  // namespace invar
