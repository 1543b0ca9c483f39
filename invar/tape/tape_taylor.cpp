// Truncated power series through the tape: every operation by its recurrence on coefficients
// [A. Griewank, A. Walther, Evaluating Derivatives, 2nd ed. 2008, chapter 13].
//
// A function v = f(a) with v' w = a' u, where w and u are series known up to the coefficient before, is found from
//   k v_k w_0 = Σ_{j=1..k} j a_j u_{k-j} - Σ_{j=1..k-1} j v_j w_{k-j}.
// The first coefficient is the value itself, computed as for a point.
#include <algorithm>
#include <cmath>

#include "invar/expr/special.h"
#include "invar/tape/tape.h"

namespace invar {

namespace {

using In = const double*;

bool all_zero(In first, In last) {
  return std::all_of(first, last, [](double x) { return x == 0.0; });
}

// Σ_{j=first..last} x_j y_{k-j}
double convolution(In x, In y, std::size_t k, std::size_t first, std::size_t last) {
  double sum = 0.0;
  for (std::size_t j = first; j <= last; ++j) sum += x[j] * y[k - j];
  return sum;
}

double product(In a, In b, std::size_t k) { return k == 0 ? a[0] * b[0] : convolution(a, b, k, 0, k); }

// Σ_{j=1..last} j x_j y_{k-j}: coefficient k-1 of x' y, without the last terms if last < k.
double derivative_product(In x, In y, std::size_t k, std::size_t last) {
  double sum = 0.0;
  for (std::size_t j = 1; j <= last; ++j) sum += static_cast<double>(j) * x[j] * y[k - j];
  return sum;
}

// Evaluates one instruction at a time on series of n coefficients.
class Series {
 public:
  Series(std::size_t n, double* registers, double* work) : n_(n), registers_(registers), v_(work), work_(work) {}

  void run(const Instruction& i, bool constant_exponent);

 private:
  In at(std::uint32_t reg) const { return registers_ + reg * n_; }
  double* row(std::size_t i) const { return work_ + i * n_; }  // 1 … taylor_work_rows - 1

  void divide(In a, In b);
  void sqrt(In a, double* v) const;
  void exp(In a);
  void log(In a, double* v) const;
  void circular(In a, double* sine, double* cosine, double sign) const;
  void tangent(In a, double sign);
  void arc(In a, In w, double sign);
  void inverse_circular(In a, double sign);
  void arctangent(In a);
  void arctangent(In y, In x);
  void constant_power(In a, double exponent);
  void power(In a, In b, bool constant_exponent);
  void absolute(In a);
  void compose(In f, In s);
  void family(Code code, int k, In s);
  void elementary(Code code, In a, In b);

