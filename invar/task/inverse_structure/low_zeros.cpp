// See low_zeros.h.
#include "invar/task/inverse_structure/low_zeros.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <optional>

#include "invar/math/decompositions.h"
#include "invar/math/eigen_pairs.h"
#include "invar/math/spectra/quadratic_pencil.h"

namespace invar {

namespace {

using Zeros = std::vector<std::complex<double>>;

// ∂f/∂x^(r) in units of time and of rows and columns in which the entries are comparable.
std::array<Matrix, 3> coefficients(JetEvaluator& evaluator, const NaturalUnits& units, const Jet& rest, double time) {
  const int n = static_cast<int>(evaluator.size());
  std::vector<Derivative> rows, columns;
  for (int i = 0; i < n; ++i) rows.push_back({i, 0});
  std::array<Matrix, 3> A;
  for (int r = 0; r < 3; ++r) {
    columns.clear();
    for (int j = 0; j < n; ++j) columns.push_back({j, r});
    A[static_cast<std::size_t>(r)] = evaluator.array(rest, rows, columns) / std::pow(time, r);
  }
  for (Matrix& a : A)
    for (Eigen::Index i = 0; i < n; ++i) {
      a.row(i) *= units.equation(static_cast<std::size_t>(i));
      a.col(i) *= units.unknown(static_cast<std::size_t>(i));
    }
  const auto power_of_two = [](double x) { return x > 0.0 ? std::exp2(-std::round(std::log2(x))) : 1.0; };
  constexpr int sweeps = 4;
  for (int k = 0; k < sweeps; ++k)
    for (Eigen::Index i = 0; i < n; ++i) {
      double row = 0.0, column = 0.0;
      for (const Matrix& a : A) row = std::max(row, a.row(i).cwiseAbs().maxCoeff());
      for (Matrix& a : A) a.row(i) *= power_of_two(row);
      for (const Matrix& a : A) column = std::max(column, a.col(i).cwiseAbs().maxCoeff());
      for (Matrix& a : A) a.col(i) *= power_of_two(column);
    }
  return A;
}

// Newton's method for P(s) v = 0 with P = A₀ + s A₁ + s² A₂, from an eigenvalue that shift and invert found; real ones
// stay real. What belongs to infinity does not converge.
std::optional<std::complex<double>> polished(QuadraticPencil& P, std::complex<double> s,
                                             const Eigen::VectorXcd& start) {
  constexpr int most = 10;
  constexpr double accurate = 1e-7, far = 0.1;  // relative; convergence is quadratic
  const std::complex<double> first = s;
  const auto is_near = [&] { return std::abs(s - first) <= far * std::abs(first); };
  Eigen::VectorXcd v = start.normalized();
  for (int k = 0; k < most; ++k) {
    if (!P.factor(s)) return is_near() ? std::optional(s) : std::nullopt;
    const Eigen::VectorXcd x = P.solve(P.derivative(s, v));
    const std::complex<double> step = 1.0 / v.dot(x);
    if (!std::isfinite(std::abs(step))) return is_near() ? std::optional(s) : std::nullopt;
    s -= step;
    v = x.normalized();
    if (!is_near()) return std::nullopt;
    if (std::abs(step) < accurate * std::abs(s)) return s;
  }
  return std::nullopt;
}

// Unknowns that are differentiated: K maps to and from them alone.
std::vector<Eigen::Index> differentiated(const std::array<Matrix, 3>& A) {
  std::vector<Eigen::Index> list;
  for (Eigen::Index j = 0; j < A[0].cols(); ++j)
    if (!A[1].col(j).isZero(0.0) || !A[2].col(j).isZero(0.0)) list.push_back(j);
  return list;
}

// K of the shift that P was factored with.
class ShiftAndInvert {
 public:
  ShiftAndInvert(const std::array<Matrix, 3>& A, const QuadraticPencil& P, double shift)
      : P_(P), moving_(differentiated(A)), shift_(shift) {
    right_.resize(A[0].rows(), size());
    right_ << A[1](Eigen::all, moving_) + shift * A[2](Eigen::all, moving_), A[2](Eigen::all, moving_);
  }

  Eigen::Index size() const { return 2 * static_cast<Eigen::Index>(moving_.size()); }
  // x of K z = (x, s x), by all unknowns.
  Matrix unknowns(const Matrix& z) const { return -P_.solve((right_ * z).cast<std::complex<double>>()).real(); }
  Matrix product(const Matrix& z, const Matrix& x) const {
    const Eigen::Index m = size() / 2;
    Matrix Kz(size(), z.cols());
    Kz.topRows(m) = x(moving_, Eigen::all);
    Kz.bottomRows(m) = shift_ * Kz.topRows(m) + z.topRows(m);
    return Kz;
  }

 private:
  const QuadraticPencil& P_;
  std::vector<Eigen::Index> moving_;
  double shift_;
  Matrix right_;
};

// Orthonormal Q, K Q and the unknowns x of K Q: of the whole space if it has no more columns, else of those that K,
// applied again and again to a few, has made rich in what it magnifies [block Arnoldi: Y. Saad, Numerical Methods for
// Large Eigenvalue Problems, 2nd ed., SIAM, 2011, sec. 6.5]. As many equal zeros are told apart as there are columns at
// first.
struct KrylovSpace {
  Matrix Q, KQ, x;

