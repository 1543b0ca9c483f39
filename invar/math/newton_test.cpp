// Laws of the Newton iteration: classic hard problems, order of convergence, independence of units, honest failure.
#include "invar/math/newton.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"

namespace invar {
namespace {

constexpr double machine_epsilon = std::numeric_limits<double>::epsilon();
// Converged solutions of well-conditioned problems are exact to round-off, not merely to the tolerance.
constexpr double near_epsilon = 10 * machine_epsilon;

using In = std::span<const double>;
using Out = std::span<double>;

Pattern dense_pattern(int n) {
  Pattern p{.rows = n, .cols = n, .start = {0}, .row = {}};
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) p.row.push_back(i);
    p.start.push_back(static_cast<int>(p.row.size()));
  }
  return p;
}

NewtonResult run(const Newton::Evaluate& f, std::vector<double>& x, NewtonOptions options = {}) {
  return Newton(dense_pattern(static_cast<int>(x.size())), options).solve(f, x);
}

void rosenbrock(In x, Out r, Out J) {
  r[0] = 10 * (x[1] - x[0] * x[0]);
  r[1] = 1 - x[0];
  J[0] = -20 * x[0], J[1] = -1, J[2] = 10, J[3] = 0;
}

// [Powell 1970; Moré, Garbow & Hillstrom 1981, problem 3]
void powell_badly_scaled(In x, Out r, Out J) {
  r[0] = 1e4 * x[0] * x[1] - 1;
  r[1] = std::exp(-x[0]) + std::exp(-x[1]) - 1.0001;
  J[0] = 1e4 * x[1], J[1] = -std::exp(-x[0]), J[2] = 1e4 * x[0], J[3] = -std::exp(-x[1]);
}

// The point of a circle in a given direction, |x|² = 1 and x × (cos t, sin t) = 0, with the direction as an argument.
struct PointOfCircle {
  Graph g;
  Expr x = g.parameter("x"), y = g.parameter("y"), c = g.parameter("c"), s = g.parameter("s");
  Exprs equations = {x * x + y * y - 1.0, y* c - x* s};
  SparseExprs slope = jacobian(equations, Exprs{x, y});
  Function both = function();
  std::vector<double> in = {1.0, 0.0, 1.0, 0.0};
  Scratch scratch;

  Function function() const {
    Exprs results = equations;
    results.insert(results.end(), slope.value.begin(), slope.value.end());
    return Function(Exprs{x, y, c, s}, results);
  }
  Newton::Evaluate evaluate() {
    return [this](In at, Out r, Out j) {
      std::vector<double> out(both.output_count());
      std::copy(at.begin(), at.end(), in.begin());
      both(in, out, scratch);
      std::copy_n(out.begin(), r.size(), r.begin());
      std::copy_n(out.begin() + 2, j.size(), j.begin());
    };
  }
};

// A point goes round a circle: each entry that could be a pivot passes through zero, and at a quarter turn it is noise.
// Whole iterations by one function find the same point as the general way, and give way where their pivots fail.
TEST(Newton, WholeIterationsFindTheSameRootsWherePivotsVanish) {
  constexpr int per_turn = 200, turns = 6;
  PointOfCircle circle;
  Newton learning(circle.slope.pattern, {.in_line_after = 100}),
      general(circle.slope.pattern, {.in_line_after = NewtonOptions::never});
  learning.learn_from(circle.both, 0);
  general.learn_from(circle.both, 0);
  const Newton::Evaluate evaluate = circle.evaluate();
  std::vector<double> x = {1.0, 0.0}, y = x;
  int learned = 0;
  for (int k = 0; k <= turns * per_turn; ++k) {
    const double t = 2.0 * std::acos(-1.0) * k / per_turn;
    circle.in[2] = std::cos(t), circle.in[3] = std::sin(t);
    learned += learning.has_line() ? 1 : 0;
    ASSERT_EQ(learning.solve(evaluate, circle.in, x).status, NewtonStatus::converged) << k;
    ASSERT_EQ(general.solve(evaluate, circle.in, y).status, NewtonStatus::converged) << k;
    EXPECT_NEAR(x[0], std::cos(t), near_epsilon) << k;
    EXPECT_NEAR(x[1], std::sin(t), near_epsilon) << k;
    EXPECT_NEAR(x[0], y[0], near_epsilon) << k;
    EXPECT_NEAR(x[1], y[1], near_epsilon) << k;
  }
  EXPECT_GT(learned, 4 * per_turn);
  EXPECT_FALSE(general.has_line());
}

