// C99 twins of special.cpp, line by line: a test holds both to the same bits.
#include "invar/tape/c_helpers.h"

#include <string_view>

namespace invar {

namespace {

std::string with_prefix(std::string_view text, const std::string& prefix) {
  constexpr std::string_view mark = "PREFIX";
  std::string result;
  for (std::size_t at; (at = text.find(mark)) != std::string_view::npos; text.remove_prefix(at + mark.size())) {
    result += text.substr(0, at);
    result += prefix;
  }
  result += text;
  return result;
}

constexpr std::string_view sign = R"c(static double PREFIX_sign(double x)
{
  return (double)((x > 0.0) - (x < 0.0));
}

)c";

constexpr std::string_view stumpff = R"c(static double PREFIX_stumpff_series(int k, double s)
{
  double term = 1.0, sum;
  int j;
  for (j = 2; j <= k; ++j) term /= j;
  sum = term;
  for (j = k + 1;; j += 2) {
    double next;
    term *= -s / ((double)j * (j + 1));
    next = sum + term;
    if (next == sum || isnan(next)) return next;
    sum = next;
  }
}

static double PREFIX_stumpff_closed(int k, double s)
{
  const double x = sqrt(fabs(s));
  const double d = fma(-x, x, fabs(s)) / (2 * x);
  double half;
  if (s > 0) {
    if (k == 0) return cos(x) - d * sin(x);
    if (k == 1) return (sin(x) + d * cos(x)) / x;
    half = sin(x / 2) + d / 2 * cos(x / 2);
    return 2 * (half / x) * (half / x);
  }
  if (isinf(s)) return -s;
  if (k == 0) return cosh(x) * (1 + d);
  if (k == 1) return sinh(x) * (1 + d) / x;
  half = sinh(x / 2) / x;
  return 2 * half * half * (1 + d);
}

static double PREFIX_stumpff(int k, double s)
{
  int j = k <= 2 ? k : 2 - k % 2;
  double factorial = j == 2 ? 2.0 : 1.0, c;
  if (!(fabs(s) >= 0.5 * (k + 1) * (k + 2))) return PREFIX_stumpff_series(k, s);
  c = PREFIX_stumpff_closed(j, s);
  if (isinf(c)) return c;
  for (; j < k; j += 2) {
    c = (1 / factorial - c) / s;
    factorial *= (double)(j + 1) * (j + 2);
  }
  return c;
}

)c";

constexpr std::string_view lerch = R"c(static double PREFIX_lerch_fraction(int k, double s)
{
  const double root = sqrt(1 - s);
  const double rate = fabs((1 - root) / (1 + root));
  double error, tail = 1.0;
  int n = 2;
  for (error = rate; error > 1e-17; error *= rate) ++n;
  for (; n > 0; --n) {
    const double m = n % 2 == 0 ? n : k + n - 1;
    tail = 1 - m * m / ((double)(k + 2 * n - 2) * (k + 2 * n)) * s / tail;
  }
  return 1 / (k * tail);
}

static double PREFIX_lerch_closed(int k, double s)
{
  const double x = sqrt(fabs(s));
  if (k == 2) return -log1p(-s) / (2 * s);
  if (s < 0) return atan(x) / x;
  if (s < 0.5) return atanh(x) / x;
  return (log1p(x) - 0.5 * log1p(-s)) / x;
}

static double PREFIX_lerch(int k, double s)
{
  int j = 2 - k % 2;
  double a;
  if (isinf(s) && s < 0) return 0.0;
  if (s == 0) return 1.0 / k;
  if (k > 2 && s > -16 && s < 0.9) return PREFIX_lerch_fraction(k, s);
  a = PREFIX_lerch_closed(j, s);
  for (; j < k; j += 2) a = (a - 1.0 / j) / s;
  return a;
}

)c";

}  // namespace

std::string c_helper_sign(const std::string& prefix) { return with_prefix(sign, prefix); }
std::string c_helper_stumpff(const std::string& prefix) { return with_prefix(stumpff, prefix); }
std::string c_helper_lerch(const std::string& prefix) { return with_prefix(lerch, prefix); }

}  // namespace invar
