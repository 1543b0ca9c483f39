// The laws of equilibrated matrices: largest entries of rows and columns, and what cannot be scaled stays as it is.
#include "invar/program/equilibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace invar {
namespace {

// Twenty sweeps leave of the logarithm of a size at most its 2⁻²⁰th part, as far as factors reach.
constexpr double within = 1e-4;

// A program that is nothing but a constant Jacobian.
NonlinearProgram constant(std::size_t rows, std::size_t columns, std::vector<NonlinearProgram::Place> places,
                          std::vector<double> values) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  NonlinearProgram p;
  p.lower.assign(columns, -infinity);
  p.upper.assign(columns, infinity);
  p.row_lower.assign(rows, 0.0);
  p.row_upper.assign(rows, 0.0);
  p.jacobian = std::move(places);
  p.jacobian_values = [values = std::move(values)](std::span<const double>, std::span<double> out) {
    std::copy(values.begin(), values.end(), out.begin());
  };
  return p;
}

struct Largest {
  std::vector<double> row, column;
};

// Of the scaled matrix, without fixed variables.
Largest largest(const NonlinearProgram& p, const Equilibration& e) {
  Largest most{std::vector<double>(p.row_lower.size()), std::vector<double>(p.lower.size())};
  std::vector<double> values(p.jacobian.size()), x(p.lower.size());
  p.jacobian_values(x, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto r = static_cast<std::size_t>(p.jacobian[i].row), c = static_cast<std::size_t>(p.jacobian[i].col);
    if (p.lower[c] == p.upper[c]) continue;
    const double size = std::abs(e.row[r] * values[i] * e.column[c]);
    most.row[r] = std::max(most.row[r], size);
    most.column[c] = std::max(most.column[c], size);
  }
  return most;
}

// Sparse, with entries of any size between 10⁻³ and 10³ and a full diagonal, so that no row and no column is empty.
NonlinearProgram random_program(std::mt19937_64& random, std::size_t n) {
  std::uniform_real_distribution<double> digits(-3.0, 3.0);
  std::uniform_int_distribution<int> any(0, static_cast<int>(n) - 1);
  std::vector<NonlinearProgram::Place> places;
  std::vector<double> values;
  const auto add = [&](int row, int col) {
    places.push_back({row, col});
    values.push_back((any(random) % 2 == 0 ? 1.0 : -1.0) * std::pow(10.0, digits(random)));
  };
  for (int i = 0; i < static_cast<int>(n); ++i) add(i, i);
  for (std::size_t i = 0; i < 2 * n; ++i) add(any(random), any(random));
  return constant(n, n, std::move(places), std::move(values));
}

TEST(Equilibration, MakesTheLargestEntryOfEveryRowAndColumnOne) {
  std::mt19937_64 random(1);
  for (const std::size_t n : {1u, 5u, 40u}) {
    const NonlinearProgram p = random_program(random, n);
    const Largest most = largest(p, equilibrate(p, std::vector<double>(n)));
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(most.row[i], 1.0, within) << "row " << i << " of " << n;
      EXPECT_NEAR(most.column[i], 1.0, within) << "column " << i << " of " << n;
    }
  }
}

TEST(Equilibration, OtherUnitsGiveTheSameMatrix) {
  std::mt19937_64 random(2);
  constexpr std::size_t n = 20;
  const NonlinearProgram p = random_program(random, n);
  std::uniform_real_distribution<double> digits(-2.0, 2.0);
  std::vector<double> row_unit(n), column_unit(n), values(p.jacobian.size()), x(n);
  for (double& u : row_unit) u = std::pow(10.0, digits(random));
  for (double& u : column_unit) u = std::pow(10.0, digits(random));
  p.jacobian_values(x, values);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] *= row_unit[static_cast<std::size_t>(p.jacobian[i].row)] *
                 column_unit[static_cast<std::size_t>(p.jacobian[i].col)];
  const NonlinearProgram q = constant(n, n, p.jacobian, values);
  const Largest most = largest(q, equilibrate(q, x));
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(most.row[i], 1.0, within) << "row " << i;
    EXPECT_NEAR(most.column[i], 1.0, within) << "column " << i;
  }
}

TEST(Equilibration, EmptyRowsAndColumnsKeepTheirSize) {
  const NonlinearProgram p = constant(2, 3, {{0, 0}, {0, 2}, {1, 1}}, {100.0, 0.01, 0.0});
  const Equilibration e = equilibrate(p, std::vector<double>(3));
  EXPECT_EQ(e.row[1], 1.0);
  EXPECT_EQ(e.column[1], 1.0);
  EXPECT_NEAR(e.row[0] * 100.0 * e.column[0], 1.0, within);
  EXPECT_NEAR(e.row[0] * 0.01 * e.column[2], 1.0, within);
}

TEST(Equilibration, FixedVariablesDoNotCount) {
  NonlinearProgram p = constant(1, 2, {{0, 0}, {0, 1}}, {1e5, 2.0});
  p.lower[0] = p.upper[0] = 3.0;
  const Equilibration e = equilibrate(p, std::vector<double>(2));
  EXPECT_EQ(e.column[0], 1.0);
  EXPECT_NEAR(e.row[0] * 2.0 * e.column[1], 1.0, within);
}

TEST(Equilibration, NothingIsScaledWhereTheJacobianHasNoValue) {
  const NonlinearProgram p = constant(2, 2, {{0, 0}, {1, 1}}, {100.0, std::numeric_limits<double>::quiet_NaN()});
  const Equilibration e = equilibrate(p, std::vector<double>(2));
  EXPECT_EQ(e.row, std::vector<double>(2, 1.0));
  EXPECT_EQ(e.column, std::vector<double>(2, 1.0));
}

// An entry that is almost zero by chance must not make its row huge.
TEST(Equilibration, FactorsStayWithinReason) {
  const NonlinearProgram p = constant(1, 1, {{0, 0}}, {1e-200});
  const Equilibration e = equilibrate(p, std::vector<double>(1));
  EXPECT_LE(e.row[0], 1e6);
  EXPECT_LE(e.column[0], 1e6);
}

// Mean values of sizes know no small ones: what rounding leaves of a zero must not count.
TEST(Equilibration, WhatIsLeftOfZerosDoesNotChangeTheBalance) {
  constexpr double left = 1e-17;
  const NonlinearProgram clean = constant(2, 2, {{0, 0}, {1, 0}, {1, 1}}, {2.0, 300.0, 0.01});
  const NonlinearProgram rounded = constant(2, 2, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {2.0, 300.0, 0.01, left});
  const std::vector<double> x(2);
  const Equilibration a = balance(clean, x), b = balance(rounded, x);
  EXPECT_EQ(a.row, b.row);
  EXPECT_EQ(a.column, b.column);
}

}  // namespace
}  // namespace invar
