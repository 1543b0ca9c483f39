// Laws of series: closed forms of every function, and agreement with repeated symbolic differentiation.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "invar/expr/derivative.h"
#include "invar/expr/expr_test_support.h"
#include "invar/expr/random_expr.h"
#include "invar/expr/special.h"
#include "invar/tape/function.h"

namespace invar {
namespace {

constexpr int order = 12;
constexpr double series_rounding = 1e-14;  // a dozen additions per coefficient, coefficients up to about 1

double factorial(int n) { return std::tgamma(n + 1.0); }

double binomial(double p, int k) {
  double result = 1;
  for (int i = 0; i < k; ++i) result *= (p - i) / (i + 1);
  return result;
}

// Coefficients of f(a + t).
std::vector<double> series_at(double a, const std::function<Expr(Expr)>& f, int highest = order) {
  const Graph g;
  const Expr x = g.parameter("x");
  const Function function(Exprs{x}, Exprs{f(x)});
  std::vector<double> in(static_cast<std::size_t>(highest) + 1), out(in.size());
  in[0] = a;
  if (highest >= 1) in[1] = 1;
  Scratch scratch;
  function.taylor(highest, in, out, scratch);
  return out;
}

void expect_series(const char* what, double a, const std::function<Expr(Expr)>& f,
                   const std::function<double(int)>& coefficient) {
  const std::vector<double> actual = series_at(a, f);
  for (int k = 0; k <= order; ++k) {
    const double expected = coefficient(k);
    EXPECT_NEAR(actual[static_cast<std::size_t>(k)], expected, series_rounding * std::max(1.0, std::abs(expected)))
        << what << " coefficient " << k;
  }
}

TEST(Taylor, ElementaryFunctionsHaveTheirKnownSeries) {
  const auto odd = [](int k) { return k % 2 == 1; };
  const auto alternating = [](int k) { return k / 2 % 2 == 0 ? 1.0 : -1.0; };
  expect_series("1/x", 1, [](Expr x) { return 1.0 / x; }, [](int k) { return k % 2 == 0 ? 1.0 : -1.0; });
  expect_series(
      "exp(x)/exp(2x)", 0, [](Expr x) { return exp(x) / exp(2.0 * x); },
      [](int k) { return (k % 2 == 0 ? 1 : -1) / factorial(k); });
  expect_series("exp", 0, [](Expr x) { return exp(x); }, [](int k) { return 1 / factorial(k); });
  expect_series("log", 1, [](Expr x) { return log(x); }, [](int k) { return k == 0 ? 0 : (k % 2 ? 1.0 : -1.0) / k; });
  expect_series("sqrt", 1, [](Expr x) { return sqrt(x); }, [](int k) { return binomial(0.5, k); });
  expect_series("power", 1, [](Expr x) { return pow(x, 2.3); }, [](int k) { return binomial(2.3, k); });
  expect_series("x^70", 1, [](Expr x) { return pow(x, 70); }, [](int k) { return binomial(70, k); });
  expect_series("x^5", 0, [](Expr x) { return pow(x, 5); }, [](int k) { return k == 5 ? 1.0 : 0.0; });
  expect_series(
      "sin", 0, [](Expr x) { return sin(x); }, [&](int k) { return odd(k) ? alternating(k) / factorial(k) : 0; });
  expect_series(
      "cos", 0, [](Expr x) { return cos(x); }, [&](int k) { return odd(k) ? 0 : alternating(k) / factorial(k); });
  expect_series("sinh", 0, [](Expr x) { return sinh(x); }, [&](int k) { return odd(k) ? 1 / factorial(k) : 0; });
  expect_series("cosh", 0, [](Expr x) { return cosh(x); }, [&](int k) { return odd(k) ? 0 : 1 / factorial(k); });
  const std::vector<double> tangent = {0, 1,           0, 1.0 / 3,         0, 2.0 / 15, 0, 17.0 / 315,
                                       0, 62.0 / 2835, 0, 1382.0 / 155925, 0};
  expect_series("tan", 0, [](Expr x) { return tan(x); }, [&](int k) { return tangent[static_cast<std::size_t>(k)]; });
  expect_series(
      "tanh", 0, [](Expr x) { return tanh(x); },
      [&](int k) { return (k / 2 % 2 == 0 ? 1 : -1) * tangent[static_cast<std::size_t>(k)]; });
  const auto arcsine = [&](int k) { return odd(k) ? binomial(-0.5, k / 2) * alternating(k) / k : 0.0; };
  expect_series("asin", 0, [](Expr x) { return asin(x); }, arcsine);
  expect_series(
      "acos", 0, [](Expr x) { return acos(x); }, [&](int k) { return k == 0 ? std::acos(0.0) : -arcsine(k); });
  expect_series("atan", 0, [](Expr x) { return atan(x); }, [&](int k) { return odd(k) ? alternating(k) / k : 0.0; });
  for (double a : {0.3, 2.0, -2.5})
    expect_series(
        "atan2", a, [](Expr x) { return atan2(3.0 * sin(x), 3.0 * cos(x)); },
        [a](int k) { return k == 0   ? a
                            : k == 1 ? 1.0
                                     : 0.0; });
  expect_series("exp(x log x)", 1, [](Expr x) { return pow(x, x) - exp(x * log(x)); }, [](int) { return 0.0; });
}

TEST(Taylor, AbsAndSignFollowTheLeadingCoefficient) {
  expect_series("abs", -2, [](Expr x) { return abs(x); }, [](int k) { return k == 0 ? 2.0 : k == 1 ? -1.0 : 0.0; });
  expect_series(
      "abs at 0", 0, [](Expr x) { return abs(sin(x) * -1.0 + x * 0.5); },
      [](int k) { return k % 2 == 0 ? 0.0
                         : k == 1   ? 0.5
                                    : (k / 2 % 2 == 0 ? 1 : -1) / factorial(k); });
  expect_series("sign", -2, [](Expr x) { return sign(x); }, [](int k) { return k == 0 ? -1.0 : 0.0; });
}

TEST(Taylor, RootOfZeroIsZeroOnlyForTheZeroSeries) {
  const Graph g;
  const Expr x = g.parameter("x");
  const Function f(Exprs{x}, Exprs{sqrt(x)});
  Scratch scratch;
  std::vector<double> out(3);
  f.taylor(2, std::vector{0.0, 0.0, 0.0}, out, scratch);
  EXPECT_EQ(out, (std::vector{0.0, 0.0, 0.0}));
  f.taylor(2, std::vector{0.0, 1.0, 0.0}, out, scratch);
  EXPECT_EQ(out[0], 0.0);
  EXPECT_FALSE(std::isfinite(out[1]));
}

TEST(Taylor, FamiliesHaveTheirSeriesAtZero) {
  for (int n = 0; n <= 6; ++n) {
    expect_series(
        "stumpff", 0, [n](Expr x) { return stumpff(n, x); },
        [n](int k) { return (k % 2 == 0 ? 1 : -1) / factorial(2 * k + n); });
    if (n >= 1)
      expect_series("lerch", 0, [n](Expr x) { return lerch(n, x); }, [n](int k) { return 1.0 / (2 * k + n); });
  }
}

// Sums that cancel by up to two digits, and recursions that pass through up to eight functions.
constexpr double recursion_rounding = 5e-13;

// 2s c_k' + k c_k = c_{k-1} and c_k + s c_{k+2} = 1/k! hold coefficient by coefficient.
TEST(Taylor, StumpffCoefficientsObeyTheirIdentities) {
  for (int k = 1; k <= 6; ++k)
    for (double s : {-300.0, -40.0, -5.0, -0.1, 0.0, 1e-8, 0.3, 2.0, 7.0, 15.0, 40.0, 90.0, 300.0, 4000.0}) {
      std::vector<double> f(order + 1), work(order + 1), below(order + 1), above(order + 1);
      special::stumpff_coefficients(k, s, f, work);
      special::stumpff_coefficients(k - 1, s, below, work);
      special::stumpff_coefficients(k + 2, s, above, work);
      for (std::size_t m = 0; m < order; ++m) {
        const double mm = static_cast<double>(m), next = 2 * s * (mm + 1) * f[m + 1], own = (2 * mm + k) * f[m];
        // Far out, high coefficients are small against what matters as far as t = s.
        const double natural = recursion_rounding * std::pow(std::max(1.0, s), -mm);
        EXPECT_NEAR(next + own, below[m],
                    recursion_rounding * (std::abs(next) + std::abs(own)) + natural * std::abs(below[0]))
            << k << " " << s << " " << m;
        const double sum = f[m] + s * above[m] + (m == 0 ? 0.0 : above[m - 1]);
        const double scale = std::abs(f[m]) + std::abs(s * above[m]) + (m == 0 ? 0.0 : std::abs(above[m - 1]));
        EXPECT_NEAR(sum, m == 0 ? 1 / factorial(k) : 0.0, recursion_rounding * scale + natural * std::abs(f[0]))
            << k << " " << s << " " << m;
      }
    }
}

// f_m = ∫ t^(k-1+2m)/(1 - s t²)^(m+1) dt obeys 2s a_k' + k a_k = 1/(1-s) and is the sum of its series.
TEST(Taylor, LerchCoefficientsObeyTheirEquationAndSum) {
  for (int k = 1; k <= 6; ++k)
    for (double s : {-1e4, -100.0, -17.0, -15.0, -3.0, -0.5, -0.1, 0.0, 0.1, 0.4, 0.6, 0.89, 0.91, 0.99}) {
      std::vector<double> f(order + 1);
      special::lerch_coefficients(k, s, f);
      for (std::size_t m = 0; m < order; ++m) {
        const double mm = static_cast<double>(m), next = 2 * s * (mm + 1) * f[m + 1], own = (2 * mm + k) * f[m];
        EXPECT_NEAR(next + own, std::pow(1 - s, -mm - 1), series_rounding * (std::abs(next) + std::abs(own)))
            << k << " " << s;
        EXPECT_GT(f[m], 0.0);
        if (s < -0.2 || s > 0.5) continue;  // there the sum cancels or is slow
        double sum = 0, weight = 1;
        for (int j = static_cast<int>(m); j < 400; ++j) {
          sum += weight / (2 * j + k);
          weight *= s * (j + 1) / (j + 1 - mm);
        }
        EXPECT_NEAR(f[m], sum, 10 * series_rounding * sum) << k << " " << s << " " << m;
      }
    }
}

// Values of x^(j), y^(j) at the expansion point are j! times the coefficients.
TEST(Taylor, EqualsRepeatedTimeDerivatives) {
  constexpr int highest = 6;
  constexpr double tolerance = 1e-9;  // sixth derivatives as formulas: thousands of terms that partly cancel
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const Graph g;
    const Variable x = g.variable("x"), y = g.variable("y");
    const Exprs inputs = {at(x), at(y), g.time()};
    const Expr formula = test::random_expr(random, inputs, 4);
    const Function f(inputs, Exprs{formula});
    std::uniform_real_distribution<double> uniform(-0.6, 0.6);
    std::vector<double> in(3 * (highest + 1)), out(highest + 1);
    for (double& c : in) c = uniform(random);
    std::fill(in.begin() + 2 * (highest + 1), in.end(), 0.0);
    in[2 * (highest + 1)] = 0.4;
    in[2 * (highest + 1) + 1] = 1.0;
    Scratch scratch;
    f.taylor(highest, in, out, scratch);
    Exprs symbols = {g.time()};
    std::vector<double> point = {0.4};
    for (int k = 0; k <= highest; ++k)
      for (std::size_t i = 0; i < 2; ++i) {
        symbols.push_back(at(i == 0 ? x : y, k));
        point.push_back(factorial(k) * in[i * (highest + 1) + static_cast<std::size_t>(k)]);
      }
    Expr derivative = formula;
    for (int k = 0; k <= highest; ++k, derivative = ddt(derivative)) {
      const double expected = test::value_at(derivative, symbols, point) / factorial(k);
      EXPECT_NEAR(out[static_cast<std::size_t>(k)], expected, tolerance * (1 + std::abs(expected)))
          << "seed " << seed << " order " << k;
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
}

}  // namespace
}  // namespace invar
