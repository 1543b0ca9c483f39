// Law: points of a block are those that the function gives one by one, to the last bit, however many there are.
#include "invar/tape/point_block.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "invar/expr/expr.h"

namespace invar {
namespace {

TEST(PointBlock, GivesWhatSinglePointsGive) {
  Graph graph;
  const Expr x = graph.parameter("x"), y = graph.parameter("y"), m = graph.parameter("m");
  const Exprs inputs = {x, y, m};
  const Function function(inputs, Exprs{sin(x) * y - m, x / y, sqrt(x), Expr(3.0)});
  PointBlock block(function);
  block.fill(2, std::vector{1.7});
  Scratch scratch;
  for (const std::size_t count : {std::size_t{1}, std::size_t{3}, std::size_t{4}, std::size_t{33}, block.room()}) {
    const auto x_of = [](std::size_t p) { return 0.37 * static_cast<double>(p) - 3.0; };
    const auto y_of = [](std::size_t p) { return std::cos(static_cast<double>(p)); };
    for (std::size_t p = 0; p < count; ++p) block.set(0, p, std::vector{x_of(p), y_of(p)});
    block.evaluate(count);
    std::vector<double> one(4);
    for (std::size_t p = 0; p < count; ++p) {
      function(std::vector{x_of(p), y_of(p), 1.7}, one, scratch);
      for (std::size_t i = 0; i < one.size(); ++i) {
        const double found = block.out(i)[p];
        EXPECT_TRUE(std::bit_cast<std::uint64_t>(found) == std::bit_cast<std::uint64_t>(one[i]) ||
                    (std::isnan(found) && std::isnan(one[i])))
            << p;
      }
    }
  }
}

}  // namespace
}  // namespace invar