  std::size_t n_;
  double* registers_;
  double* v_;  // the result, apart from the registers because its register may be that of an operand
  double* work_;
};

void Series::divide(In a, In b) {
  for (std::size_t k = 1; k < n_; ++k) v_[k] = (a[k] - convolution(b, v_, k, 1, k)) / b[0];
}

void Series::sqrt(In a, double* v) const {
  v[0] = std::sqrt(a[0]);
  if (a[0] == 0.0 && all_zero(a, a + n_)) return std::fill(v + 1, v + n_, 0.0);
  for (std::size_t k = 1; k < n_; ++k) v[k] = (a[k] - convolution(v, v, k, 1, k - 1)) / (2 * v[0]);
}

void Series::exp(In a) {
  for (std::size_t k = 1; k < n_; ++k) v_[k] = derivative_product(a, v_, k, k) / static_cast<double>(k);
}

void Series::log(In a, double* v) const {
  v[0] = std::log(a[0]);
  for (std::size_t k = 1; k < n_; ++k)
    v[k] = (a[k] - derivative_product(v, a, k, k - 1) / static_cast<double>(k)) / a[0];
}

// sin and cos (sign -1) or sinh and cosh (sign 1), whose derivatives are each other.
void Series::circular(In a, double* sine, double* cosine, double sign) const {
  sine[0] = sign < 0 ? std::sin(a[0]) : std::sinh(a[0]);
  cosine[0] = sign < 0 ? std::cos(a[0]) : std::cosh(a[0]);
  for (std::size_t k = 1; k < n_; ++k) {
    sine[k] = derivative_product(a, cosine, k, k) / static_cast<double>(k);
    cosine[k] = sign * derivative_product(a, sine, k, k) / static_cast<double>(k);
  }
}

// tan' = 1 + tan², tanh' = 1 - tanh².
void Series::tangent(In a, double sign) {
  double* const u = row(1);
  u[0] = 1 + sign * v_[0] * v_[0];
  for (std::size_t k = 1; k < n_; ++k) {
    v_[k] = derivative_product(a, u, k, k) / static_cast<double>(k);
    u[k] = sign * product(v_, v_, k);
  }
}

// v' w = sign a'
void Series::arc(In a, In w, double sign) {
  for (std::size_t k = 1; k < n_; ++k) {
    const double kk = static_cast<double>(k);
    v_[k] = (sign * kk * a[k] - derivative_product(v_, w, k, k - 1)) / (kk * w[0]);
  }
}

void Series::inverse_circular(In a, double sign) {
  double* const square = row(1);
  for (std::size_t k = 0; k < n_; ++k) square[k] = (k == 0 ? 1.0 : 0.0) - product(a, a, k);
  square[0] = (1 - a[0]) * (1 + a[0]);
  sqrt(square, row(2));
  arc(a, row(2), sign);
}

void Series::arctangent(In a) {
  double* const w = row(1);
  for (std::size_t k = 0; k < n_; ++k) w[k] = (k == 0 ? 1.0 : 0.0) + product(a, a, k);
  arc(a, w, 1.0);
}

// v' (x² + y²) = x y' - y x'
void Series::arctangent(In y, In x) {
  double* const w = row(1);
  for (std::size_t k = 0; k < n_; ++k) w[k] = product(x, x, k) + product(y, y, k);
  for (std::size_t k = 1; k < n_; ++k) {
    const double right = derivative_product(y, x, k, k) - derivative_product(x, y, k, k);
    v_[k] = (right - derivative_product(v_, w, k, k - 1)) / (static_cast<double>(k) * w[0]);
  }
}

// a v' = p a' v
void Series::constant_power(In a, double exponent) {
  if (all_zero(a + 1, a + n_)) return std::fill(v_ + 1, v_ + n_, 0.0);
  for (std::size_t k = 1; k < n_; ++k) {
    double sum = 0.0;
    for (std::size_t j = 1; j <= k; ++j)
      sum += (exponent * static_cast<double>(j) - static_cast<double>(k - j)) * a[j] * v_[k - j];
    v_[k] = sum / (static_cast<double>(k) * a[0]);
  }
}

void Series::power(In a, In b, bool constant_exponent) {
  if (constant_exponent || all_zero(b + 1, b + n_)) return constant_power(a, b[0]);
  log(a, row(1));
  for (std::size_t k = 0; k < n_; ++k) row(2)[k] = product(b, row(1), k);
  exp(row(2));
}

// To the right of the expansion point the first coefficient that is not zero has the say.
void Series::absolute(In a) {
  const In leading = std::find_if(a, a + n_, [](double x) { return x != 0.0; });
  const bool flip = leading != a + n_ && *leading < 0.0;
  for (std::size_t k = 1; k < n_; ++k) v_[k] = flip ? -a[k] : a[k];
}

// v = Σ_m f_m (s - s_0)^m, truncated, by Horner's rule.
void Series::compose(In f, In s) {
  double* const product = row(3);
  std::fill(v_, v_ + n_, 0.0);
  for (std::size_t m = n_; m-- > 0;) {
    for (std::size_t k = 0; k < n_; ++k) product[k] = k == 0 ? f[m] : convolution(s, v_, k, 1, k);
    std::copy(product, product + n_, v_);
  }
}

void Series::family(Code code, int k, In s) {
  if (code == Code::stumpff)
    special::stumpff_coefficients(k, s[0], {row(1), n_}, {row(2), n_});
  else
    special::lerch_coefficients(k, s[0], {row(1), n_});
  compose(row(1), s);
}

void Series::elementary(Code code, In a, In b) {
  v_[0] = evaluate(as_op(code), a[0], b[0]);
  switch (code) {
    case Code::divide: return divide(a, b);
    case Code::sqrt: return sqrt(a, v_);
    case Code::exp: return exp(a);
    case Code::log: return log(a, v_);
    case Code::sin: return circular(a, v_, row(1), -1.0);
    case Code::cos: return circular(a, row(1), v_, -1.0);
    case Code::sinh: return circular(a, v_, row(1), 1.0);
    case Code::cosh: return circular(a, row(1), v_, 1.0);
    case Code::tan: return tangent(a, 1.0);
    case Code::tanh: return tangent(a, -1.0);
    case Code::asin: return inverse_circular(a, 1.0);
    case Code::acos: return inverse_circular(a, -1.0);
    case Code::atan: return arctangent(a);
    case Code::atan2: return arctangent(a, b);
    case Code::abs: return absolute(a);
    default: return std::fill(v_ + 1, v_ + n_, 0.0);  // sign
  }
}

void Series::run(const Instruction& i, bool constant_exponent) {
  const Code code = i.operation();
  const bool is_family = code == Code::stumpff || code == Code::lerch;
  const In a = is_family ? nullptr : at(i.a), b = at(i.b), c = at(i.c);
  const auto each = [this](auto coefficient) {
    for (std::size_t k = 0; k < n_; ++k) v_[k] = coefficient(k);
  };
  switch (code) {
    case Code::negate: each([=](std::size_t k) { return -a[k]; }); break;
    case Code::add: each([=](std::size_t k) { return a[k] + b[k]; }); break;
    case Code::subtract: each([=](std::size_t k) { return a[k] - b[k]; }); break;
    case Code::multiply: each([=](std::size_t k) { return product(a, b, k); }); break;
    case Code::multiply_add: each([=](std::size_t k) { return product(a, b, k) + c[k]; }); break;
    case Code::multiply_subtract: each([=](std::size_t k) { return product(a, b, k) - c[k]; }); break;
    case Code::subtract_product: each([=](std::size_t k) { return c[k] - product(a, b, k); }); break;
    case Code::negated_product: each([=](std::size_t k) { return -product(a, b, k); }); break;
    case Code::stumpff:
    case Code::lerch: family(code, static_cast<int>(i.a), b); break;
    case Code::power:
      v_[0] = std::pow(a[0], b[0]);
      power(a, b, constant_exponent);
      break;
    default: elementary(code, a, b);
  }
  std::copy(v_, v_ + n_, registers_ + i.to * n_);
}

}  // namespace

void run_taylor(const Tape& tape, std::size_t n, double* registers, double* work) {
  Series series(n, registers, work);
  for (const Instruction& i : tape.code) series.run(i, i.b < tape.first_input());
}

}  // namespace invar