  KrylovSpace(const ShiftAndInvert& K, Eigen::Index columns) {
    constexpr Eigen::Index few = 4;
    if (K.size() <= columns) {
      add(K, Matrix::Identity(K.size(), K.size()));
      return;
    }
    Matrix next(K.size(), few);
    for (Eigen::Index i = 0; i < next.rows(); ++i)
      for (Eigen::Index j = 0; j < few; ++j) next(i, j) = std::cos(1.0 + static_cast<double>((i + 3) * (j + 1)));
    while (Q.cols() + few <= columns) {
      for (int twice = 0; twice < 2; ++twice) {
        if (Q.cols() > 0) next -= Q * (Q.transpose() * next);
        next = Eigen::HouseholderQR<Matrix>(next).householderQ() * Matrix::Identity(next.rows(), few);
      }
      add(K, next);
      next = KQ.rightCols(few);
    }
  }

 private:
  void add(const ShiftAndInvert& K, const Matrix& columns) {
    const auto append = [](Matrix& to, const Matrix& what) {
      to.conservativeResize(what.rows(), to.cols() + what.cols());
      to.rightCols(what.cols()) = what;
    };
    const Matrix solved = K.unknowns(columns);
    append(Q, columns);
    append(x, solved);
    append(KQ, K.product(columns, solved));
  }
};

Zeros near_shift(const std::array<Matrix, 3>& A, QuadraticPencil& P, double shift, Eigen::Index columns) {
  constexpr double at_infinity = 1e-5, accurate = 1e-6;
  Zeros zeros;
  if (!P.factor(shift)) return zeros;
  const KrylovSpace space(ShiftAndInvert(A, P, shift), columns);
  if (!space.KQ.allFinite()) return zeros;
  const EigenPairs pairs = eigen_pairs(space.Q.transpose() * space.KQ);
  const double largest = pairs.values.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < pairs.values.size(); ++i) {
    const std::complex<double> value = pairs.values[i];
    if (std::abs(value) <= at_infinity * largest || value.imag() > 0.0) continue;  // of a pair, the zero above the axis
    const Eigen::VectorXcd v = pairs.vectors.col(i);
    if ((space.KQ * v - value * (space.Q * v)).norm() > accurate * std::abs(value)) continue;
    if (const auto s = polished(P, shift + 1.0 / value, space.x * v)) zeros.push_back(*s);
  }
  return zeros;
}

std::size_t times_in(const Zeros& zeros, std::complex<double> s) {
  constexpr double alike = 1e-6;
  return static_cast<std::size_t>(
      std::ranges::count_if(zeros, [&](const auto& x) { return std::abs(x - s) <= alike * std::abs(s); }));
}

// Whether those up to the size `fastest` are the same from all shifts: nothing is missing then.
bool agree(const std::vector<Zeros>& found, double fastest) {
  for (const Zeros& zeros : found)
    for (const std::complex<double>& s : zeros)
      if (std::abs(s) <= fastest)
        for (const Zeros& other : found)
          if (times_in(other, s) != times_in(zeros, s)) return false;
  return true;
}

// Zeros that were found from two shifts at least, as often as from the second best of them.
Zeros confirmed(const std::vector<Zeros>& found) {
  Zeros all;
  for (const Zeros& zeros : found)
    for (const std::complex<double>& s : zeros) {
      if (times_in(all, s) > 0) continue;
      std::vector<std::size_t> times;
      for (const Zeros& other : found) times.push_back(times_in(other, s));
      std::ranges::sort(times, std::greater());
      all.insert(all.end(), times[1], s);
    }
  return all;
}

// Slowest first; real parts that are rounding vanish, and each complex zero has its conjugate.
Zeros cleaned(const Zeros& zeros) {
  constexpr double rounding = 1e-5;
  Zeros clean;
  for (std::complex<double> s : zeros) {
    if (std::abs(s.real()) < rounding * std::abs(s)) s.real(0.0);
    if (std::abs(s.imag()) < rounding * std::abs(s)) s.imag(0.0);
    if (s.imag() < 0.0) continue;
    clean.push_back(s);
    if (s.imag() > 0.0) clean.push_back(std::conj(s));
  }
  std::stable_sort(clean.begin(), clean.end(), [](const auto& a, const auto& b) { return std::abs(a) < std::abs(b); });
  return clean;
}

}  // namespace

ZeroDynamics low_zeros(JetEvaluator& evaluator, const NaturalUnits& units, const Jet& rest, double time,
                       double fastest) {
  // In parts of the rate of the motion; no zero is likely to be there.
  constexpr double shifts[] = {1.37, 2.91, 137.0, 291.0};
  const std::array<Matrix, 3> A = coefficients(evaluator, units, rest, time);
  std::vector<Zeros> found;
  QuadraticPencil P(A);
  constexpr Eigen::Index few = 80;
  const Eigen::Index all = 2 * A[0].cols();
  for (Eigen::Index columns = few; found.empty() || (columns < 2 * all && !agree(found, fastest * time));
       columns *= 2) {
    found.clear();
    for (const double shift : shifts) found.push_back(near_shift(A, P, shift, columns));
  }
  ZeroDynamics result;
  result.eigenvalues = cleaned(confirmed(found));
  for (std::complex<double>& s : result.eigenvalues) {
    s /= time;
    result.tolerance.push_back(undamped * std::abs(s));
  }
  result.kind = classify(result);
  return result;
}

}  // namespace invar
