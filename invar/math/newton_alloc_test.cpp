// Neither the linear solver nor Newton allocates inside a time step: every allocation of this program is counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>

#include "invar/math/newton.h"

namespace {
std::atomic<long> allocations = 0;
}

// glibc's own entry points; replacing malloc and its relatives this way also catches C libraries and operator new.
// The address sanitizer brings its own malloc: then nothing is counted and the tests pass trivially.
#ifndef __SANITIZE_ADDRESS__
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  ++allocations;
  return __libc_realloc(old, size);
}
}
#endif

namespace invar {
namespace {

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
    Newton newton(chain.pattern(), {}, GetParam());
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
