// A sweep gives what the staged scheme gives, for many instants at once.
#include "invar/dae/sweep.h"

#include <gtest/gtest.h>

#include "invar/dae/stages.h"
#include "invar/dae/test_servo_cranes.h"

namespace invar {
namespace {

using namespace test;

// Both reach round-off; inputs are fourth derivatives, whose round-off is larger.
constexpr double same = 1e-10;

void expect_the_staged_solution(const ServoProblem& p, double from, double to) {
  constexpr int extra = 2;
  const Offsets o = offsets(signature(p.dae));
  JetEvaluator evaluator(p.dae);
  StagedSolver staged(evaluator, o);
  Jet base = p.guess;
  base.t = from;
  ASSERT_EQ(staged.solve(base, 10).status, JetResult::Status::converged);
  std::vector<Jet> samples = {base};
  auto sweep = Sweep::make(p.dae, o, extra, samples);
  ASSERT_TRUE(sweep);
  std::vector<double> times;
  for (int k = 1; k <= 21; ++k) times.push_back(from + (to - from) * k / 21);
  const Sweep::Batch batch = sweep->solve(base, times);
  ASSERT_EQ(batch.solved, times.size());
  Jet jet = base;
  for (std::size_t k = 0; k < times.size(); ++k) {
    jet.t = times[k];
    ASSERT_EQ(staged.solve(jet, extra).status, JetResult::Status::converged);
    Jet found;
    sweep->jet(k, found);
    for (std::size_t j = 0; j < jet.x.size(); ++j)
      for (std::size_t n = 0; n < found.x[j].size(); ++n)
        EXPECT_NEAR(found.x[j][n], jet.x[j][n], same * (1.0 + std::abs(jet.x[j][n])))
            << p.dae.unknowns[j].name << " order " << n << " at " << times[k];
  }
}

TEST(Sweep, OverheadCrane) { expect_the_staged_solution(overhead_crane(), 1.0, 1.2); }

TEST(Sweep, ChainOfThree) { expect_the_staged_solution(spring_chain(3, false), 1.0, 1.1); }

TEST(Sweep, RotaryCranes) {
  expect_the_staged_solution(rotary_crane_dependent(), 1.0, 1.2);
  expect_the_staged_solution(rotary_crane_redundant(), 1.0, 1.2);
}

TEST(Sweep, SolvesNothingFromAWorthlessPrediction) {
  const ServoProblem p = overhead_crane();
  const Offsets o = offsets(signature(p.dae));
  JetEvaluator evaluator(p.dae);
  StagedSolver staged(evaluator, o);
  Jet base = p.guess;
  base.t = 1.0;
  ASSERT_EQ(staged.solve(base, 2).status, JetResult::Status::converged);
  auto sweep = Sweep::make(p.dae, o, 0, std::vector<Jet>{base});
  ASSERT_TRUE(sweep);
  for (Derivatives& x : base.x) x.assign(x.size(), std::nan(""));
  EXPECT_EQ(sweep->solve(base, std::vector<double>{1.1, 1.2}).solved, 0u);
}

}  // namespace
}  // namespace invar