// One unknown does not appear in the equations any more: the line, made where it did, must not make one up.
TEST(Newton, WholeIterationsDoNotHideASingularMatrix) {
  const Graph g;
  const Expr x = g.parameter("x"), y = g.parameter("y"), a = g.parameter("a");
  const Exprs equations = {x + a * y - 2.0, x + y - 2.0};
  const SparseExprs slope = jacobian(equations, Exprs{x, y});
  Exprs results = equations;
  results.insert(results.end(), slope.value.begin(), slope.value.end());
  const Function both(Exprs{x, y, a}, results);
  std::vector<double> in = {0.0, 0.0, 0.5}, at(2), out(both.output_count());
  Scratch scratch;
  const Newton::Evaluate evaluate = [&](In place, Out r, Out j) {
    std::copy(place.begin(), place.end(), in.begin());
    both(in, out, scratch);
    std::copy_n(out.begin(), 2, r.begin());
    std::copy_n(out.begin() + 2, j.size(), j.begin());
  };
  Newton newton(slope.pattern, {.in_line_after = 10});
  newton.learn_from(both, 0);
  for (int k = 0; !newton.has_line() && k < 1000; ++k) {
    at = {0.1, 0.1};
    ASSERT_EQ(newton.solve(evaluate, in, at).status, NewtonStatus::converged);
  }
  ASSERT_TRUE(newton.has_line());
  for (const double same : {1.0, 1.0 + machine_epsilon}) {
    in[2] = same;
    at = {0.1, 0.1};
    EXPECT_EQ(newton.solve(evaluate, in, at).status, NewtonStatus::singular);
  }
}

TEST(Newton, LinearSystemTakesOneStep) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> entry(-1, 1);
  for (int n = 1; n < 30; ++n) {
    std::vector<double> A(n * n), solution(n), x(n);
    for (double& a : A) a = entry(random);
    for (int i = 0; i < n; ++i) A[i * n + i] += n;
    for (int i = 0; i < n; ++i) solution[i] = entry(random), x[i] = entry(random);
    const auto f = [&](In y, Out r, Out J) {
      std::copy(A.begin(), A.end(), J.begin());
      for (int i = 0; i < n; ++i) {
        r[i] = 0;
        for (int j = 0; j < n; ++j) r[i] += A[j * n + i] * (y[j] - solution[j]);
      }
    };
    const NewtonResult result = run(f, x);
    EXPECT_EQ(result.status, NewtonStatus::converged);
    EXPECT_EQ(result.iterations, 1);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(x[i], solution[i], near_epsilon);
  }
}

TEST(Newton, Rosenbrock) {
  std::vector<double> x = {-1.2, 1};
  EXPECT_EQ(run(rosenbrock, x).status, NewtonStatus::converged);
  EXPECT_NEAR(x[0], 1, near_epsilon);
  EXPECT_NEAR(x[1], 1, near_epsilon);
}

TEST(Newton, PowellBadlyScaled) {
  std::vector<double> x = {0, 1};
  const NewtonResult result = run(powell_badly_scaled, x, {.max_iterations = 100});
  EXPECT_EQ(result.status, NewtonStatus::converged);
  // The published solution has seven digits.
  EXPECT_NEAR(x[0], 1.098159e-5, 1e-11);
  EXPECT_NEAR(x[1], 9.106146, 1e-6);
  EXPECT_NEAR(1e4 * x[0] * x[1], 1, near_epsilon);
}

TEST(Newton, OvershootingArctangentIsDamped) {
  for (const double start : {1.0, 1.5, 5.0, 100.0}) {  // undamped Newton diverges beyond 1.39
    std::vector<double> x = {start + 2};
    const auto f = [](In y, Out r, Out J) { r[0] = std::atan(y[0] - 2), J[0] = 1 / (1 + (y[0] - 2) * (y[0] - 2)); };
    EXPECT_EQ(run(f, x).status, NewtonStatus::converged) << start;
    EXPECT_NEAR(x[0], 2, near_epsilon) << start;
  }
}

TEST(Newton, SaturatedFunctionIsNotTakenForNoise) {  // every damped step jumps to the other branch, where J is the same
  for (const double start : {1e4, -1e6, 1e8, 1e10, -1e12}) {
    std::vector<double> x = {start};
    const auto f = [](In y, Out r, Out J) { r[0] = std::atan(y[0]), J[0] = 1 / (1 + y[0] * y[0]); };
    EXPECT_NE(run(f, x).status, NewtonStatus::converged) << start;
  }
}

