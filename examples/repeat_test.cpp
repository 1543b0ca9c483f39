// The same run gives the same bits, whatever the task: nothing depends on the clock, on addresses or on the order of
// threads.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "examples/compare.h"
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

}  // namespace
}  // namespace invar::examples
