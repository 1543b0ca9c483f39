// Laws of the indirect method: energy and control Hamiltonian are kept in every mesh; optima of chapter 8 of R.
// Siebert's thesis (2012), whose figures were computed independently; two methods agree; nothing is singular at rest or
// at points of return.
#include "invar/task/indirect/indirect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "invar/tape/function.h"
#include "invar/task/indirect/indirect_equations.h"
#include "invar/task/optimize/optimize.h"

namespace invar {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double digits = 1e-9;  // relative: as many digits as the reference has
constexpr double kept = 1e-10;   // relative: what a scheme keeps exactly, after round-off of some hundred intervals
constexpr double same_extremal = 1e-10;  // relative: Newton's method from two guesses
constexpr double order_error = 0.1;      // the next term, with h⁴, is still felt

Expr squared(const Expr& x) { return x * x; }

void add_unit_inputs(System& s) {
  const std::size_t n = s.coordinates.size();
  for (std::size_t i = 0; i < n; ++i) {
    Exprs direction(n, 0.0);
    direction[i] = 1.0;
    s.add_input("u" + std::to_string(i + 1), direction);
  }
}

// Section 8.1: m = l = 1, q measured from the horizontal.
System pendulum() {
  System s;
  s.add_coordinate("q");
  s.kinetic = 0.5 * squared(velocities(s)[0]);
  s.potential = -9.81 * sin(positions(s)[0]);
  add_unit_inputs(s);
  return s;
}

IndirectTask pendulum_turn(const System& s, std::size_t intervals) {
  return {s, {0.0}, {0.0}, {pi / 2}, {0.0}, 3.0, intervals};
}

// Section 8.2: a unit mass in the field of -1/|q|.
System central_field() {
  System s;
  for (const char* name : {"x", "y", "z"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (squared(v[0]) + squared(v[1]) + squared(v[2]));
  s.potential = -1.0 / sqrt(squared(q[0]) + squared(q[1]) + squared(q[2]));
  add_unit_inputs(s);
  return s;
}

IndirectTask central_transfer(const System& s, std::size_t intervals) {
  return {s, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.5}, {0.0, -1.0, 0.0}, pi, intervals};
}

// Table 6.1: three links, relative angles.
System arm() {
  System s;
  for (const char* name : {"a1", "a2", "a3"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  const double mass[] = {30.0, 25.0, 10.0}, length[] = {7.0, 6.0, 8.0};
  const double inertia[] = {1.225 + 143.3027, 1.0208 + 88.0208, 0.4083 + 60.2083};
  s.kinetic = s.potential = 0.0;
  Expr angle = 0.0, rate = 0.0, height = 0.0, x_rate = 0.0, y_rate = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    angle += q[i];
    rate += v[i];
    const Expr half = 0.5 * length[i];
    s.kinetic +=
        0.5 * mass[i] * (squared(x_rate - half * sin(angle) * rate) + squared(y_rate + half * cos(angle) * rate)) +
        0.5 * inertia[i] * squared(rate);
    s.potential += mass[i] * 9.81 * (height + half * sin(angle));
    height += length[i] * sin(angle);
    x_rate -= length[i] * sin(angle) * rate;
    y_rate += length[i] * cos(angle) * rate;
  }
  add_unit_inputs(s);
  return s;
}

IndirectTask arm_swing(const System& s, std::size_t intervals) {
  const std::vector<double> rest(3, 0.0);
  return {s, {pi / 2, -pi / 2, pi / 2}, rest, {pi / 2, 0.0, 0.0}, rest, 3.0, intervals};
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

// The extremal, after checks of what each one keeps.
Extremal find(const IndirectTask& task) {
  Extremal found = find_extremal(task);
  EXPECT_EQ(found.status, SolverStatus::solved) << found.reason;
  const auto [least, most] = std::minmax_element(found.hamiltonian.begin(), found.hamiltonian.end());
  EXPECT_LE(*most - *least, kept * (1.0 + largest(found.hamiltonian)));
  if (task.scheme == IndirectScheme::energy_momentum) {
    double energy = 1.0;  // what is exchanged, about
    for (std::size_t k = 0; k < task.intervals; ++k)
      for (std::size_t i = 0; i < found.q[k].size(); ++i)
        energy = std::max(energy, std::abs(found.p[k][i] * found.v[k][i]));
    EXPECT_LE(largest(found.energy_balance), kept * energy);
  }
  EXPECT_EQ(found.q.size(), task.intervals + 1);
  EXPECT_EQ(found.u.size(), task.intervals);
  return found;
}

struct Figure {
  const char* scheme;
  std::size_t intervals;
  double cost, hamiltonian;
};

void expect_figure(IndirectTask task, const Figure& figure) {
  SCOPED_TRACE(testing::Message() << figure.scheme << ", " << figure.intervals << " intervals");
  task.scheme = kind_in(indirect_schemes, figure.scheme).value();
  const Extremal found = find(task);
  EXPECT_NEAR(found.cost, figure.cost, digits * figure.cost);
  EXPECT_NEAR(found.hamiltonian.front(), figure.hamiltonian, digits * figure.hamiltonian);
}

TEST(Indirect, PendulumHasTheIndependentFigures) {
  const System s = pendulum();
  for (const Figure& figure : {Figure{"auto", 10, 7.7004001469, 3.281219681},
                               {"auto", 20, 6.7119334373, 1.804805439},
                               {"energy-momentum", 40, 6.5035279830, 1.470279084},
                               {"midpoint", 10, 7.878840357517584, 3.2558773466904265},
                               {"midpoint", 20, 6.758215114765316, 1.7866964145310409},
                               {"midpoint", 40, 6.51522119357458, 1.465596554343936}})
    expect_figure(pendulum_turn(s, figure.intervals), figure);
}

TEST(Indirect, CentralFieldHasTheIndependentFigures) {
  const System s = central_field();
  for (const Figure& figure : {Figure{"auto", 10, 0.7526709064406444, 0.5709906887319915},
                               {"auto", 20, 0.738787933561128, 0.5720861302785997},
                               {"auto", 40, 0.7354173786862904, 0.5723847740918938},
                               {"auto", 160, 0.7343723294527682, 0.5724800776691572}})
    expect_figure(central_transfer(s, figure.intervals), figure);
  const Extremal found = find(central_transfer(s, 20));
  double q3 = 0.0, p3 = 0.0;
  for (std::size_t k = 0; k < 20; ++k) {
    q3 += found.lambda_q[k][2] / 20.0;
    p3 += found.lambda_p[k][2] / 20.0;
  }
  EXPECT_NEAR(q3, 0.3909658851539982, digits);
  EXPECT_NEAR(p3, 0.2997232529737631, digits);
}

TEST(Indirect, ArmHasTheIndependentFigures) {
  const System s = arm();
  for (const Figure& figure : {Figure{"auto", 20, 4011720.9389065476, 655085.4795936273},
                               {"auto", 40, 3988023.9133866658, 647986.117707799},
                               {"midpoint", 10, 4031017.163037885, 657741.6711211309},
                               {"midpoint", 20, 3992601.755846325, 650965.9832108212}})
    expect_figure(arm_swing(s, figure.intervals), figure);
}

// The exact optimum, of the differential equations.
void expect_second_order(const Extremal& coarse, const Extremal& fine, double cost, double hamiltonian) {
  EXPECT_NEAR(std::log2((coarse.cost - cost) / (fine.cost - cost)), 2.0, order_error);
  EXPECT_NEAR(std::log2((coarse.hamiltonian[0] - hamiltonian) / (fine.hamiltonian[0] - hamiltonian)), 2.0, order_error);
}

TEST(Indirect, CostAndHamiltonianTendToThoseOfTheExactOptimum) {
  const System p = pendulum(), c = central_field(), a = arm();
  expect_second_order(find(pendulum_turn(p, 160)), find(pendulum_turn(p, 320)), 6.4369444388548, 1.3682556691664);
  expect_second_order(find(central_transfer(c, 80)), find(central_transfer(c, 160)), 0.73430279927822,
                      0.57248646450562);
  expect_second_order(find(arm_swing(a, 80)), find(arm_swing(a, 160)), 3981028.325274, 646808.471637);
}

TEST(Indirect, MassOnALineIsThatOfTheExactDiscreteOptimum) {
  // Any scheme gives u_k ∝ (N-1)/2 - k and ½∫u² dt = 6 N²/(N²-1); a lever of 2 takes a quarter, two equal inputs half
  // of it.
  const std::vector<std::pair<std::vector<double>, double>> cases = {{{1.0}, 1.0}, {{2.0}, 0.25}, {{-1.0, 1.0}, 0.5}};
  for (const auto& [levers, share] : cases)
    for (const std::size_t n : {2, 5, 40}) {
      System s;
      s.add_coordinate("x");
      s.kinetic = 0.5 * squared(velocities(s)[0]);
      s.potential = 0.0;
      for (const double lever : levers) s.add_input("u", {lever});
      const Extremal found = find({s, {0.0}, {0.0}, {1.0}, {0.0}, 1.0, n});
      const double exact = share * 6.0 * static_cast<double>(n * n) / static_cast<double>(n * n - 1);
      EXPECT_NEAR(found.cost, exact, same_extremal * exact);
      EXPECT_GT(found.u.front().back(), 0.0);  // inputs push as their directions say
    }
}

Problem as_problem(const IndirectTask& task) {
  Problem p;
  p.system = task.system;
  p.q0 = task.q0;
  p.v0 = task.v0;
  OptimizeSettings& o = p.settings.of<OptimizeSettings>();
  o.horizon = o.shortest = o.longest = task.horizon;
  o.intervals = static_cast<int>(task.intervals);
  o.scheme = "midpoint";
  const Exprs q = positions(p.system), v = velocities(p.system);
  for (std::size_t i = 0; i < q.size(); ++i) {
    o.final.push_back({q[i].name(), q[i], task.q1[i], task.q1[i]});
    o.final.push_back({v[i].name() + "'", v[i], task.v1[i], task.v1[i]});
  }
  return p;
}

struct Direct {
  IndirectGuess motion;
  double cost;
};

Direct direct(const IndirectTask& task) {
  const Optimum found = optimize(as_problem(task));
  EXPECT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  Direct result{{}, found.summary.part<OptimizationSummary>()->cost};
  for (std::size_t k = 0; k <= task.intervals; ++k) {
    result.motion.q.emplace_back();
    result.motion.v.emplace_back();
    for (const Variable& q : task.system.coordinates) {
      result.motion.q.back().push_back(found.trajectory.value(k, q.name()));
      result.motion.v.back().push_back(found.trajectory.value(k, q.name() + "'"));
    }
    if (k == task.intervals) break;
    result.motion.u.emplace_back();
    for (const Input& u : task.system.inputs) result.motion.u.back().push_back(found.inputs.value(k, u.name));
  }
  return result;
}

TEST(Indirect, SolutionOfTheDirectMethodIsAGoodGuess) {
  constexpr int few = 5;  // steps: the guess is near
  const System s = arm();
  IndirectTask task = arm_swing(s, 20);
  const double alone = find(task).cost;
  task.guess = direct(task).motion;
  const Extremal with_inputs = find(task);
  EXPECT_NEAR(with_inputs.cost, alone, same_extremal * alone);
  EXPECT_LE(with_inputs.iterations, few);
  task.guess->u.clear();
  const Extremal without_inputs = find(task);
  EXPECT_NEAR(without_inputs.cost, alone, same_extremal * alone);
}

TEST(Indirect, ExtremalFarFromTheGuessIsToldAsSuch) {
  // The only extremal is the way to the goal; the guess, elsewhere and almost without inputs, has nothing to do with
  // it.
  System s;
  s.add_coordinate("x");
  s.kinetic = 0.5 * squared(velocities(s)[0]);
  s.potential = 0.0;
  add_unit_inputs(s);
  IndirectTask task{s, {0.0}, {0.0}, {1.0}, {0.0}, 1.0, 10};
  task.guess = IndirectGuess{std::vector(11, std::vector{5.0}), std::vector(11, std::vector{0.0}),
                             std::vector(10, std::vector{0.1})};
  const Extremal found = find_extremal(task);
  EXPECT_EQ(found.status, SolverStatus::failed);
  EXPECT_NE(found.reason.find("not near the first guess"), std::string::npos) << found.reason;
}

// A cart that carries its pendulum elsewhere, with one force for two coordinates.
System cart() {
  System s;
  for (const char* name : {"x", "phi"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  const double m = 0.3, l = 0.5;
  s.kinetic =
      0.5 * squared(v[0]) + 0.5 * m * (squared(v[0]) + 2.0 * l * v[0] * v[1] * cos(q[1]) + l * l * squared(v[1]));
  s.potential = -m * l * 9.81 * cos(q[1]);
  s.add_input("F", {1.0, 0.0});
  return s;
}

// In a plane that turns at a constant rate: the kinetic energy has terms without and with one velocity.
System turntable() {
  System s;
  for (const char* name : {"x", "y"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (squared(v[0] - 2.0 * q[1]) + squared(v[1] + 2.0 * q[0]));
  s.potential = 3.0 * pow(q[0], 4.0) + squared(q[1]);
  add_unit_inputs(s);
  return s;
}

// A bead on a wire: one degree of freedom with a mass that changes.
System bead() {
  System s;
  s.add_coordinate("x");
  const Expr x = positions(s)[0], v = velocities(s)[0];
  s.kinetic = 0.5 * (1.0 + squared(cos(x))) * squared(v);
  s.potential = 9.81 * sin(x);
  add_unit_inputs(s);
  return s;
}

TEST(Indirect, MethodsAgreeAsTheMeshIsRefined) {
  const System a = cart(), b = turntable(), c = bead();
  for (const IndirectTask& task : {IndirectTask{a, {0.0, 0.0}, {0.0, 0.0}, {1.0, pi}, {0.0, 0.0}, 2.0},
                                   {b, {0.0, 0.0}, {0.0, 0.0}, {1.0, 0.5}, {0.3, -1.0}, 1.5},
                                   {c, {0.0}, {0.0}, {1.0}, {0.0}, 1.0}}) {
    double difference[2] = {};
    double cost = 0.0;
    for (const std::size_t refined : {0u, 1u}) {
      IndirectTask on_mesh = task;
      on_mesh.intervals = refined == 1 ? 80 : 40;
      const Direct other = direct(on_mesh);
      on_mesh.guess = other.motion;
      cost = find(on_mesh).cost;
      difference[refined] = std::abs(cost - other.cost);
    }
    constexpr double close = 1e-2;  // relative; differences of second order
    EXPECT_LE(difference[1], close * cost);
    EXPECT_NEAR(std::log2(difference[0] / difference[1]), 2.0, 3 * order_error)
        << difference[0] << " " << difference[1];
  }
}

TEST(Indirect, PointsOfReturnAreRegular) {
  // Up and back the same way: with an even number of intervals q₊ = q₋ in the middle, with an odd number q₁ = q₀.
  const System s = pendulum();
  double cost[3] = {};
  for (const std::size_t i : {0u, 1u, 2u}) {
    IndirectTask task{s, {0.3}, {2.0}, {0.3}, {-2.0}, 0.9, 20 + i};
    const Extremal found = find(task);
    const std::size_t middle = task.intervals / 2;
    EXPECT_NEAR(found.q[middle - 1][0], found.q[task.intervals - middle + 1][0], kept);
    cost[i] = found.cost;
  }
  // c₀ + c₂/N² through the first and last; the next term has a factor of 1/N² and almost cancels.
  const double weight = (1.0 / 441 - 1.0 / 484) / (1.0 / 400 - 1.0 / 484);
  EXPECT_NEAR(cost[1], weight * cost[0] + (1.0 - weight) * cost[2], 1e-6 * cost[1]);
}

TEST(Indirect, QuotientsPassSmoothlyIntoTheirLimits) {
  const System s = pendulum();
  const IndirectEquations e = indirect_equations(s, true);
  Exprs symbols = e.node;
  symbols.insert(symbols.end(), e.given.begin(), e.given.end());
  const Function costate(symbols, e.costate);
  Scratch scratch;
  // The row of λ^q with q₊ - q₋ = d, by the quotient or by its limit.
  const auto row = [&](double d, double small) {
    const double before = 0.7 - d / 2, after = 0.7 + d / 2;
    const std::vector<double> in = {before, 1.0, 0.4, 1.3, 0.9, 0.8, -0.2, 2.1, after, -1.0, 0.1, small};
    std::vector<double> out(2);
    costate(in, out, scratch);
    return out[0];
  };
  const double far[2] = {row(0.4, 0.0), row(0.2, 0.0)}, near[2] = {row(0.4, 1.0), row(0.2, 1.0)};
  EXPECT_NEAR(std::log2((far[0] - near[0]) / (far[1] - near[1])), 4.0, order_error);
  EXPECT_NEAR(far[1], near[1], 1e-5);
}

TEST(Indirect, NothingMovesWhereNothingNeedsTo) {
  const System a = cart(), b = pendulum();
  for (const IndirectTask& task : {IndirectTask{a, {0.5, 0.0}, {0.0, 0.0}, {0.5, 0.0}, {0.0, 0.0}, 2.0, 10},
                                   {b, {pi / 2}, {0.0}, {pi / 2}, {0.0}, 1.0, 10}})
    EXPECT_NEAR(find(task).cost, 0.0, 1e-20);
}

TEST(Indirect, WhatInputsCannotMoveIsTold) {
  System s;
  for (const char* name : {"x", "y"}) s.add_coordinate(name);
  s.kinetic = 0.5 * (squared(velocities(s)[0]) + squared(velocities(s)[1]));
  s.potential = 0.0;
  s.add_input("u", {1.0, 0.0});
  const Extremal found = find_extremal({s, {0.0, 0.0}, {0.0, 0.0}, {1.0, 1.0}, {0.0, 0.0}, 1.0, 10});
  EXPECT_EQ(found.status, SolverStatus::failed);
  EXPECT_NE(found.reason.find("can the inputs move every coordinate"), std::string::npos) << found.reason;
}

TEST(Indirect, StopsWhenAskedAndWhenOutOfIterations) {
  const System s = arm();
  IndirectTask task = arm_swing(s, 20);
  task.max_iterations = 2;
  EXPECT_EQ(find_extremal(task).status, SolverStatus::out_of_iterations);
  task.max_iterations = 300;
  task.keep_going = [](int iteration, double, double) { return iteration < 3; };
  const Extremal stopped = find_extremal(task);
  EXPECT_EQ(stopped.status, SolverStatus::interrupted);
  EXPECT_EQ(stopped.q.size(), 21u);
}

}  // namespace
}  // namespace invar