TEST(Newton, LeavesTheRegionWhereTheResidualIsNotFinite) {
  std::vector<double> x = {3};  // the full step leads to log of a negative number
  const auto f = [](In y, Out r, Out J) { r[0] = std::log(y[0]) + 5, J[0] = 1 / y[0]; };
  EXPECT_EQ(run(f, x).status, NewtonStatus::converged);
  EXPECT_NEAR(x[0], std::exp(-5.0), near_epsilon);
}

TEST(Newton, BadStartDoesNotLoosenTheTest) {
  for (const double start : {5.0, 10.0, 20.0, 25.0}) {  // the first residual is up to 1e11 times the final terms
    std::vector<double> x = {start};
    const auto f = [](In y, Out r, Out J) { r[0] = std::exp(y[0]) - 2, J[0] = std::exp(y[0]); };
    EXPECT_EQ(run(f, x, {.max_iterations = 60}).status, NewtonStatus::converged);
    EXPECT_NEAR(x[0], std::log(2.0), near_epsilon) << start;
  }
}

TEST(Newton, ConvergesQuadratically) {
  std::vector<double> errors;
  std::vector<double> x = {3};
  const auto f = [&](In y, Out r, Out J) {
    errors.push_back(std::abs(y[0] - std::sqrt(2.0)));
    r[0] = y[0] * y[0] - 2, J[0] = 2 * y[0];
  };
  const NewtonResult result = run(f, x);
  EXPECT_EQ(result.status, NewtonStatus::converged);
  EXPECT_NEAR(x[0], std::sqrt(2.0), near_epsilon);
  // For this equation the error obeys e⁺ = e² / (2 x) exactly, and x > √2 throughout.
  for (std::size_t k = 1; k < errors.size(); ++k)
    EXPECT_LE(errors[k], errors[k - 1] * errors[k - 1] / (2 * std::sqrt(2.0)) + near_epsilon);
}

TEST(Newton, LooseToleranceStillGivesAnAccurateSolution) {
  std::vector<double> x = {3};
  const auto f = [](In y, Out r, Out J) { r[0] = y[0] * y[0] - 2, J[0] = 2 * y[0]; };
  EXPECT_EQ(run(f, x, {.tolerance = 1e-6}).status, NewtonStatus::converged);
  EXPECT_NEAR(x[0], std::sqrt(2.0), 1e-6);
}

TEST(Newton, SingularRootEndsWithoutALie) {
  std::vector<double> x = {2};
  const auto square = [](In y, Out r, Out J) { r[0] = (y[0] - 1) * (y[0] - 1), J[0] = 2 * (y[0] - 1); };
  EXPECT_EQ(run(square, x, {.max_iterations = 60}).status, NewtonStatus::converged);
  EXPECT_NEAR(x[0], 1, 1e-11);  // linear convergence to the tolerance of 1e-12

  x = {2};  // expanded, the residual is noise as soon as the error is √ε
  const auto expanded = [](In y, Out r, Out J) { r[0] = y[0] * y[0] - 2 * y[0] + 1, J[0] = 2 * y[0] - 2; };
  const NewtonResult result = run(expanded, x, {.max_iterations = 60});
  EXPECT_NEAR(x[0], 1, 10 * std::sqrt(machine_epsilon));
  EXPECT_TRUE(result.status != NewtonStatus::singular || result.singular_unknown == 0);
}

TEST(Newton, NoRootStallsAtTheRightEquation) {
  for (int bad = 0; bad < 3; ++bad) {
    std::vector<double> x = {0.7, 0.8, 0.9};
    const auto f = [bad](In y, Out r, Out J) {
      std::fill(J.begin(), J.end(), 0.0);
      for (int i = 0; i < 3; ++i) {
        r[i] = i == bad ? y[i] * y[i] + 1 : y[i] - i;
        J[4 * i] = i == bad ? 2 * y[i] : 1;
      }
    };
    const NewtonResult result = run(f, x);
    EXPECT_EQ(result.status, NewtonStatus::stalled);
    EXPECT_EQ(result.worst_equation, bad);
    EXPECT_GT(result.error, 1e-3);
  }
}

