// Series of formulas against series of numbers, for every operation.
#include "invar/tape/power_series.h"

#include <gtest/gtest.h>

#include <random>

#include "invar/tape/function.h"

namespace invar {
namespace {

// Both sides make the same few hundred roundings in different orders.
constexpr double rounding = 1e-11;

TEST(PowerSeries, EveryOperationAgreesWithTheTapeInSeries) {
  constexpr int order = 6;
  const Graph g;
  const Expr x = g.parameter("x"), y = g.parameter("y"), p = g.parameter("p");
  const Exprs f = {-x,
                   x + y,
                   x - y,
                   x * y,
                   x / y,
                   pow(x, 2.0),
                   pow(x, 3.0),
                   pow(x, -1.5),
                   pow(x, y),
                   sqrt(x),
                   exp(x),
                   log(x),
                   sin(x * y),
                   cos(x),
                   tan(x),
                   asin(0.5 * x),
                   acos(0.5 * x),
                   atan(x),
                   atan2(x, y),
                   sinh(x),
                   cosh(x),
                   tanh(x),
                   abs(-x),
                   stumpff(1, x),
                   lerch(1, 0.5 * x),
                   p * sin(x) / (1.0 + pow(y, 2.0)),
                   7.0};
  constexpr std::size_t n = order + 1;
  const Exprs s = {x, y};
  std::vector<Exprs> series(2);
  Exprs inputs;
  for (Exprs& one : series)
    for (std::size_t k = 0; k < n; ++k) inputs.push_back(one.emplace_back(g.parameter("c")));
  inputs.push_back(p);
  const Exprs symbolic = power_series(f, s, series, order);

  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> value(0.3, 0.9);
  std::vector<double> in(inputs.size()), out(symbolic.size()), tape_in(3 * n, 0.0), expected(f.size() * n);
  for (double& v : in) v = value(random);
  std::copy(in.begin(), in.end(), tape_in.begin());
  Scratch scratch, other;
  Function(inputs, symbolic)(in, out, scratch);
  Function(Exprs{x, y, p}, f).taylor(order, tape_in, expected, other);
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_NEAR(out[i], expected[i], rounding * (1.0 + std::abs(expected[i]))) << i / n << " coefficient " << i % n;
}

}  // namespace
}  // namespace invar
