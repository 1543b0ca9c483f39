// Several threads run one prepared problem at a time: nothing that they share changes, and each gets what it would get
// alone. A program of its own, so that the thread sanitizer needs only what a simulation needs.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "invar/task/run/simulate_settings.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

// A pendulum on a cart that a spring holds and a force shakes, with a redundant constraint and a massless node in the
// spring.
Problem shaken_cart() {
  Problem p;
  p.name = "shaken cart";
  System& s = p.system;
  for (const char* name : {"s", "x", "y", "node"}) s.add_coordinate(name);
  const Expr m = s.add_parameter("m", 1.0), k = s.add_parameter("k", 50.0), L = s.add_parameter("L", 1.0),
             F = s.add_parameter("F", 2.0);
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (3.0 * v[0] * v[0] + m * (v[1] * v[1] + v[2] * v[2]));
  s.potential = 9.81 * m * q[2] + 0.5 * k * (q[3] * q[3] + (q[0] - q[3]) * (q[0] - q[3]));
  const Expr rod = 0.5 * ((q[1] - q[0]) * (q[1] - q[0]) + q[2] * q[2] - L * L);
  s.add_constraint("rod", rod);
  s.add_constraint("rod once more", 3.0 * rod);
  s.add_input("pull", {1.0, 0.0, 0.0, 0.0});
  p.q0 = {0.0, 0.6, -0.8, 0.0};
  p.v0 = {0.0, 0.0, 0.0, 0.0};
  SimulateSettings& settings = p.settings.of<SimulateSettings>();
  settings.until = 0.4;
  settings.step = 0.01;
  settings.method = "radau5";
  settings.inputs = {{"pull", F * sin(7.0 * s.graph.time()), {}, {}}};
  return p;
}

constexpr std::size_t threads = 4, runs = 6;  // of each thread

Overrides values(std::size_t thread, std::size_t run) {
  const double x = 0.1 * static_cast<double>(thread) + 0.01 * static_cast<double>(run);
  return {{"m", 1.0 + x}, {"k", 50.0 - 10.0 * x}, {"L", 1.0 + 0.5 * x}};
}

TEST(Threads, EachRunIsTheOneOfAThreadAlone) {
  const Prepared prepared(shaken_cart());
  std::vector<std::vector<Simulation>> found(threads);
  std::vector<std::thread> all;
  for (std::size_t i = 0; i < threads; ++i)
    all.emplace_back([&, i] {  // the first of them derives, whichever it is
      for (std::size_t k = 0; k < runs; ++k) found[i].push_back(simulate(prepared, values(i, k)));
    });
  for (std::thread& t : all) t.join();
  const Prepared alone(shaken_cart());
  for (std::size_t i = 0; i < threads; ++i)
    for (std::size_t k = 0; k < runs; ++k) {
      const Simulation expected = simulate(alone, values(i, k));
      ASSERT_EQ(expected.summary.status, RunStatus::done) << expected.summary.message;
      EXPECT_EQ(found[i][k].trajectory.values, expected.trajectory.values);
      EXPECT_EQ(found[i][k].summary.warnings, expected.summary.warnings);
    }
}

// Formulas of one graph, built and read by all threads.
TEST(Threads, AGraphIsShared) {
  const Graph g;
  const Variable x = g.variable("x");
  std::vector<Expr> found(threads, 0.0);
  std::vector<std::thread> all;
  for (std::size_t i = 0; i < threads; ++i)
    all.emplace_back([&, i] {
      Expr sum = 0.0;
      for (int k = 1; k < 300; ++k) sum += sin(static_cast<double>(k) * at(x)) * pow(at(x, 1), k % 7);
      found[i] = sum;
    });
  for (std::thread& t : all) t.join();
  Scratch scratch;
  const std::vector<double> at_point = {0.3, 1.1};
  double first = 0.0;
  for (std::size_t i = 0; i < threads; ++i) {
    double value = 0.0;
    Function(Exprs{at(x), at(x, 1)}, {&found[i], 1})(at_point, {&value, 1}, scratch);
    if (i == 0) first = value;
    EXPECT_EQ(value, first);
  }
}

}  // namespace
}  // namespace invar