TEST(Newton, RootAtInfinityIsNoRoot) {
  for (const double start : {0.0, 25.0}) {  // a large first residual must not excuse the remaining one
    std::vector<double> x = {start};
    const auto f = [](In y, Out r, Out J) { r[0] = std::exp(y[0]) + 1e-3, J[0] = std::exp(y[0]); };
    EXPECT_NE(run(f, x, {.max_iterations = 60}).status, NewtonStatus::converged) << start;
  }
}

TEST(Newton, WrongJacobianIsNotTakenForNoise) {
  std::vector<double> x = {3};
  const auto f = [](In y, Out r, Out J) { r[0] = y[0] * y[0] - 2, J[0] = -20 * y[0]; };  // uphill
  EXPECT_EQ(run(f, x).status, NewtonStatus::stalled);
}

TEST(Newton, SingularJacobianNamesTheUnknown) {
  for (int missing = 0; missing < 3; ++missing) {
    std::vector<double> x = {1, 1, 1};
    const auto f = [missing](In y, Out r, Out J) {  // three equations without the unknown `missing`
      std::fill(J.begin(), J.end(), 0.0);
      const int a = (missing + 1) % 3, b = (missing + 2) % 3;
      r[0] = y[a] - 3, r[1] = y[b] - 4, r[2] = y[a] + y[b] - 8;
      J[3 * a] = 1, J[3 * b + 1] = 1, J[3 * a + 2] = 1, J[3 * b + 2] = 1;
    };
    const NewtonResult result = run(f, x);
    EXPECT_EQ(result.status, NewtonStatus::singular);
    EXPECT_EQ(result.singular_unknown, missing);
  }
}

TEST(Newton, StartThatIsNotFiniteNamesTheEquation) {
  std::vector<double> x = {1, -1};
  const auto f = [](In y, Out r, Out J) {
    r[0] = y[0], r[1] = std::log(y[1]);
    J[0] = 1, J[1] = 0, J[2] = 0, J[3] = 1 / y[1];
  };
  const NewtonResult result = run(f, x);
  EXPECT_EQ(result.status, NewtonStatus::stalled);
  EXPECT_EQ(result.worst_equation, 1);
}

TEST(Newton, ExactStartNeedsNoStep) {
  std::vector<double> x = {1, 1};
  const NewtonResult result = run(rosenbrock, x);
  EXPECT_EQ(result.status, NewtonStatus::converged);
  EXPECT_EQ(result.iterations, 0);
}

TEST(Newton, WarmStartAboveRoundOffIsImproved) {
  std::vector<double> x = {1 + 1e-13, 1};
  const NewtonResult result = run(rosenbrock, x);
  EXPECT_EQ(result.status, NewtonStatus::converged);
  EXPECT_EQ(result.iterations, 1);
  EXPECT_NEAR(x[0], 1, near_epsilon);
}

// Rescaling equations and unknowns by powers of two, which rounds nothing, changes neither the path nor the verdict;
// only another order of pivots may round differently.
TEST(Newton, IsIndependentOfUnits) {
  std::mt19937_64 random(2);
  std::uniform_int_distribution<int> exponent(-60, 60);
  for (int instance = 0; instance < 20; ++instance) {
    const double row[2] = {std::ldexp(1.0, exponent(random)), std::ldexp(1.0, exponent(random))};
    const double col[2] = {std::ldexp(1.0, exponent(random)), std::ldexp(1.0, exponent(random))};
    const auto scaled = [&](In y, Out r, Out J) {
      const double physical[2] = {y[0] * col[0], y[1] * col[1]};
      powell_badly_scaled(physical, r, J);
      for (int i = 0; i < 2; ++i) {
        r[i] *= row[i];
        for (int j = 0; j < 2; ++j) J[2 * j + i] *= row[i] * col[j];
      }
    };
    std::vector<double> x = {0.5, 1}, y = {0.5 / col[0], 1 / col[1]};
    const NewtonResult plain = run(powell_badly_scaled, x, {.max_iterations = 100});
    const NewtonResult other = run(scaled, y, {.max_iterations = 100});
    EXPECT_EQ(plain.status, other.status);
    EXPECT_EQ(plain.iterations, other.iterations);
    constexpr double conditioned = 100 * machine_epsilon;
    EXPECT_NEAR(x[0], y[0] * col[0], conditioned * x[0]);
    EXPECT_NEAR(x[1], y[1] * col[1], conditioned * x[1]);
  }
}

