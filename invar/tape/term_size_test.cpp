// The size of terms bounds the formula, and does not vanish where terms cancel.
#include "invar/tape/term_size.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/tape/function.h"

namespace invar {
namespace {

double value(const Expr& f, const Exprs& symbols, const std::vector<double>& at) {
  std::vector<double> out(1);
  Scratch scratch;
  Function(symbols, Exprs{f})(at, out, scratch);
  return out[0];
}

TEST(TermSize, DoesNotVanishWhereTermsCancel) {
  const Graph g;
  const Expr x = g.parameter("x"), y = g.parameter("y");
  const auto size = [&](const Expr& f) { return value(term_sizes({&f, 1})[0], {x, y}, {-3.0, 4.0}); };
  EXPECT_EQ(size(0.5 * (x * x + pow(y, 2.0) - 25.0)), 25.0);
  EXPECT_EQ(size(sqrt(x * x + y * y) - 5.0), 10.0);
  EXPECT_EQ(size(-(x + 3.0) * (y - 4.0) / x), 6.0 * 8.0 / 3.0);
  EXPECT_EQ(size(sin(x) - cos(y)), std::abs(std::sin(3.0)) + std::abs(std::cos(4.0)));
  EXPECT_EQ(size(Expr(-2.0)), 2.0);
}

}  // namespace
}  // namespace invar
