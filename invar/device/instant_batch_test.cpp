// Inputs at many instants on a device are those of the staged scheme, one instant after the other; functions of time on
// pieces are what they were. The device of these tests is the processor (test_host_device.h).
#include "invar/device/instant_batch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/base/private_files.h"
#include "invar/dae/stages.h"
#include "invar/dae/test_servo_cranes.h"
#include "invar/device/test_host_device.h"
#include "invar/model/trajectory/profile.h"

namespace invar {
namespace {

using namespace test;

// Both reach round-off; inputs are fourth derivatives, whose round-off is larger. As in sweep_test.cpp.
constexpr double same_instant = 1e-10;

void expect_the_staged_inputs(const ServoProblem& p, double from, double to) {
  constexpr int further = 8, bases = 40, instants = 101;
  const Offsets o = offsets(signature(p.dae));
  JetEvaluator evaluator(p.dae);
  StagedSolver staged(evaluator, o);
  std::vector<Jet> path;
  Jet jet = p.guess;
  for (int k = 0; k <= bases; ++k) {
    jet.t = from + (to - from) * k / bases;
    ASSERT_EQ(staged.solve(jet, further).status, JetResult::Status::converged);
    path.push_back(jet);
  }
  const auto sweep = Sweep::make(p.dae, o, 0, path);
  ASSERT_TRUE(sweep);
  std::vector<std::size_t> wanted;
  for (std::size_t j = 0; j < p.dae.unknowns.size(); ++j) wanted.push_back(j);
  HostDevice device;
  InstantBatch batch(device, *sweep, path, wanted);
  std::vector<double> times;
  for (int k = 0; k < instants; ++k) times.push_back(from + (to - from) * k / (instants - 1));
  const std::vector<double> found = batch(times);
  jet = path.front();
  for (std::size_t i = 0; i < times.size(); ++i) {
    jet.t = times[i];
    ASSERT_EQ(staged.solve(jet, 0).status, JetResult::Status::converged);
    for (const std::size_t j : wanted)
      EXPECT_NEAR(found[j * times.size() + i], jet.x[j][0], same_instant * (1.0 + std::abs(jet.x[j][0])))
          << p.dae.unknowns[j].name << " at " << times[i];
  }
}

TEST(InstantBatch, FindsTheInputsOfTheStagedScheme) {
  if (!run_program({"cc", "--version"})) GTEST_SKIP() << "no C compiler here";
  expect_the_staged_inputs(overhead_crane(), 1.0, 2.0);
  expect_the_staged_inputs(rotary_crane_dependent(), 1.0, 2.0);
}

TEST(InstantBatch, TellsWhatItDidNotFind) {
  if (!run_program({"cc", "--version"})) GTEST_SKIP() << "no C compiler here";
  const ServoProblem p = overhead_crane();
  const Offsets o = offsets(signature(p.dae));
  JetEvaluator evaluator(p.dae);
  StagedSolver staged(evaluator, o);
  Jet jet = p.guess;
  jet.t = 1.0;
  ASSERT_EQ(staged.solve(jet, 8).status, JetResult::Status::converged);
  const auto sweep = Sweep::make(p.dae, o, 0, std::vector<Jet>{jet});
  ASSERT_TRUE(sweep);
  Jet worthless = shifted(jet, 1.1);
  for (Derivatives& x : worthless.x) x.assign(x.size(), std::nan(""));
  HostDevice device;
  InstantBatch batch(device, *sweep, std::vector<Jet>{jet, worthless}, std::vector<std::size_t>{0});
  const std::vector<double> found = batch(std::vector<double>{1.01, 1.09});
  EXPECT_FALSE(std::isnan(found[0]));
  EXPECT_TRUE(std::isnan(found[1]));
}

// A profile, an analytic function and a constant, and the corners of the first.
TEST(TimePieces, GiveTheFunctionsAndTheirDerivatives) {
  const std::vector<TimeFunctionPtr> functions = {
      polynomial_move(9, {.from = 1.0, .to = -2.0, .start = 0.5, .duration = 2.0}),
      three_phase_move(0.4, {.from = 0.0, .to = 3.0, .start = 0.25, .duration = 1.5}),
      harmonic_move({.from = 0.0, .to = 1.0, .start = 1.0, .duration = 1.0}), constant_function(4.0),
      spline({0.0, 0.7, 1.1, 2.0}, std::vector{0.0, 1.0, -1.0, 2.0}, 2)};
  const std::vector<std::size_t> lengths = {6, 5, 3, 1, 4};
  std::vector<Reference> references;
  const Graph g;
  for (const TimeFunctionPtr& f : functions)
    references.push_back({"r", g.reference("r" + std::to_string(references.size())), f});
  const TimePieces pieces = time_pieces(references, lengths, -0.5, 3.0);
  EXPECT_LT(pieces.size(), 100u);
  for (std::size_t f = 0; f < functions.size(); ++f) {
    std::vector<double> expected(lengths[f]), found(lengths[f]), size(lengths[f]);
    for (double t = -0.5; t <= 3.0; t += 0.0078125) {
      functions[f]->series(t, Side::right, expected);
      for (std::size_t n = 0; n < size.size(); ++n) size[n] = std::max(size[n], std::abs(expected[n]));
    }
    for (double t = -0.5; t <= 3.0; t += 0.0078125) {
      functions[f]->series(t, Side::right, expected);
      pieces.series(f, t, found);
      for (std::size_t n = 0; n < size.size(); ++n)
        EXPECT_NEAR(found[n], expected[n], 1e-12 * size[n])
            << functions[f]->describe() << " order " << n << " at " << t;
    }
  }
}

}  // namespace
}  // namespace invar
