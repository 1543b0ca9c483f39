// Hidden structure: index, freedom and inputs of systems whose signature misleads, against closed-form flat solutions.
#include "invar/dae/derivative_array.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "invar/dae/array_solver.h"
#include "invar/dae/test_servo_systems.h"

namespace invar {
namespace {

using namespace test;

constexpr double inputs_tolerance =
    1e-9;  // relative to the largest input: round-off amplified by four or more derivatives

// Formulas in references, evaluated with their exact derivatives.
class FlatSolution {
 public:
  FlatSolution(std::vector<Reference> references, const Exprs& formulas, int order)
      : references_(std::move(references)), order_(order), function_(symbols_of(references_, order), formulas) {}

  std::vector<double> at_time(double t, Side side = Side::right) {
    std::vector<double> in, out(function_.output_count()), series(static_cast<std::size_t>(order_) + 1);
    for (const Reference& r : references_) {
      r.function->series(t, side, series);
      double factorial = 1.0;
      for (int k = 0; k <= order_; ++k) {
        if (k > 0) factorial *= k;
        in.push_back(factorial * series[static_cast<std::size_t>(k)]);
      }
    }
    function_(in, out, scratch_);
    return out;
  }

 private:
  static Exprs symbols_of(const std::vector<Reference>& references, int order) {
    Exprs all;
    for (const Reference& r : references)
      for (int k = 0; k <= order; ++k) all.push_back(at(r.value, k));
    return all;
  }

