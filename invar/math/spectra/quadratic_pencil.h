// P(s) = A₀ + s A₁ + s² A₂ with sparse real matrices and complex s: solutions of P(s) x = b by sparse elimination, with
// real and imaginary parts as unknowns of their own, [Re P  -Im P; Im P  Re P].
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "invar/base/pattern.h"
#include "invar/math/linear_solver.h"
#include "invar/math/matrix.h"

namespace invar {

class QuadraticPencil {
 public:
  explicit QuadraticPencil(const std::array<Matrix, 3>& A);

  // dP/ds v
  Eigen::VectorXcd derivative(std::complex<double> s, const Eigen::VectorXcd& v) const;
  // False if P(s) is singular to working precision or not finite.
  bool factor(std::complex<double> s);
  // After a successful factor(): x for each column b.
  Eigen::MatrixXcd solve(const Eigen::MatrixXcd& b) const;

 private:
  std::vector<std::array<double, 3>> entries_;  // by columns, and by powers of s
  Pattern pattern_;                             // of the real matrix
  LinearSolver solver_;
};

}  // namespace invar
