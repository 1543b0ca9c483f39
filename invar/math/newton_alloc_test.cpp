// Neither the linear solver nor Newton allocates inside a time step: every allocation of this program is counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "invar/math/count_allocations.h"
#include "invar/math/newton.h"

namespace invar {
namespace {

using test::allocations;

// A chain of n unknowns: tridiagonal and nonlinear, a_i x_i³ + 4 x_i − x_{i−1} − x_{i+1} = load.
struct Chain {
  int n;
  double load = 1;

  Pattern pattern() const {
    Pattern p{.rows = n, .cols = n, .start = {0}, .row = {}};
    for (int j = 0; j < n; ++j) {
      for (int i = std::max(0, j - 1); i <= std::min(n - 1, j + 1); ++i) p.row.push_back(i);
      p.start.push_back(static_cast<int>(p.row.size()));
    }
    return p;
  }
  void operator()(std::span<const double> x, std::span<double> r, std::span<double> J) const {
    std::size_t e = 0;
    for (int j = 0; j < n; ++j) {
      r[j] = x[j] * x[j] * x[j] + 4 * x[j] - load - (j > 0 ? x[j - 1] : 0) - (j + 1 < n ? x[j + 1] : 0);
      for (int i = std::max(0, j - 1); i <= std::min(n - 1, j + 1); ++i) J[e++] = i == j ? 3 * x[j] * x[j] + 4 : -1;
    }
  }
};

class EachKind : public testing::TestWithParam<LinearSolver::Kind> {};
INSTANTIATE_TEST_SUITE_P(Allocation, EachKind, testing::Values(LinearSolver::Kind::dense, LinearSolver::Kind::sparse));

TEST(Allocation, IsCounted) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer owns malloc";
#endif
  const long before = allocations;
  std::vector<double> v(1000);
  EXPECT_GT(v.data() == nullptr ? 0 : allocations - before, 0);
  void* volatile memory = std::malloc(100);
  EXPECT_GT(allocations - before, 1);
  std::free(memory);
}

TEST_P(EachKind, RefactorAndSolveAllocateNothing) {
  for (const int n : {3, 40, 200}) {
    Chain chain{n};
    const Pattern pattern = chain.pattern();
    LinearSolver solver(pattern, GetParam());
    std::vector<double> x(n, 0.1), b(n), values(pattern.size());
    chain(x, b, values);
    bool regular = solver.factor(values);
    const long before = allocations;
    for (int k = 0; k < 10; ++k) {
      for (double& v : values) v *= 1.1;
      regular = solver.factor(values) && regular;
      solver.solve(b);
    }
    const long after = allocations;
    EXPECT_TRUE(regular);
    EXPECT_EQ(after - before, 0) << n;
  }
}

TEST_P(EachKind, NewtonAllocatesNothingAfterTheFirstCall) {
  for (const int n : {3, 40, 200}) {
    Chain chain{n};
    Newton newton(chain.pattern(), {}, {}, GetParam());
    const Newton::Evaluate evaluate = std::ref(chain);
    std::vector<double> x(n, 3.0);
    bool converged = newton.solve(evaluate, x).status == NewtonStatus::converged;
    const long before = allocations;
    for (int k = 0; k < 10; ++k) {
      chain.load += 1;
      converged = newton.solve(evaluate, x).status == NewtonStatus::converged && converged;
    }
    const long after = allocations;
    EXPECT_TRUE(converged);
    EXPECT_EQ(after - before, 0) << n;
  }
}

}  // namespace
}  // namespace invar
