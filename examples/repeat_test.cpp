// The same run gives the same bits, whatever the task: nothing depends on the clock, on addresses, on the order of
// threads or on when machine code takes over.
#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cstdint>
#include <thread>

#include "examples/compare.h"
#include "invar/base/private_files.h"
#include "invar/read/read_problem.h"
#include "invar/task/control/control.h"
#include "invar/task/invert/invert.h"
#include "invar/task/optimize/optimize.h"
#include "invar/task/simulate/simulate.h"

namespace invar::examples {
namespace {

void expect_same_bits(const Trajectory& a, const Trajectory& b) {
  ASSERT_EQ(a.columns, b.columns);
  ASSERT_EQ(a.rows(), b.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns.size(); ++j)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(a.row(i)[j]), std::bit_cast<std::uint64_t>(b.row(i)[j]))
          << a.columns[j] << " in row " << i;
}

template <class Task>
void run_twice(const char* example, const Task& task) {
  const Problem problem = read_problem(folder / example / "model.toml");
  expect_same_bits(task(problem), task(problem));
}

TEST(Repeat, SimulationGivesTheSameBits) {
  run_twice("double_pendulum", [](const Problem& p) { return simulate(p).trajectory; });
}

TEST(Repeat, InversionGivesTheSameBits) {
  run_twice("overhead_crane_inverse", [](const Problem& p) { return invert(p).trajectory; });
}

TEST(Repeat, ControlGivesTheSameBits) {
  run_twice("overhead_crane_control", [](const Problem& p) { return control(p).trajectory; });
}

// Large enough for an ordering of the unknowns by parts, which some libraries do in threads.
TEST(Repeat, OptimalMotionGivesTheSameBits) {
  run_twice("arm_swing_directors", [](const Problem& p) { return optimize(p).trajectory; });
}

// A run with pauses, in which machine code comes: longer ones on a machine with much to do.
template <class Task>
void compile_meanwhile(const Problem& problem, const Task& task) {
  using Milliseconds = std::chrono::milliseconds;
  const auto interpreted = task(problem, RunOptions());
  EXPECT_FALSE(interpreted.summary.machine_code.used());
  const TemporaryFolder place("/tmp");
  bool used = false;
  for (int attempt = 1; attempt <= 5 && !used; ++attempt) {
    int pauses = 40 * attempt;
    RunOptions options;
    options.compiler = Compiler{.command = "cc", .cache = place.path() + "/cache", .price = 0.0};
    options.keep_going = [&](double) {
      if (pauses-- > 0) std::this_thread::sleep_for(Milliseconds(10));
      return true;
    };
    const auto compiled = task(problem, options);
    expect_same_bits(compiled.trajectory, interpreted.trajectory);
    used = compiled.summary.machine_code.used();
  }
  EXPECT_TRUE(used) << "needs a C compiler, as the build itself does";
}

Problem example_problem(const char* example) { return read_problem(folder / example / "model.toml"); }

TEST(MachineCodeOf, SimulationGivesTheSameBits) {
  Problem p = example_problem("double_pendulum_bodies");
  p.settings.of<SimulateSettings>().until *= 4.0;
  compile_meanwhile(p, [](const Problem& q, const RunOptions& o) { return simulate(q, o); });
}

TEST(MachineCodeOf, InversionGivesTheSameBits) {
  Problem p = example_problem("cable_manipulator_general");
  p.settings.of<InvertSettings>().step /= 4.0;
  compile_meanwhile(p, [](const Problem& q, const RunOptions& o) { return invert(q, o); });
}

TEST(MachineCodeOf, ControlGivesTheSameBits) {
  compile_meanwhile(example_problem("overhead_crane_control"),
                    [](const Problem& p, const RunOptions& o) { return control(p, o); });
}

TEST(MachineCodeOf, OptimalMotionGivesTheSameBits) {
  compile_meanwhile(example_problem("arm_swing"), [](const Problem& p, const RunOptions& o) { return optimize(p, o); });
}

}  // namespace
}  // namespace invar::examples
