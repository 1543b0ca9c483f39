// Taylor coefficients of c_k(s + t) and a_k(s + t) at any s, without loss near s = 0.
//
// c_k: termwise, f_m = (-1)^m Σ_i binom(m+i, m) (-s)^i/(2m+2i+k)!, where that sum does not cancel. Otherwise s is large
//   against m, and 2s c_k' = c_{k-1} - k c_k with c_0' = -c_1/2 gives the coefficients upwards.
// a_k: f_m = (1-s)^-m 2F1(k/2, 1; k/2+m+1; s)/(k+2m) by Gauss's continued fraction [NIST DLMF 15.7.5]; where that is
//   slow, 2s a_k' = 1/(1-s) - k a_k gives the coefficients upwards, which is stable there.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "invar/expr/special.h"

namespace invar::special {

namespace {

// The terms have one sign, or alternate and fall so soon that their sum loses less than two digits.
bool terms_fall(int k, int m, double s) {
  const int n = 2 * m + k;
  return !(s * (m + 1) > 2.0 * (n + 1) * (n + 2));
}

double termwise(int k, int m, double s) {
  double term = m % 2 == 0 ? 1.0 : -1.0;
  for (int j = 2; j <= 2 * m + k; ++j) term /= j;
  double sum = term;
  for (int i = 0;; ++i) {
    const double n = 2.0 * (m + i) + k;
    term *= -s * (m + i + 1) / ((i + 1) * (n + 1) * (n + 2));
    const double next = sum + term;
    if (next == sum || !std::isfinite(next)) return next;
    sum = next;
  }
}

double lerch_coefficient(int k, int m, double s) {
  const double root = std::sqrt(1 - s);
  const double rate = std::fabs((1 - root) / (1 + root));
  int n = 2 + 2 * m;
  for (double error = rate; error > 1e-17; error *= rate) ++n;
  double tail = 1.0;
  for (; n > 0; --n) {
    const double first = n % 2 == 0 ? n : k + n - 1;
    const double denominator = static_cast<double>(k + 2 * m + 2 * n - 2) * (k + 2 * m + 2 * n);
    tail = 1 - first * (first + 2 * m) / denominator * s / tail;
  }
  return std::pow(1 - s, -m) / ((k + 2 * m) * tail);
}

}  // namespace

void stumpff_coefficients(int k, double s, std::span<double> f, std::span<double> work) {
  const int count = static_cast<int>(f.size());
  const auto at = [](std::span<double> row, int m) -> double& { return row[static_cast<std::size_t>(m)]; };
  // Up to here the upward recursion runs, through c_0 and c_1 together and then c_2 … c_k.
  int upward = 1;
  while (upward < count && !terms_fall(k, upward, s)) ++upward;
  std::span<double> lower = work, row = f;
  at(lower, 0) = stumpff(0, s);
  at(row, 0) = stumpff(1, s);
  for (int m = 1; m < upward; ++m) {
    at(lower, m) = -at(row, m - 1) / (2 * m);
    at(row, m) = (at(lower, m - 1) - (2 * m - 1) * at(row, m - 1)) / (2 * s * m);
  }
  for (int j = 2; j <= k; ++j) {
    std::swap(lower, row);  // the row below the last one makes room for the next
    at(row, 0) = stumpff(j, s);
    for (int m = 1; m < upward; ++m) at(row, m) = (at(lower, m - 1) - (2 * m - 2 + j) * at(row, m - 1)) / (2 * s * m);
  }
  const std::span<double> result = k == 0 ? work : row;
  if (result.data() != f.data()) std::copy_n(result.begin(), upward, f.begin());
  for (int m = upward; m < count; ++m) at(f, m) = termwise(k, m, s);
}

void lerch_coefficients(int k, double s, std::span<double> f) {
  const bool upward = s < -16 || s >= 0.9;
  double power = 1.0;
  f[0] = lerch(k, s);
  for (int m = 1; m < static_cast<int>(f.size()); ++m) {
    const std::size_t at = static_cast<std::size_t>(m);
    power /= 1 - s;
    f[at] = upward ? (power - (2 * m - 2 + k) * f[at - 1]) / (2 * s * m) : lerch_coefficient(k, m, s);
  }
}

}  // namespace invar::special
