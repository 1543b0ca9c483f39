// Laws of continued functions: what is computed is what was said, operation by operation, and nothing is done twice.
#include "invar/tape/straight_line.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace invar {
namespace {

using Value = StraightLine::Value;

Function some_function() {
  const Graph g;
  const Expr x = g.parameter("x"), y = g.parameter("y");
  return Function(Exprs{x, y}, Exprs{sin(x) * y + x, stumpff(2, y), x, 3.0, -(x * y) - exp(y)});
}

std::vector<double> values_at(const Function& f, std::span<const double> in) {
  Scratch scratch;
  std::vector<double> out(f.output_count());
  f(in, out, scratch);
  return out;
}

TEST(StraightLine, KeepsTheFunctionThatItContinues) {
  const Function f = some_function();
  const StraightLine line(f);
  std::vector<Value> outputs;
  for (std::size_t k = 0; k < f.output_count(); ++k) outputs.push_back(line.output(k));
  const Function same = line.result(outputs);
  EXPECT_EQ(same.instruction_count(), f.instruction_count());
  const std::vector<double> in = {0.7, -1.3};
  EXPECT_EQ(values_at(same, in), values_at(f, in));
}

TEST(StraightLine, GivesTheBitsOfItsOperations) {
  StraightLine line(some_function());
  const Value a = line.output(0), b = line.output(1), x = line.input(0), two = line.number(2.0);
  const Value factor = line.divide(a, b);
  const Function f = line.result(
      std::vector{factor, line.subtract(x, line.multiply(factor, two)), line.abs(line.negate(factor)),
                  line.add(line.negate(a), line.multiply(line.number(-1.0), b)),
                  line.divide(line.number(1.0), line.negate(x)), line.multiply(line.negate(a), line.negate(b))});
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> any(-2.0, 2.0);
  for (int point = 0; point < 20; ++point) {
    const std::vector<double> in = {any(random), any(random)};
    const std::vector<double> from = values_at(some_function(), in), out = values_at(f, in);
    const double u = from[0], v = from[1], q = u / v;
    const std::vector<double> expected = {q, in[0] - q * 2.0, std::abs(q), -u - v, -(1.0 / in[0]), u * v};
    for (std::size_t k = 0; k < out.size(); ++k)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(out[k]), std::bit_cast<std::uint64_t>(expected[k])) << k;
  }
}

TEST(StraightLine, DoesNothingTwiceAndNothingInVain) {
  StraightLine line(some_function());
  const Value x = line.input(0), one = line.number(1.0), none = line.number(0.0);
  EXPECT_EQ(line.add(x, none), x);
  EXPECT_EQ(line.multiply(one, x), x);
  EXPECT_EQ(line.multiply(none, x), none);
  EXPECT_EQ(line.divide(x, one), x);
  EXPECT_EQ(line.subtract(x, x), none);
  EXPECT_EQ(line.negate(line.negate(x)), x);
  EXPECT_EQ(line.add(x, line.output(0)), line.add(line.output(0), x));
  EXPECT_EQ(line.multiply(line.number(2.0), line.number(3.0)), line.number(6.0));
  EXPECT_EQ(line.result(std::vector{x, one}).instruction_count(), 0u);
}

}  // namespace
}  // namespace invar
