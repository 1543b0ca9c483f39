// The observed row against values worked out by hand.
#include "invar/record/observer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "invar/base/error.h"
#include "invar/record/observed_rows.h"
#include "invar/record/trajectory.h"

namespace invar {
namespace {

constexpr double rounding = 1e-14;  // a few operations on numbers of order one to ten

Expr q(const System& s, std::size_t i) { return at(s.coordinates[i]); }
Expr v(const System& s, std::size_t i) { return at(s.coordinates[i], 1); }

// A mass on a rod of length 1 below a trolley that nothing but the rod moves.
System pendulum() {
  System s;
  for (const char* name : {"s", "x", "z"}) s.add_coordinate(name);
  const Expr m = s.add_parameter("m", 2.0);
  s.kinetic = 0.5 * pow(v(s, 0), 2) + 0.5 * m * (pow(v(s, 1), 2) + pow(v(s, 2), 2));
  s.potential = m * 10.0 * q(s, 2);
  s.add_constraint("rod", 0.5 * (pow(q(s, 1) - q(s, 0), 2) + pow(q(s, 2), 2) - 1.0));
  s.add_input("F", {0.0, 1.0, 0.0});
  s.outputs.push_back({"height", q(s, 2) + s.graph.time()});
  s.invariants.push_back({"total_momentum", v(s, 0) + m * v(s, 1)});
  return s;
}

double observed(Observer& observer, const System& system, const std::string& column, const std::vector<double>& x,
                const std::vector<double>& xdot) {
  Trajectory row{observer.columns(), {}};
  const std::vector<double> lambda(system.constraints.size(), 7.0), u(system.inputs.size(), 3.0);
  observer.observe(0.5, x, xdot, lambda, u, parameter_values(system), row.append());
  return row.value(0, column);
}

TEST(Observer, columns_stand_in_the_documented_order) {
  EXPECT_EQ(Observer(pendulum()).columns(),
            (std::vector<std::string>{"t", "s", "x", "z", "s'", "x'", "z'", "lambda.rod", "F", "height",
                                      "energy.kinetic", "energy.potential", "energy.total", "total_momentum",
                                      "drift.position", "drift.velocity"}));
}

TEST(Observer, a_row_by_hand) {
  const System system = pendulum();
  Observer observer(system);
  std::vector<double> row(observer.columns().size());
  observer.observe(0.5, std::vector{1.0, 2.0, 3.0}, std::vector{4.0, 5.0, 6.0}, std::vector{7.0}, std::vector{8.0},
                   std::vector{2.0}, row);
  // Φ = (1 + 9 - 1)/2,  Φ̇ = (x - s)(x' - s') + z z'
  const std::vector expected = {0.5, 1., 2., 3., 4., 5., 6., 7., 8., 3.5, 8. + 61., 60., 129., 14., 4.5, 1. + 18.};
  ASSERT_EQ(row.size(), expected.size());
  for (std::size_t i = 0; i < row.size(); ++i)
    EXPECT_NEAR(row[i], expected[i], rounding * 130) << observer.columns()[i];
}

TEST(Observer, the_parameters_given_count_and_not_those_of_the_model) {
  const System system = pendulum();
  Observer observer(system);
  std::vector<double> row(observer.columns().size());
  observer.observe(0.0, std::vector{0., 0., -1.}, std::vector(3, 0.0), std::vector{0.}, std::vector{0.},
                   std::vector{5.0}, row);
  EXPECT_NEAR(row[11], -50.0, 50 * rounding);
}

TEST(Observer, momenta_of_cyclic_coordinates_are_columns) {
  System s;
  s.add_coordinate("r");
  s.add_coordinate("phi");
  s.kinetic = 0.5 * (pow(v(s, 0), 2) + pow(q(s, 0) * v(s, 1), 2));
  s.potential = -1.0 / q(s, 0);
  Observer observer(s);
  EXPECT_NEAR(observed(observer, s, "momentum.phi", {2.0, 1.0}, {0.0, 3.0}), 12.0, 12 * rounding);
  ASSERT_EQ(observer.conserved().size(), 2u);
  EXPECT_TRUE(observer.conserved()[0].expected);
  EXPECT_EQ(observer.conserved()[1].column, "momentum.phi");
}

TEST(Observer, drift_is_taken_at_the_level_of_each_constraint) {
  System s;
  for (const char* name : {"x", "y"}) s.add_coordinate(name);
  s.kinetic = 0.5 * (pow(v(s, 0), 2) + pow(v(s, 1), 2));
  Observer none(s);
  EXPECT_EQ(observed(none, s, "drift.position", {1, 2}, {3, 4}), 0.0);
  EXPECT_EQ(observed(none, s, "drift.velocity", {1, 2}, {3, 4}), 0.0);

  s.add_constraint("speed", v(s, 0) - 10.0, Level::velocity);
  s.add_constraint("wall", -q(s, 1));
  s.add_constraint("push", at(s.coordinates[0], 2) - 100.0, Level::acceleration);
  Observer three(s);
  EXPECT_EQ(observed(three, s, "drift.position", {1, 2}, {3, 4}), 2.0);
  EXPECT_EQ(observed(three, s, "drift.velocity", {1, 2}, {3, 4}), 7.0);
  EXPECT_EQ(observed(three, s, "drift.velocity", {1, 2}, {10, 4}), 4.0);
}

TEST(Observer, a_residual_that_is_no_number_stays_visible) {
  System s;
  for (const char* name : {"x", "y", "z"}) s.add_coordinate(name);
  s.kinetic = 0.5 * (pow(v(s, 0), 2) + pow(v(s, 1), 2) + pow(v(s, 2), 2));
  s.add_constraint("a", q(s, 0));
  s.add_constraint("b", q(s, 1));
  s.add_constraint("c", q(s, 2));
  Observer observer(s);
  for (const auto& x : std::vector<std::vector<double>>{{NAN, 1, 2}, {1, NAN, 2}, {1, 2, NAN}})
    EXPECT_TRUE(std::isnan(observed(observer, s, "drift.position", x, {0, 0, 0})));
}

// Few rows and many, some with numbers that are none.
TEST(Observer, many_rows_at_a_time_have_the_bits_of_single_ones) {
  System s = pendulum();
  s.outputs.push_back({"root", sqrt(q(s, 0))});
  s.add_constraint("speed", v(s, 0) * q(s, 1), Level::velocity);
  Observer single(s);
  const std::vector<double> parameters = parameter_values(s), lambda = {7.0, -1.0};
  const auto pull = [](double t) { return 3.0 * std::sin(5.0 * t); };
  ObservedRows many(single, parameters, [&](std::span<const double> t, std::span<double> u) {
    for (std::size_t p = 0; p < t.size(); ++p) u[p] = pull(t[p]);
  });
  const auto state = [](std::size_t p, double shift) {
    const double t = 0.1 * static_cast<double>(p) + shift;
    return std::vector{std::cos(t), std::sin(3.0 * t), p % 17 == 5 ? NAN : t};
  };
  const std::size_t width = single.columns().size();
  std::vector<double> one(width);
  for (const std::size_t count : {1, 2, 10, 50}) {
    for (std::size_t p = 0; p < count; ++p)
      many.add(0.01 * static_cast<double>(p), state(p, 0.0), state(p, 0.5), lambda);
    const std::span<const double> rows = many.take();
    ASSERT_EQ(rows.size(), count * width);
    for (std::size_t p = 0; p < count; ++p) {
      const double t = 0.01 * static_cast<double>(p);
      single.observe(t, state(p, 0.0), state(p, 0.5), lambda, std::vector{pull(t)}, parameters, one);
      for (std::size_t i = 0; i < width; ++i) {
        const double found = rows[p * width + i];
        EXPECT_TRUE(std::bit_cast<std::uint64_t>(found) == std::bit_cast<std::uint64_t>(one[i]) ||
                    (std::isnan(found) && std::isnan(one[i])))
            << single.columns()[i];
      }
    }
  }
}

TEST(Observer, two_columns_of_one_name_are_refused) {
  System s = pendulum();
  s.outputs.push_back({"x", q(s, 1)});
  try {
    Observer observer(s);
    ADD_FAILURE();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "two columns of the results would be named \"x\"; rename one of them");
  }
}

TEST(Observer, an_output_that_contains_an_acceleration_is_refused) {
  System s = pendulum();
  s.outputs.push_back({"a", at(s.coordinates[0], 2)});
  EXPECT_THROW(Observer{s}, InputError);
}

TEST(Observer, wrong_sizes_are_a_bug) {
  Observer observer(pendulum());
  std::vector<double> row(observer.columns().size()), three(3), one(1);
  EXPECT_THROW(observer.observe(0, one, three, one, one, one, row), ContractViolation);
  EXPECT_THROW(observer.observe(0, three, three, one, one, one, one), ContractViolation);
}

}  // namespace
}  // namespace invar