  std::vector<Reference> references_;
  int order_;
  Function function_;
  Scratch scratch_;
};

// s = x - z x''/(g + z''), λ = -m(g + z'')/z, l² = (x-s)² + z², F = mt s'' - (x-s)λ, M = r(J/r² l'' - lλ)
FlatSolution flat_overhead(const Dae& dae, double down) {
  const OverheadCraneData d;
  const Expr x = at(dae.references[0].value), z = down * at(dae.references[1].value);
  const Expr lift = d.g + ddt(ddt(z)), s = x - z * ddt(ddt(x)) / lift, lambda = -d.m * lift / z;
  const Expr l = sqrt(squared(x - s) + squared(z));
  return {dae.references,
          {d.mt * ddt(ddt(s)) - (x - s) * lambda, d.r * (d.J / (d.r * d.r) * ddt(ddt(l)) - l * lambda), s, l},
          4};
}

// A = (x,y) - z (x'',y'')/(g + z'') is the trolley; the rows of bridge, trolley and winch give the inputs.
FlatSolution flat_rotary(const Dae& dae) {
  const RotaryCraneData d;
  const Expr x = at(dae.references[0].value), y = at(dae.references[1].value), z = at(dae.references[2].value);
  const Expr lift = d.g + ddt(ddt(z)), ax = x - z * ddt(ddt(x)) / lift, ay = y - z * ddt(ddt(y)) / lift;
  const Expr s = sqrt(squared(ax) + squared(ay)), phi = atan2(ay, ax), lambda = -d.m * lift / z;
  const Expr l = sqrt(squared(x - ax) + squared(y - ay) + squared(z));
  const Expr bridge = (d.Jb + d.mt * squared(s)) * ddt(ddt(phi)) + 2.0 * d.mt * s * ddt(s) * ddt(phi) +
                      (x * sin(phi) - y * cos(phi)) * s * lambda;
  const Expr trolley = d.mt * ddt(ddt(s)) - d.mt * s * squared(ddt(phi)) + (s - x * cos(phi) - y * sin(phi)) * lambda;
  return {dae.references, {bridge, trolley, d.r * (d.Jw / (d.r * d.r) * ddt(ddt(l)) - l * lambda)}, 4};
}

// Masses m, m + δ, m + 2δ, … in a row joined by equal springs, a force on the first, the last shall follow.
struct Masses {
  double m, increment, stiffness;
  double of(int i) const { return m + increment * i; }
};

// Displacements x = mix · q.
ServoProblem mixed_chain(const Masses& d, const Matrix& mix, double duration) {
  System s;
  for (Eigen::Index j = 0; j < mix.cols(); ++j) s.add_coordinate("q" + std::to_string(j + 1));
  const Exprs q = positions(s);
  Exprs x, direction;
  for (Eigen::Index i = 0; i < mix.rows(); ++i) {
    x.push_back(0.0);
    for (Eigen::Index j = 0; j < mix.cols(); ++j) {
      if (mix(i, j) != 0.0) x.back() += mix(i, j) * q[static_cast<std::size_t>(j)];
      if (i == 0) direction.push_back(mix(i, j));
    }
  }
  s.kinetic = 0.0;
  s.potential = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    s.kinetic += 0.5 * d.of(static_cast<int>(i)) * squared(ddt(x[i]));
    if (i > 0) s.potential += 0.5 * d.stiffness * squared(x[i] - x[i - 1]);
  }
  s.add_input("F", direction);
  const std::vector<ServoTarget> targets = {{"end", x.back(), {rest_to_rest(s.graph, "end", 0.0, 1.0, duration)}}};
  return {servo(s, targets), guess_of(std::vector<double>(x.size() + 1, 0.0))};
}

// From the last mass to the first: the spring force k(x_i-1 - x_i) is what mass i and those behind it need.
FlatSolution flat_chain(const Dae& dae, const Masses& d, int n) {
  Expr x = at(dae.references[0].value), force = d.of(n - 1) * ddt(ddt(x));
  for (int i = n - 1; i > 0; --i) {
    x += force / d.stiffness;
    force += d.of(i - 1) * ddt(ddt(x));
  }
  return {dae.references, {force}, 2 * n};
}

// Random, every column of which moves all masses.
Matrix regular_mix(int n, std::mt19937_64& random) {
  constexpr double well_conditioned = 0.02;  // worse ones spend the digits that the test is about
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  for (;;) {
    const Matrix mix = Matrix::NullaryExpr(n, n, [&] { return entry(random); });
    if (reciprocal_condition(mix) > well_conditioned) return mix;
  }
}

struct Found {
  Offsets structure;
  ArrayVerdict verdict;
};

Found analyse(const ServoProblem& p, double t, int max_k = 12) {
  Found found{offsets(signature(p.dae)), {}};
  JetEvaluator evaluator(p.dae);
  Jet jet = p.guess;
  jet.t = t;
  found.verdict = analyse_array(evaluator, found.structure, p.dae, jet, max_k);
  return found;
}

// Follows the solution from the start to the end and compares the inputs, the last unknowns.
void expect_inputs(const ServoProblem& p, const Found& found, FlatSolution& flat, double duration, int inputs) {
  JetEvaluator evaluator(p.dae);
  Jet jet = p.guess;
  ASSERT_EQ(analyse_array(evaluator, found.structure, p.dae, jet, found.verdict.k).status,
            ArrayVerdict::Status::determined);
  ArraySolver solver(p.dae, found.structure, found.verdict);
  constexpr int points = 60;
  int iterations = 0;
  double largest = 1e-300, error = 0.0;
  for (int i = 0; i <= points; ++i) {
    jet = shifted(jet, duration * i / points);
    const JetResult r = solver.solve(jet);
    ASSERT_EQ(r.status, JetResult::Status::converged) << "t = " << jet.t << " error " << r.error;
    iterations += r.iterations;
    const std::vector<double> exact = flat.at_time(jet.t);
    for (int u = 0; u < inputs; ++u) {
      const double expected = exact[static_cast<std::size_t>(u)];
      largest = std::max(largest, std::abs(expected));
      error = std::max(error, std::abs(jet.x[jet.x.size() - static_cast<std::size_t>(inputs - u)][0] - expected));
    }
  }
  EXPECT_LT(error / largest, inputs_tolerance) << "iterations per point " << iterations / (points + 1.0);
}

class Crane : public ::testing::TestWithParam<CraneCoding> {};

TEST_P(Crane, HidesIndexFiveInEveryCoding) {
  const MinimalCrane crane = overhead_crane(GetParam());
  const ServoProblem& p = crane.problem;
  for (const double t : {0.0, 1.0}) {
    const Found found = analyse(p, t);
    EXPECT_EQ(found.structure.index, 3);
    EXPECT_EQ(found.structure.degrees_of_freedom, 2);
    EXPECT_EQ(found.verdict.status, ArrayVerdict::Status::determined);
    EXPECT_EQ(found.verdict.k, 2);
    EXPECT_EQ(found.verdict.index, 5);
    EXPECT_EQ(found.verdict.degrees_of_freedom, 0);
  }
  FlatSolution flat = flat_overhead(p.dae, GetParam() == CraneCoding::winch_angle ? -1.0 : 1.0);
  expect_inputs(p, analyse(p, 0.0), flat, OverheadCraneData{}.duration, 2);
}

INSTANTIATE_TEST_SUITE_P(Codings, Crane,
                         ::testing::Values(CraneCoding::minimal, CraneCoding::winch_angle, CraneCoding::mixed,
                                           CraneCoding::solved, CraneCoding::momenta));

TEST(DerivativeArray, RotaryCraneInMinimalCoordinatesIsFlat) {
  const ServoProblem p = rotary_crane_minimal();
  const Found found = analyse(p, 0.0);
  EXPECT_EQ(found.structure.degrees_of_freedom, 4);
  EXPECT_EQ(found.verdict.k, 2);
  EXPECT_EQ(found.verdict.index, 5);
  EXPECT_EQ(found.verdict.degrees_of_freedom, 0);
  FlatSolution flat = flat_rotary(p.dae);
  expect_inputs(p, found, flat, RotaryCraneData{}.duration, 3);
}

struct ChainCase {
  const char* name;
  Masses masses;
  double duration;
};

class Chain : public ::testing::TestWithParam<ChainCase> {};

// With n masses the index is 2n + 1 and nothing is free; coordinates must not matter.
TEST_P(Chain, HasTheSameIndexInDenseCoordinates) {
  const auto& [name, masses, duration] = GetParam();
  std::mt19937_64 random(20);
  for (int n = 2; n <= 6; ++n) {
    const Offsets sparse = offsets(signature(mixed_chain(masses, Matrix::Identity(n, n), duration).dae));
    EXPECT_EQ(sparse.index, 2 * n + 1);
    EXPECT_EQ(sparse.degrees_of_freedom, 0);
    for (int trial = 0; trial < 2; ++trial) {
      SCOPED_TRACE(std::to_string(n) + " masses, trial " + std::to_string(trial));
      const ServoProblem p = mixed_chain(masses, regular_mix(n, random), duration);
      Found found;
      for (const double part : {0.3, 0.0}) {
        found = analyse(p, part * duration);
        EXPECT_EQ(found.structure.index, 3);
        EXPECT_EQ(found.verdict.status, ArrayVerdict::Status::determined);
        EXPECT_EQ(found.verdict.index, sparse.index);
        EXPECT_EQ(found.verdict.degrees_of_freedom, sparse.degrees_of_freedom);
      }
      FlatSolution flat = flat_chain(p.dae, masses, n);
      expect_inputs(p, found, flat, duration, 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Data, Chain,
                         ::testing::Values(ChainCase{"soft", {1.0, 0.0, 10.0}, 3.0},
                                           ChainCase{"unequal", {1.0, 0.5, 100.0}, 2.0},
                                           ChainCase{"fast", {1e-3, 2e-4, 1e5}, 2e-3},
                                           ChainCase{"slow", {1e3, 0.0, 1e-2}, 3e3}),
                         [](const auto& c) { return c.param.name; });

TEST(DerivativeArray, SlidingItGivesHigherDerivativesOfTheInputs) {
  const ServoProblem p = overhead_crane(CraneCoding::minimal).problem;
  const OverheadCraneData d;
  const Found found = analyse(p, 0.0);
  // F and its first three derivatives from the formulas of flat_overhead.
  const Expr x = at(p.dae.references[0].value), z = at(p.dae.references[1].value);
  const Expr lift = d.g + ddt(ddt(z)), s = x - z * ddt(ddt(x)) / lift;
  const Expr F = d.mt * ddt(ddt(s)) + (x - s) * d.m * lift / z;
  FlatSolution flat(p.dae.references, {F, ddt(F), ddt(ddt(F)), ddt(ddt(ddt(F)))}, 7);
  JetEvaluator evaluator(p.dae);
  Jet jet = p.guess;
  jet.t = 0.8;
  ASSERT_EQ(analyse_array(evaluator, found.structure, p.dae, jet, 2).status, ArrayVerdict::Status::determined);
  ArraySolver solver(p.dae, found.structure, found.verdict);
  ASSERT_EQ(solver.solve(jet).status, JetResult::Status::converged);
  solver.lengthen(jet, 3);
  const Derivatives& found_F = jet.x[3];
  const std::vector<double> exact = flat.at_time(jet.t);
  ASSERT_GE(found_F.size(), exact.size());
  constexpr double round_off = 1e-10;  // relative; each order costs about one digit
  for (std::size_t k = 0; k < exact.size(); ++k) EXPECT_NEAR(found_F[k], exact[k], round_off * std::abs(exact[k])) << k;
}

TEST(DerivativeArray, OutputsThatDependOnEachOtherAreFoundOut) {
  ServoProblem p = overhead_crane(CraneCoding::minimal).problem;
  const Expr first = p.dae.equations[3].expr + at(p.dae.references[0].value);
  p.dae.equations[4].expr = 2.0 * first - 2.0 * at(p.dae.references[0].value);
  const ArrayVerdict open = analyse(p, 1.0, 4).verdict;
  EXPECT_EQ(open.status, ArrayVerdict::Status::not_invertible);
  EXPECT_FALSE(open.undetermined.empty());

  p.dae.equations[4].expr = 2.0 * first - at(p.dae.references[1].value);
  const ArrayVerdict contradiction = analyse(p, 1.0, 4).verdict;
  EXPECT_EQ(contradiction.status, ArrayVerdict::Status::inconsistent);
  EXPECT_EQ(contradiction.contradicting_equations, (std::vector<int>{3, 4}));
}

TEST(ReciprocalCondition, TellsRegularFromSingularInAnyUnits) {
  Matrix J(3, 3);
  J << 2.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 4.0;
  Vector rows(3), columns(3);
  rows << 1e6, 1.0, 1e-7;
  columns << 1e-3, 1e4, 1.0;
  constexpr double well_conditioned = 1e-3;  // equal maxima do not fix the scaling: the value may differ between units
  EXPECT_GT(reciprocal_condition(J), well_conditioned);
  EXPECT_GT(reciprocal_condition(rows.asDiagonal() * J * columns.asDiagonal()), well_conditioned);
  J.row(2) = J.row(0) - 2.0 * J.row(1);
  EXPECT_LT(reciprocal_condition(rows.asDiagonal() * J * columns.asDiagonal()), regular_above);
  J.setIdentity();
  J(2, 2) = 1e-16;  // what rounding leaves of a zero beside a one
  J(2, 0) = 1.0;
  EXPECT_LT(reciprocal_condition(J), regular_above);
}

}  // namespace
}  // namespace invar
