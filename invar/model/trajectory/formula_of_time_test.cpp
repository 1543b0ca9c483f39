// Formulas of time against the same formulas evaluated by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/model/trajectory/profile_test_support.h"

namespace invar {
namespace {

struct FormulaOfTime : ::testing::Test {
  Graph graph;
  Expr t = graph.time();
  Expr a = graph.parameter("a");
  Variable c = graph.reference("c"), w = graph.reference("w");
  Known known{
      {a}, {2.0}, {{"c", c, three_phase_move(5.0, {.duration = 20.0})}, {"w", w, harmonic_move({.start = 4.0})}}};
};

TEST_F(FormulaOfTime, OfTimeAloneIsAnalytic) {
  const auto f = formula_of_time(sin(a * t) + t * t, known);
  EXPECT_EQ(f->smoothness(), TimeFunction::analytic);
  EXPECT_TRUE(f->knots().empty());
  const auto out = series(*f, 0.7, Side::left, 4);
  EXPECT_NEAR(out[0], std::sin(1.4) + 0.49, 1e-15);
  EXPECT_NEAR(out[1], 2.0 * std::cos(1.4) + 1.4, 1e-15);
  EXPECT_NEAR(out[2], -2.0 * std::sin(1.4) + 1.0, 1e-15);
  EXPECT_NEAR(out[4], 16.0 / 24.0 * std::sin(1.4), 1e-15);
  expect_series_predict_values(*f);
}

TEST_F(FormulaOfTime, InheritsKnotsAndSmoothnessFromItsSignals) {
  EXPECT_EQ(formula_of_time(1.0 + 2.0 * at(c), known)->knots(), (std::vector<double>{0.0, 5.0, 15.0, 20.0}));
  EXPECT_EQ(formula_of_time(1.0 + 2.0 * at(c), known)->smoothness(), 4);
  EXPECT_EQ(formula_of_time(at(c, 1) * t, known)->smoothness(), 3);
  const auto both = formula_of_time(cos(at(c)) * at(w), known);
  EXPECT_EQ(both->knots(), (std::vector<double>{0.0, 4.0, 5.0, 15.0, 20.0}));
  EXPECT_EQ(both->smoothness(), 1);
  expect_series_predict_values(*both, 1e-9);
  expect_smooth_at_knots(*formula_of_time(at(w) * (1.0 + t), known));
}

TEST_F(FormulaOfTime, LooksAtTheAskedSideOfAKnot) {
  const auto f = formula_of_time(3.0 * at(c), known);
  EXPECT_NEAR(derivative(*f, 5.0, Side::right, 5) - derivative(*f, 5.0, Side::left, 5), 3.0 * 0.0896, 1e-13);
}

TEST_F(FormulaOfTime, DerivativesInFormulasAreThoseOfTheSignals) {
  const auto f = formula_of_time(at(c, 2), known);
  for (int j = 0; j <= 4; ++j)
    EXPECT_NEAR(derivative(*f, 3.3, Side::right, j), derivative(*known.references[0].function, 3.3, Side::right, j + 2),
                1e-15);
  // d/dt of a formula is the formula of d/dt.
  const Expr g = sin(at(c)) * t;
  EXPECT_NEAR(derivative(*formula_of_time(g, known), 3.3, Side::right, 1), value(*formula_of_time(ddt(g), known), 3.3),
              1e-14);
}

TEST_F(FormulaOfTime, KinksAreRefused) {
  EXPECT_THROW(formula_of_time(abs(t - 1.0), known), InputError);
  EXPECT_THROW(formula_of_time(t * sign(t - 1.0), known), InputError);
}

TEST_F(FormulaOfTime, NumbersAreFormulasToo) { expect_constant(*formula_of_time(4.0, known), 3.0, Side::left, 4.0); }

}  // namespace
}  // namespace invar
