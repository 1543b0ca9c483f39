// Laws of prepared problems: parameters are arguments, and a run with other values is the run of a model that was read
// with them, bit by bit.
#include "invar/task/run/prepared.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

constexpr const char* pendulum = R"toml(
name = "pendulum"
[parameters]
m = 1.0
L = 1.0
g = 9.81
half = "L/3*1.5"
d = 0.1
[system]
coordinates = ["x", "y"]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*g*y"
force = { x = "-d*x'", y = "-d*y'" }
[[system.constraint]]
name = "bar"
expr = "(x^2 + y^2 - L^2)/2"
[[system.output]]
name = "middle"
expr = "half*x/L"
[initial]
x = "-2*half"
y = 0.01
[simulate]
until = 0.5
step = 0.01
)toml";

Problem read(const Overrides& parameters = {}, const std::string& text = pendulum) {
  return read_problem_text(text, "model.toml", parameters);
}

void expect_same(const Simulation& a, const Simulation& b) {
  EXPECT_EQ(a.trajectory.columns, b.trajectory.columns);
  EXPECT_EQ(a.trajectory.values, b.trajectory.values);  // to the last bit
  EXPECT_EQ(a.summary.status, b.summary.status);
  EXPECT_EQ(a.summary.warnings, b.summary.warnings);
  EXPECT_EQ(a.summary.parameters, b.summary.parameters);
  EXPECT_EQ(a.summary.newton_iterations.total, b.summary.newton_iterations.total);
}

std::string refusal(const Prepared& prepared, const Overrides& parameters) {
  try {
    simulate(prepared, parameters);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Prepared, AnyValueGivesTheRunOfAModelReadWithIt) {
  const Prepared prepared(read());
  for (const Overrides& values :
       {Overrides{}, {{"m", 2.5}}, {{"L", 0.7}}, {{"g", 1.6}, {"d", 0.0}}, {{"half", 0.4}}, {{"L", 2.0}, {"m", 0.3}}})
    expect_same(simulate(prepared, values), simulate(read(values)));
}

TEST(Prepared, NothingIsDerivedForOtherValues) {
  const Prepared prepared(read());
  simulate(prepared);
  const std::size_t nodes = prepared.problem().system.graph.size();
  const std::uint64_t functions = Function::made();
  for (int k = 0; k < 100; ++k) {
    const Simulation run = simulate(prepared, {{"m", 0.5 + 0.01 * k}, {"L", 1.0 + 0.02 * k}});
    EXPECT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  }
  EXPECT_EQ(prepared.problem().system.graph.size(), nodes);
  EXPECT_EQ(Function::made(), functions);
}

// A linkage of three equal bars says something twice only as long as they are equal.
TEST(Prepared, ValuesThatChangeTheStructureAreNoticed) {
  const std::string text = R"toml(
name = "two rods"
[parameters]
a = 1.0
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[[system.constraint]]
name = "rod"
expr = "(x^2 + y^2 - 1)/2"
[[system.constraint]]
name = "again"
expr = "(x^2 + a*y^2 - 1)/2 + (1 - a)*(x - 1)/10"
[initial]
x = 1.0
y = 0.0
[simulate]
until = 0.1
step = 0.01
)toml";
  const Prepared prepared(read({}, text));
  const Simulation first = simulate(prepared);
  ASSERT_EQ(first.summary.structure.redundant_constraints.size(), 1U);
  const Simulation second = simulate(prepared, {{"a", 0.5}});
  EXPECT_TRUE(second.summary.structure.redundant_constraints.empty());
  expect_same(second, simulate(read({{"a", 0.5}}, text)));
}

TEST(Prepared, StabilisationFollowsTheValues) {
  const std::string text = std::string(pendulum) + "stabilise = true\n";
  const Prepared prepared(read({}, text));
  for (const Overrides& values : {Overrides{{"m", 2.0}}, {{"L", 0.5}}})
    expect_same(simulate(prepared, values), simulate(read(values, text)));
}

TEST(Prepared, ValuesThatWereUsedUpAreRefusedWithThePlace) {
  const std::string text = std::string(pendulum) + "tolerance = \"1e-12*m\"\n";
  const Prepared prepared(read({}, text));
  EXPECT_EQ(refusal(prepared, {{"m", 2.0}}),
            "cannot change parameter \"m\" in a model that is made: [simulate]: \"tolerance\" was computed from it; "
            "read or build the model with the new value");
  EXPECT_EQ(refusal(prepared, {{"m", 1.0}}), "accepted") << "the value that it has";
  EXPECT_EQ(refusal(prepared, {{"L", 2.0}}), "accepted");
  std::string followed = text;
  followed.replace(followed.find("1e-12*m"), 7, "1e-12*half");
  EXPECT_EQ(refusal(Prepared(read({}, followed)), {{"L", 2.0}}),
            "cannot change parameter \"half\", which follows from those that are set, in a model that is made: "
            "[simulate]: \"tolerance\" was computed from it; read or build the model with the new value");
}

TEST(Prepared, BadValuesAreRefused) {
  const Prepared prepared(read());
  EXPECT_EQ(refusal(prepared, {{"haf", 2.0}}), "cannot set unknown parameter \"haf\"; did you mean \"half\"?");
  EXPECT_EQ(refusal(prepared, {{"m", NAN}}), "cannot set parameter \"m\": not a finite number");
  EXPECT_NE(refusal(prepared, {{"L", 0.0}}), "accepted") << "no pendulum has length zero";
}

TEST(Prepared, AValueSetOverAFormulaStays) {
  const Problem once = with_parameters(read(), {{"half", 0.6}});
  const Problem twice = with_parameters(once, {{"L", 1.1}});
  const Problem fresh = read({{"half", 0.6}, {"L", 1.1}});
  EXPECT_EQ(parameter_values(twice.system), parameter_values(fresh.system));
  EXPECT_EQ(twice.q0, fresh.q0);
}

}  // namespace
}  // namespace invar
