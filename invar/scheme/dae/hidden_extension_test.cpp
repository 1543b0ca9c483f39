// Minimal extension to index 1 where the formulas hide their structure: exact where nothing is left to integrate,
// otherwise with the order of the integrator.
#include <gtest/gtest.h>

#include <cmath>

#include "invar/dae/test_servo_cranes.h"
#include "invar/scheme/dae/dae_integration.h"
#include "invar/scheme/dae/test_dae_schemes.h"

namespace invar {
namespace {

using test::ServoProblem;

// By the derivative array, at the start, which becomes a solution.
ReducedDae hidden_extension(ServoProblem& p, int states = 0) {
  const Offsets formal = offsets(signature(p.dae));
  JetEvaluator evaluator(p.dae);
  const ArrayVerdict verdict = analyse_array(evaluator, formal, p.dae, p.guess, 10);
  EXPECT_EQ(verdict.status, ArrayVerdict::Status::determined);
  EXPECT_EQ(verdict.degrees_of_freedom, states);
  ArraySolver solver(p.dae, formal, verdict);
  EXPECT_EQ(solver.solve(p.guess).status, JetResult::Status::converged);
  return extend(p.dae, solver.square_part(p.guess));
}

DaeMotion run(const ReducedDae& r, const ServoProblem& p, std::string_view scheme, double until, double h) {
  DaeMotion motion = integrate(r, test::scheme(scheme), 0.0, until, h, p.guess);
  EXPECT_TRUE(motion.complete) << scheme << ' ' << h << ": " << motion.fault;
  return motion;
}

// After the start, which is only a guess in some of them.
double largest_difference(const DaeMotion& a, const DaeMotion& b, std::string_view unknown) {
  const auto i = static_cast<Eigen::Index>(a.column(unknown)), j = static_cast<Eigen::Index>(b.column(unknown));
  return (a.value.col(i) - b.value.col(j)).tail(a.value.rows() - 1).cwiseAbs().maxCoeff();
}

// The crane in dependent coordinates needs no array, and its inputs are those of the closed form (dae_crane_test.cpp).
TEST(HiddenExtension, OfTheOverheadCraneIsExactInEveryCoding) {
  constexpr double until = 3.0, h = 0.05, round_off = 1e-10;  // of forces up to 500 N, differentiated twice
  const ServoProblem plain = test::overhead_crane();
  const DaeMotion exact =
      run(extend(plain.dae, offsets(signature(plain.dae)), 1, plain.guess), plain, "implicit-euler", until, h);
  using enum test::CraneCoding;
  for (const test::CraneCoding coding : {minimal, winch_angle, mixed, solved}) {
    ServoProblem p = test::overhead_crane(coding).problem;
    const ReducedDae r = hidden_extension(p);
    for (const std::vector<int>& row : signature(r.dae).order)
      for (const int order : row) EXPECT_LE(order, 0) << "nothing is left to integrate";
    const DaeMotion found = run(r, p, "implicit-euler", until, h);
    for (const std::string_view input : {"F", "M"})
      EXPECT_LT(largest_difference(found, exact, input), round_off) << input << ", coding " << static_cast<int>(coding);
  }
}

// Index 7 behind formulas that suggest 3.
TEST(HiddenExtension, OfAChainInDenseCoordinatesIsExact) {
  constexpr double until = 2.0, h = 0.1, round_off = 1e-8;  // of a force differentiated four times
  const ServoProblem plain = test::spring_chain(3, false);
  const DaeMotion exact =
      run(extend(plain.dae, offsets(signature(plain.dae)), 1, plain.guess), plain, "implicit-euler", until, h);
  ServoProblem dense = test::spring_chain(3, true);
  const ReducedDae r = hidden_extension(dense);
  const DaeMotion found = run(r, dense, "implicit-euler", until, h);
  const std::string input = plain.dae.unknowns.back().name;
  const auto column = static_cast<Eigen::Index>(exact.column(input));
  EXPECT_LT(largest_difference(found, exact, input), round_off * exact.value.col(column).cwiseAbs().maxCoeff());
}

// The crane with a pendulum on its trolley, which swings as it likes: two states.
ServoProblem crane_with_pendulum() {
  constexpr double pendulum = 5.0, length = 0.6;
  Exprs slphi;
  System sys = test::minimal_crane_system(test::CraneCoding::minimal, slphi);
  sys.add_coordinate("w");
  const Exprs q = positions(sys);
  for (Input& input : sys.inputs) input.direction.resize(4, 0.0);
  const Expr x = q[0] + length * sin(q[3]), z = -length * cos(q[3]);
  sys.kinetic += 0.5 * pendulum * (test::squared(ddt(x)) + test::squared(ddt(z)));
  sys.potential += pendulum * test::OverheadCraneData{}.g * z;
  return {servo(sys, test::overhead_targets(sys, q[0] + q[1] * sin(q[2]), -q[1] * cos(q[2]))),
          test::guess_of({0.0, 4.0, 0.0, 0.2, 0.0, -98.0})};
}

TEST(HiddenExtension, IntegratesWhatIsLeftWithTheOrderOfTheScheme) {
  constexpr double until = 1.2, tolerance = 0.3;
  ServoProblem p = crane_with_pendulum();
  const ReducedDae r = hidden_extension(p, 2);
  const auto at_end = [&](std::string_view scheme, double h, std::string_view unknown) {
    const DaeMotion m = run(r, p, scheme, until, h);
    return m.value(m.value.rows() - 1, static_cast<Eigen::Index>(m.column(unknown)));
  };
  const std::vector<double> expected = {1.0, 2.0, 5.0}, steps = {0.005, 0.01, 0.1};
  for (const std::string_view unknown : {"w", "F"}) {
    const double exact = at_end("radau5", 0.0125, unknown);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const std::string_view scheme = test::dae_schemes()[k];
      const double coarse = at_end(scheme, steps[k], unknown) - exact,
                   fine = at_end(scheme, 0.5 * steps[k], unknown) - exact;
      EXPECT_NEAR(std::log2(std::abs(coarse / fine)), expected[k], tolerance) << unknown << ", " << scheme;
    }
  }
}

}  // namespace
}  // namespace invar
