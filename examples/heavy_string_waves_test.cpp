// A load on a heavy string that follows a path: the motion of the upper end tends to the exact one of a string, which
// begins and ends the time of a wave before and after the load.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "examples/compare.h"
#include "invar/task/invert/invert.h"

namespace invar::examples {
namespace {

// Largest error of the place of the trolley, as part of the move, of a tenth of that in the example: squares of swings
// do not count.
double error_of_string(int elements, int nodes) {
  std::ostringstream all;
  all << std::ifstream(folder / "heavy_string_inverse" / "model.toml").rdbuf();
  std::string text = all.str();
  const std::string mesh = "elements = 4\nelement_nodes = 2";
  text.replace(text.find(mesh), mesh.size(),
               "elements = " + std::to_string(elements) + "\nelement_nodes = " + std::to_string(nodes));
  text.replace(text.find("to = 0.02"), 9, "to = 0.002");
  const Inversion run = invert(read_problem_text(text, "string.toml"));
  EXPECT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  const Trajectory exact = read_csv(folder / "heavy_string_inverse" / "reference.csv");
  double largest = 0.0;
  for (std::size_t k = 0; k < exact.rows(); ++k)
    largest = std::max(largest, std::abs(run.trajectory.value(row_at(run.trajectory, exact.value(k, "t")), "x") -
                                         0.1 * exact.value(k, "x")));
  return largest / 0.002;
}

TEST(HeavyStringWaves, ElementsOfTwoNodesAreOfOrderTwo) {
  // What follows it takes a little.
  EXPECT_NEAR(std::log2(error_of_string(2, 2) / error_of_string(4, 2)), 2.0, 0.2);
}

TEST(HeavyStringWaves, ElementsOfThreeNodesAreOfHigherOrder) {
  // The path has four continuous derivatives, too few for order four at fronts of waves.
  EXPECT_GT(std::log(error_of_string(2, 3) / error_of_string(3, 3)) / std::log(1.5), 2.5);
}

}  // namespace
}  // namespace invar::examples