// A step of a pendulum in Cartesian coordinates with the length as a constraint (index 3, the SHAKE scheme):
// (q1 − 2 q0 + q₋) / h² + 2 q0 λ + g = 0 and |q1|² = 1. The noise of the multiplier is ε / h², the rows differ by 1/h².
struct PendulumStep {
  double h;
  double q0[2], q_before[2];

  void operator()(In x, Out r, Out J) const {
    const double scale = 1 / (h * h);
    const double gravity[2] = {0, 9.81};
    for (int i = 0; i < 2; ++i) r[i] = (x[i] - 2 * q0[i] + q_before[i]) * scale + 2 * q0[i] * x[2] + gravity[i];
    r[2] = x[0] * x[0] + x[1] * x[1] - 1;
    std::fill(J.begin(), J.end(), 0.0);
    J[0] = scale, J[2] = 2 * x[0], J[4] = scale, J[5] = 2 * x[1], J[6] = 2 * q0[0], J[7] = 2 * q0[1];
  }
};

TEST(Newton, SmallStepsOfAnIndexThreeSystemReachRoundOff) {
  for (const double h : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    Newton newton(dense_pattern(3));
    PendulumStep step{h, {1, 0}, {1, 0}};
    std::vector<double> x = {1, 0, 0};
    for (int k = 0; k < 200; ++k) {
      const NewtonResult result = newton.solve(std::ref(step), x);
      ASSERT_EQ(result.status, NewtonStatus::converged) << "h = " << h << ", step " << k << ", error " << result.error;
      EXPECT_LE(result.iterations, 6);
      EXPECT_NEAR(x[0] * x[0] + x[1] * x[1], 1, near_epsilon);
      std::copy(step.q0, step.q0 + 2, step.q_before);
      std::copy(x.begin(), x.begin() + 2, step.q0);
    }
  }
}

// Two preloads that cancel: at the root x = 0 neither |J| |x| nor |J| |Δx| knows about the noise of the large
// constants.
TEST(Newton, CancellingConstantsAreRecognisedAsNoise) {
  for (const double start : {1.0, 1e-3, 1e-13, 0.0}) {
    for (const double preload : {1e3, 1e5 / 3, 0.1, 1e7 / 7}) {
      std::vector<double> x = {start};
      const auto f = [preload](In y, Out r, Out J) {
        r[0] = (preload + 3 * y[0]) * 1.1 - (preload - y[0]) * 1.1 + preload * machine_epsilon;
        J[0] = 4.4;
      };
      const NewtonResult result = run(f, x);
      EXPECT_EQ(result.status, NewtonStatus::converged) << "start " << start << ", preload " << preload;
      EXPECT_NEAR(x[0], 0, 10 * machine_epsilon * preload);
    }
  }
}

// A coordinate that only carries noise must not keep the others from converging, nor cost more than a few evaluations.
TEST(Newton, IdleCoordinatesCostNothing) {
  int evaluations = 0;
  const auto f = [&](In x, Out r, Out J) {  // x[1] is driven by the difference of two equal products of large numbers
    ++evaluations;
    r[0] = x[0] * x[0] - 2;
    r[1] = x[1] + (x[0] * 3.3 - 3.3 * x[0] * (1 + machine_epsilon));
    J[0] = 2 * x[0], J[1] = -3.3 * machine_epsilon, J[2] = 0, J[3] = 1;
  };
  std::vector<double> x = {1.414, 1e-17};
  EXPECT_EQ(run(f, x).status, NewtonStatus::converged);
  EXPECT_NEAR(x[0], std::sqrt(2.0), near_epsilon);
  EXPECT_LE(evaluations, 8);
}

TEST(Newton, EmptyProblem) {
  std::vector<double> x;
  const NewtonResult result = Newton(Pattern{}).solve([](In, Out, Out) {}, x);
  EXPECT_EQ(result.status, NewtonStatus::converged);
  EXPECT_EQ(result.worst_equation, -1);
}

TEST(Newton, OptionsNameTheBadField) {
  const auto message = [](NewtonOptions options) -> std::string {
    try {
      options.check();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message({}), "");
  EXPECT_NE(message({.tolerance = 0}).find("tolerance"), std::string::npos);
  EXPECT_NE(message({.tolerance = std::nan("")}).find("tolerance"), std::string::npos);
  EXPECT_NE(message({.max_iterations = 0}).find("max_iterations"), std::string::npos);
  EXPECT_THROW(Newton(Pattern{}, {.tolerance = -1}), InputError);
}

}  // namespace
}  // namespace invar
