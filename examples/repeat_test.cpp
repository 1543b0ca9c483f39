// The same run gives the same bits, whatever the task: nothing depends on the clock, on addresses, on the order of
// threads or on when machine code takes over.
#include <gtest/gtest.h>

#include <algorithm>
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

// Compilers work in folders of the cache.
bool is_compiling(const std::string& cache) {
  std::error_code none;
  const fs::directory_iterator files(cache, none);
  return !none && std::any_of(begin(files), end(files), [](const auto& file) { return file.is_directory(); });
}

// A run that pauses while a compiler works, so that machine code takes over in its midst.
template <class Task>
void compile_meanwhile(const Problem& problem, const Task& task) {
  const auto interpreted = task(problem, RunOptions());
  EXPECT_FALSE(interpreted.summary.machine_code.used());
  const TemporaryFolder place("/tmp");
  const std::string cache = place.path() + "/cache";
  RunOptions options;
  options.compiler = Compiler{.command = "cc", .cache = cache, .price = 0.0};
  int pauses = 6000;  // of ten milliseconds: for a machine with much to do
  options.keep_going = [&](double) {
    while (is_compiling(cache) && pauses-- > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return true;
  };
  bool used = false;
  for (int run = 0; run < 3 && !used; ++run) {  // the next one finds in the cache what came too late
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
