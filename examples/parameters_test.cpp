// Every parameter of every example, changed after the model was read: either that is refused in words, or the motion is
// the one of a model that was read with the new value, to the last bit. Nothing goes wrong in silence.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "examples/compare.h"
#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/task/invert/invert.h"
#include "invar/task/run/simulate_settings.h"
#include "invar/task/simulate/simulate.h"

namespace invar::examples {
namespace {

constexpr std::size_t large = 40;  // coordinates: nothing new is learned from them, and they take time
constexpr double change = 1.01;

// A few steps will do.
Problem shortened(Problem problem) {
  SimulateSettings& settings = problem.settings.of<SimulateSettings>();
  settings.until = 3.0 * settings.step;
  settings.every = 1;
  return problem;
}

// What comes out, or why nothing does.
std::string outcome(const std::function<Simulation()>& run) {
  try {
    const Simulation s = run();
    std::string all = name_of(s.summary.status) + s.summary.message;
    for (const std::string& warning : s.summary.warnings) all += "\n" + warning;
    for (const double x : s.trajectory.values) all += " " + std::to_string(std::bit_cast<std::uint64_t>(x));
    return all;
  } catch (const InputError& error) {
    return error.what();
  }
}

std::string without_file(const std::string& message, const std::string& file) {
  return message.starts_with(file + ": ") ? message.substr(file.size() + 2) : message;
}

TEST(Parameters, OtherValuesAreRefusedOrGiveTheMotionOfAModelReadWithThem) {
  std::size_t followed = 0, refused = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path file = entry.path() / "model.toml";
    if (!fs::exists(file)) continue;
    const Problem problem = shortened(read_problem(file.string()));
    if (problem.system.coordinates.size() > large) continue;
    const Prepared prepared(problem);
    for (const Parameter& p : problem.system.parameters) {
      const Overrides values = {{p.name, p.value == 0.0 ? 0.01 : change * p.value}};
      const std::string found = outcome([&] { return simulate(prepared, values); });
      if (found.find("cannot change parameter") != std::string::npos) {
        ++refused;
        continue;
      }
      const std::string expected = outcome([&] { return simulate(shortened(read_problem(file.string(), values))); });
      EXPECT_EQ(found, without_file(expected, file.string())) << file << ", " << p.name;
      ++followed;
    }
  }
  EXPECT_GT(followed, 100U);
  EXPECT_GT(refused, 10U);
}

// What threads derive at the same time may be numbered differently, and so be added up in another order.
TEST(Parameters, InversionsOfOneProblemRunInThreads) {
  constexpr double rounding = 1e-9;
  const std::string file = (folder / "overhead_crane_inverse" / "model.toml").string();
  const Prepared crane(read_problem(file));
  const std::vector<double> masses = {80.0, 100.0, 120.0};
  std::vector<Inversion> found(masses.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < masses.size(); ++i)
    threads.emplace_back([&, i] { found[i] = invert(crane, {{"m", masses[i]}}); });
  for (std::thread& t : threads) t.join();
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const Inversion alone = invert(read_problem(file, {{"m", masses[i]}}));
    ASSERT_EQ(found[i].summary.status, RunStatus::done) << found[i].summary.message;
    ASSERT_EQ(found[i].inputs.rows(), alone.inputs.rows());
    for (std::size_t k = 0; k < alone.inputs.rows(); ++k) {
      const double expected = alone.inputs.value(k, "F");
      EXPECT_NEAR(found[i].inputs.value(k, "F"), expected, rounding * (1.0 + std::abs(expected)));
    }
  }
}

}  // namespace
}  // namespace invar::examples
