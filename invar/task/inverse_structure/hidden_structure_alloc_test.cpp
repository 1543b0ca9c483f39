// Along a path the derivative array of a flat system is solved without allocation: all of this program are counted.
#include <gtest/gtest.h>

#include "invar/dae/array_solver.h"
#include "invar/dae/test_servo_cranes.h"
#include "invar/math/count_allocations.h"

namespace invar {
namespace {

using test::allocations;

TEST(ArraySolver, AllocatesNothingFromOneInstantToTheNext) {
  const test::ServoProblem p = test::overhead_crane(test::CraneCoding::minimal).problem;
  const Offsets structure = offsets(signature(p.dae));
  JetEvaluator evaluator(p.dae);
  Jet jet = p.guess;
  jet.t = 0.5;
  const ArrayVerdict verdict = analyse_array(evaluator, structure, p.dae, jet, 4);
  ASSERT_EQ(verdict.status, ArrayVerdict::Status::determined);
  ASSERT_TRUE(verdict.states.empty());
  ArraySolver solver(p.dae, structure, verdict);
  Jet next;
  constexpr int first = 10, instants = 200;
  constexpr double step = 1e-3;
  long before = 0;
  int iterations = 0;
  for (int k = 0; k < instants; ++k) {
    if (k == first) before = allocations;
    if (k == first) iterations = 0;
    const JetResult r = solver.solve(jet);
    ASSERT_EQ(r.status, JetResult::Status::converged) << k;
    iterations += r.iterations;
    shift(jet, jet.t + step, next);
    std::swap(jet, next);
  }
  const long made = allocations - before;
  // The trajectories of this test take a vector each at every instant; new factors, now and then, a few for an estimate
  // of their condition.
  constexpr double trajectories = 2.0, now_and_then = 0.02, a_few = 10.0;
  EXPECT_LE(static_cast<double>(made), (trajectories + now_and_then * a_few) * (instants - first));
  // Extrapolated, so that the second iteration confirms the first.
  EXPECT_LE(iterations, 3 * (instants - first));
}

}  // namespace
}  // namespace invar
