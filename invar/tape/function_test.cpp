// Laws of Function: every way to evaluate a tape gives the same bits, and the tape holds only what matters.
#include "invar/tape/function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "invar/base/error.h"
#include "invar/expr/expr_test_support.h"
#include "invar/expr/random_expr.h"

namespace invar {
namespace {

using test::Domain;

bool same(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

struct Sample {
  Graph graph;
  Exprs inputs, outputs;
};

Sample random_sample(std::uint64_t seed, int outputs, int operations, Domain domain) {
  std::mt19937_64 random(seed);
  Sample s;
  for (const char* name : {"x", "y", "z"}) s.inputs.push_back(s.graph.parameter(name));
  for (int i = 0; i < outputs; ++i) s.outputs.push_back(test::random_expr(random, s.inputs, operations, domain));
  return s;
}

std::vector<double> random_numbers(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  std::vector<double> x(count);
  for (double& v : x) v = uniform(random);
  return x;
}

std::vector<double> values(const Function& f, std::span<const double> in) {
  Scratch scratch;
  std::vector<double> out(f.output_count());
  f(in, out, scratch);
  return out;
}

// The tape multiplies out powers, the plain evaluation calls pow: a few units, carried on through thirty operations.
constexpr double power_rounding = 1e-11;

TEST(Function, EqualsPlainEvaluation) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Sample s = random_sample(seed, 3, 30, Domain::smooth);
    const Function f(s.inputs, s.outputs);
    const std::vector<double> point = random_numbers(seed, 3);
    const std::vector<double> expected = test::values_at(s.outputs, s.inputs, point);
    const std::vector<double> actual = values(f, point);
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (std::abs(expected[i]) < 1e3) {
        EXPECT_NEAR(actual[i], expected[i], power_rounding * (1 + std::abs(expected[i]))) << "seed " << seed;
      }
  }
}

TEST(Function, LanesGiveTheSameBitsAsPoints) {
  for (const Domain domain : {Domain::smooth, Domain::any})
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Sample s = random_sample(seed, 3, 40, domain);
      const Function f(s.inputs, s.outputs);
      Scratch scratch;
      for (const std::size_t n : {1, 7, 16, 33}) {
        const std::vector<double> in = random_numbers(seed + n, 3 * n);
        std::vector<double> out(3 * n);
        f.lanes(n, in, out, scratch);
        for (std::size_t p = 0; p < n; ++p) {
          const std::vector<double> point = values(f, std::vector<double>{in[p], in[n + p], in[2 * n + p]});
          for (std::size_t i = 0; i < 3; ++i)
            EXPECT_TRUE(same(out[i * n + p], point[i])) << out[i * n + p] << " " << point[i] << " seed " << seed;
        }
      }
    }
}

TEST(Function, SeriesBeginWithTheSameBitsAsPoints) {
  for (const Domain domain : {Domain::smooth, Domain::any})
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Sample s = random_sample(seed, 3, 40, domain);
      const Function f(s.inputs, s.outputs);
      const std::vector<double> point = random_numbers(seed, 3);
      const std::vector<double> expected = values(f, point);
      Scratch scratch;
      for (const int order : {0, 3}) {
        const std::size_t n = static_cast<std::size_t>(order) + 1;
        std::vector<double> in(3 * n), out(3 * n);
        for (std::size_t i = 0; i < 3; ++i) in[i * n] = point[i];
        f.taylor(order, in, out, scratch);
        for (std::size_t i = 0; i < 3; ++i)
          EXPECT_TRUE(same(out[i * n], expected[i])) << out[i * n] << " " << expected[i] << " seed " << seed;
      }
    }
}

TEST(Function, OneScratchServesAllUses) {
  const Sample s = random_sample(5, 3, 40, Domain::smooth);
  const Sample other = random_sample(6, 3, 20, Domain::smooth);
  const Function f(s.inputs, s.outputs), g(other.inputs, other.outputs);
  const std::vector<double> point = random_numbers(1, 3);
  const std::vector<double> expected = values(f, point);
  Scratch scratch;
  std::vector<double> out(3), lanes(48), series(48);
  const std::vector<double> lanes_in = random_numbers(2, 48);
  for (int repeat = 0; repeat < 2; ++repeat) {
    f.lanes(16, lanes_in, lanes, scratch);
    f.taylor(15, lanes_in, series, scratch);  // as wide as a block of lanes
    g(point, out, scratch);
    f(point, out, scratch);
    EXPECT_EQ(out, expected);
  }
}

TEST(Function, PassesInputsAndNumbersThrough) {
  const Graph g;
  const Expr x = g.parameter("x"), y = g.parameter("y");
  const double infinity = std::numeric_limits<double>::infinity();
  const Exprs in = {x, y}, out = {y, 2.5, x, y, x + y, x + y, -infinity};
  const Function f(in, out);
  EXPECT_EQ(f.instruction_count(), 1);
  EXPECT_EQ(values(f, std::vector{1.0, 2.0}), (std::vector{2.0, 2.5, 1.0, 2.0, 3.0, 3.0, -infinity}));
  const Function nothing(Exprs{}, Exprs{});
  EXPECT_TRUE(values(nothing, {}).empty());
  const Function number(Exprs{}, Exprs{7.0});
  EXPECT_EQ(values(number, {}), std::vector{7.0});
}

