// Stumpff functions and the family a_k to a few units in the last place.
//
// c_k: the series where its terms fall by half at least, otherwise closed forms for k ≤ 2 and the upward recursion
//   c_{k+2} = (1/k! - c_k)/s   [K. Stumpff, Himmelsmechanik I, 1959, §41], which is stable there.
// a_k = 2F1(1, k/2; k/2 + 1; s)/k: Gauss's continued fraction  1/(1 - α₁ s/(1 - α₂ s/(1 - …))),
//   α_{2n-1} = (k+2n-2)²/((k+4n-4)(k+4n-2)),  α_{2n} = (2n)²/((k+4n-2)(k+4n))   [NIST DLMF 15.7.5],
//   whose error falls by (1 - √(1-s))/(1 + √(1-s)) per term; far from zero, where that is slow, closed forms for k ≤ 2
//   and a_{k+2} = (a_k - 1/k)/s, which is stable there.
//
// The C source of a Function repeats these functions line by line; both must stay the same.
#include "invar/expr/special.h"

#include <cmath>
#include <limits>

namespace invar::special {
namespace {

double stumpff_series(int k, double s) {
  double term = 1.0;
  for (int j = 2; j <= k; ++j) term /= j;
  double sum = term;
  for (int j = k + 1;; j += 2) {
    term *= -s / (static_cast<double>(j) * (j + 1));
    const double next = sum + term;
    if (next == sum || std::isnan(next)) return next;
    sum = next;
  }
}

// c_0, c_1 or c_2. The root x of |s| carries its rounding error d along: x + d is the root to twice the precision.
double stumpff_closed(int k, double s) {
  const double x = std::sqrt(std::fabs(s));
  const double d = std::fma(-x, x, std::fabs(s)) / (2 * x);
  if (s > 0) {
    if (k == 0) return std::cos(x) - d * std::sin(x);
    if (k == 1) return (std::sin(x) + d * std::cos(x)) / x;
    const double half = std::sin(x / 2) + d / 2 * std::cos(x / 2);
    return 2 * (half / x) * (half / x);
  }
  if (std::isinf(s)) return -s;
  if (k == 0) return std::cosh(x) * (1 + d);
  if (k == 1) return std::sinh(x) * (1 + d) / x;
  const double half = std::sinh(x / 2) / x;
  return 2 * half * half * (1 + d);
}

double lerch_fraction(int k, double s) {
  const double root = std::sqrt(1 - s);
  const double rate = std::fabs((1 - root) / (1 + root));
  int n = 2;
  for (double error = rate; error > 1e-17; error *= rate) ++n;
  double tail = 1.0;
  for (; n > 0; --n) {
    const double m = n % 2 == 0 ? n : k + n - 1;
    tail = 1 - m * m / (static_cast<double>(k + 2 * n - 2) * (k + 2 * n)) * s / tail;
  }
  return 1 / (k * tail);
}

// a_1 or a_2.
double lerch_closed(int k, double s) {
  if (k == 2) return -std::log1p(-s) / (2 * s);
  const double x = std::sqrt(std::fabs(s));
  if (s < 0) return std::atan(x) / x;
  if (s < 0.5) return std::atanh(x) / x;
  return (std::log1p(x) - 0.5 * std::log1p(-s)) / x;
}

}  // namespace

double stumpff(int k, double s) {
  if (!(std::fabs(s) >= 0.5 * (k + 1) * (k + 2))) return stumpff_series(k, s);
  int j = k <= 2 ? k : 2 - k % 2;
  double factorial = j == 2 ? 2.0 : 1.0;
  double c = stumpff_closed(j, s);
  if (std::isinf(c)) return c;
  for (; j < k; j += 2) {
    c = (1 / factorial - c) / s;
    factorial *= static_cast<double>(j + 1) * (j + 2);
  }
  return c;
}

double lerch(int k, double s) {
  if (std::isinf(s) && s < 0) return 0.0;
  if (s == 0) return 1.0 / k;
  if (k > 2 && s > -16 && s < 0.9) return lerch_fraction(k, s);
  int j = 2 - k % 2;
  double a = lerch_closed(j, s);
  for (; j < k; j += 2) a = (a - 1.0 / j) / s;
  return a;
}

}  // namespace invar::special
