#include "invar/sample/distribution.h"

#include <cmath>
#include <span>

namespace invar {
namespace {

constexpr double ln2_high = 0x1.62e42fefa39efp-1, ln2_low = 0x1.abc9e3b39803fp-56;

// log x = e log 2 + 2 artanh z with x = 2ᵉ m, z = (m - 1)/(m + 1), and m near 1.
double log_alike(double x) {
  int e = 0;
  double m = std::frexp(x, &e);
  if (m < 0.70710678118654752) {
    m *= 2.0;
    --e;
  }
  const double z = (m - 1.0) / (m + 1.0), zz = z * z;
  double sum = 0.0;
  for (int k = 11; k >= 1; --k) sum = zz * (sum + 1.0 / (2 * k + 1));
  return e * ln2_high + (e * ln2_low + 2.0 * z * sum + 2.0 * z);
}

// exp x = 2ⁿ exp r with |r| at most half of log 2.
double exp_alike(double x) {
  const double n = std::round(std::fmax(-1080.0, std::fmin(1080.0, x / ln2_high)));
  const double r = (x - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45;
  double sum = 1.0;
  for (int k = 13; k >= 1; --k) sum = 1.0 + r / k * sum;
  return std::ldexp(sum, static_cast<int>(n));
}

double polynomial(std::span<const double> coefficients, double x) {
  double sum = 0.0;
  for (std::size_t k = coefficients.size(); k-- > 0;) sum = sum * x + coefficients[k];
  return sum;
}

std::string_view positive_spread(double, double spread) {
  return spread > 0.0 ? "" : "the second one must be positive";
}

constexpr std::array kinds = {
    Distribution{"uniform",
                 {"from", "to"},
                 [](double a, double b) { return std::string_view(a < b ? "" : "the first one must be smaller"); },
                 [](double u, double a, double b) { return (1.0 - u) * a + u * b; }},
    Distribution{"normal",
                 {"mean", "deviation"},
                 positive_spread,
                 [](double u, double a, double b) { return a + b * normal_quantile(u); }},
    Distribution{"lognormal",
                 {"median", "spread"},
                 [](double a, double b) { return a > 0.0 ? positive_spread(a, b) : "the first one must be positive"; },
                 [](double u, double a, double b) { return a * exp_alike(b * normal_quantile(u)); }},
    Distribution{"loguniform",
                 {"from", "to"},
                 [](double a, double b) {
                   return std::string_view(0.0 < a && a < b ? "" : "they must be positive, the first one smaller");
                 },
                 [](double u, double a, double b) { return a * exp_alike(u * log_alike(b / a)); }},
};

}  // namespace

std::span<const Distribution> distributions() { return kinds; }

double normal_quantile(double u) {
  static constexpr double a[] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                 1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                 3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static constexpr double b[] = {1.0,
                                 4.2313330701600911252e+1,
                                 6.8718700749205790830e+2,
                                 5.3941960214247511077e+3,
                                 2.1213794301586595867e+4,
                                 3.9307895800092710610e+4,
                                 2.8729085735721942674e+4,
                                 5.2264952788528545610e+3};
  static constexpr double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                 3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                 2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr double d[] = {1.0,
                                 2.05319162663775882187e0,
                                 1.67638483018380384940e0,
                                 6.89767334985100004550e-1,
                                 1.48103976427480074590e-1,
                                 1.51986665636164571966e-2,
                                 5.47593808499534494600e-4,
                                 1.05075007164441684324e-9};
  static constexpr double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                 2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                 2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr double f[] = {1.0,
                                 5.99832206555887937690e-1,
                                 1.36929880922735805310e-1,
                                 1.48753612908506148525e-2,
                                 7.86869131145613259100e-4,
                                 1.84631831751005468180e-5,
                                 1.42151175831644588870e-7,
                                 2.04426310338993978564e-15};
  const double q = u - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double r = std::sqrt(-log_alike(q < 0.0 ? u : 1.0 - u));
  const double x =
      r <= 5.0 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6) : polynomial(e, r - 5.0) / polynomial(f, r - 5.0);
  return q < 0.0 ? -x : x;
}

}  // namespace invar