TEST(Function, PowersBecomeProducts) {
  const Graph g;
  const Expr x = g.parameter("x");
  const Exprs in = {x};
  for (int n = 1; n <= 64; ++n) {
    const Function f(in, Exprs{pow(x, n)});
    EXPECT_LE(f.instruction_count(), 2 * std::log2(n) + 1e-9) << n;
    const double expected = std::pow(1.1, n);
    EXPECT_NEAR(values(f, std::vector{1.1})[0], expected, 12 * std::numeric_limits<double>::epsilon() * expected);
  }
  EXPECT_EQ(Function(in, Exprs{pow(x, 2), pow(x, 4), pow(x, 8)}).instruction_count(), 3);
  EXPECT_EQ(Function(in, Exprs{pow(x, 1.5), sqrt(x)}).instruction_count(), 3);
  EXPECT_EQ(values(Function(in, Exprs{pow(x, 1.5), pow(x, 2.5), pow(x, 1.0 / 3)}), std::vector{4.0}),
            (std::vector{8.0, 32.0, std::pow(4.0, 1.0 / 3)}));
  EXPECT_EQ(values(Function(in, Exprs{pow(x, -1.5), pow(x, 100)}), std::vector{4.0}),
            (std::vector{0.125, std::pow(4.0, 100)}));
}

TEST(Function, NamesTheSymbolThatHasNoValue) {
  const Graph g;
  const Variable speed = g.variable("speed");
  const Expr x = g.parameter("x");
  try {
    Function(Exprs{x}, Exprs{x + sin(at(speed, 2))});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("\"speed''\""), std::string::npos) << error.what();
  }
}

TEST(Function, ChecksItsCallers) {
  const Graph g;
  const Expr x = g.parameter("x");
  EXPECT_THROW(Function(Exprs{x, x}, Exprs{x}), ContractViolation);
  EXPECT_THROW(Function(Exprs{x + 1.0}, Exprs{x}), ContractViolation);
  const Function f(Exprs{x}, Exprs{x * x});
  Scratch scratch;
  std::vector<double> one(1), two(2);
  EXPECT_THROW(f(two, one, scratch), ContractViolation);
  EXPECT_THROW(f(one, two, scratch), ContractViolation);
  EXPECT_THROW(f.lanes(2, one, two, scratch), ContractViolation);
  EXPECT_THROW(f.taylor(-1, one, one, scratch), ContractViolation);
}

TEST(Function, DropsWhatNoOutputNeeds) {
  const Graph g;
  const Expr x = g.parameter("x");
  const Expr unused = exp(sin(x) * 3.7);
  const Function f(Exprs{x}, Exprs{cos(x)});
  EXPECT_EQ(f.instruction_count(), 1);
  EXPECT_EQ(f.register_count(), 2);
  EXPECT_FALSE(unused.is_constant());
}

// A thousand products that all exist before the first sum, added from the front and from the back.
TEST(Function, ReusesRegisters) {
  constexpr std::size_t count = 45;
  constexpr std::size_t few = 4;
  const Graph g;
  Exprs x, products;
  for (std::size_t i = 0; i < count; ++i) x.push_back(g.parameter("x" + std::to_string(i)));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) products.push_back(x[i] * x[j]);
  Expr forward = 0.0, backward = 0.0;
  for (std::size_t i = 0; i < products.size(); ++i) {
    forward += products[i];
    backward += products[products.size() - 1 - i];
  }
  for (const Expr& sum : {forward, backward}) EXPECT_LE(Function(x, Exprs{sum}).register_count(), count + few);
}

TEST(Function, TakesLongSumsAndDeepNests) {
  const Graph g;
  const Expr x = g.parameter("x"), y = g.parameter("y");
  Expr sum = 0.0, nest = x;
  double expected_sum = 0.0, expected_nest = 0.7;
  for (int i = 1; i <= 100000; ++i) {
    sum += x / (y + static_cast<double>(i));
    expected_sum += 0.7 / (0.3 + static_cast<double>(i));
  }
  for (int i = 0; i < 10000; ++i) {
    nest = i % 2 == 0 ? sin(nest) : cos(nest);
    expected_nest = i % 2 == 0 ? std::sin(expected_nest) : std::cos(expected_nest);
  }
  const Function f(Exprs{x, y}, Exprs{sum, nest});
  const std::vector<double> result = values(f, std::vector{0.7, 0.3});
  EXPECT_NEAR(result[0], expected_sum, 1e-10);
  EXPECT_EQ(result[1], expected_nest);
  EXPECT_GT(f.c_source("f").size(), 100000);
  Scratch scratch;
  std::vector<double> series(4);
  f.taylor(1, std::vector{0.7, 0.0, 0.3, 0.0}, series, scratch);
  EXPECT_EQ(series[2], expected_nest);
}

TEST(Function, ServesManyThreads) {
  const Sample s = random_sample(11, 3, 60, Domain::smooth);
  const Function f(s.inputs, s.outputs);
  const std::vector<double> point = random_numbers(4, 3);
  const std::vector<double> expected = values(f, point);
  std::vector<int> wrong(4);
  {
    std::vector<std::jthread> threads;
    for (int& count : wrong)
      threads.emplace_back([&] {
        Scratch scratch;
        std::vector<double> out(3);
        for (int repeat = 0; repeat < 1000; ++repeat) {
          f(point, out, scratch);
          count += out != expected;
        }
      });
  }
  EXPECT_EQ(wrong, std::vector<int>(4));
}

}  // namespace
}  // namespace invar
