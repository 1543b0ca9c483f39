// Inversions of a batch find what runs of their own find, over flat examples; what is not for a batch is told. The
// device of these tests is the processor (test_host_device.h).
#include "invar/task/batch/inversion_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "invar/base/error.h"
#include "invar/base/private_files.h"
#include "invar/device/test_host_device.h"
#include "invar/read/read_problem.h"
#include "invar/task/inverse_structure/invert_settings.h"
#include "invar/task/invert/invert.h"

namespace invar {
namespace {

// Relative to the largest value of a column. Both solve to round-off; inputs are fourth derivatives of the outputs,
// whose round-off is larger. As in sweep_test.cpp.
constexpr double same_input = 1e-10;

Problem flat_example(const std::string& name, double step) {
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path().parent_path();
  Problem problem = read_problem((root / "examples" / name / "model.toml").string());
  InvertSettings& settings = problem.settings.of<InvertSettings>();
  settings.verify = false;
  settings.step = step;
  return problem;
}

void expect_found_alone(const std::string& name, double step, const std::vector<Overrides>& cases,
                        const std::vector<std::string>& varied) {
  const Prepared prepared(flat_example(name, step));
  ASSERT_EQ(refusal_of_inversions(prepared, varied), "") << name;
  test::HostDevice device;
  const std::unique_ptr<RunBatch> batch = inversion_batch(device, prepared, varied);
  const auto found = batch->run(cases, {});
  ASSERT_TRUE(found);
  for (std::size_t p = 0; p < cases.size(); ++p) {
    const Trajectory rows = invert(prepared, cases[p]).trajectory;
    ASSERT_FALSE((*found)[p].end.empty()) << name << ", case " << p << " was left to the processor";
    for (std::size_t k = 0; k < batch->columns().size(); ++k) {
      const RunBatch::Column& of = batch->columns()[k];
      const std::vector<double> column = rows.column(of.name);
      const double least = *std::ranges::min_element(column), greatest = *std::ranges::max_element(column);
      const double near = same_input * (1.0 + std::max(greatest, -least));
      EXPECT_NEAR((*found)[p].end[k], column.back(), near) << name << ", " << of.name;
      if (!of.watched) continue;
      EXPECT_NEAR((*found)[p].least[k], least, near) << name << ", " << of.name;
      EXPECT_NEAR((*found)[p].greatest[k], greatest, near) << name << ", " << of.name;
    }
  }
}

class Inversions : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!run_program({"cc", "--version"})) GTEST_SKIP() << "no C compiler here";
  }
};

TEST_F(Inversions, AreThoseOfRunsOfTheirOwn) {
  expect_found_alone("overhead_crane_inverse", 0.01, {{{"m", 60.0}}, {{"m", 140.0}, {"J", 0.2}}, {}}, {"m", "J"});
  expect_found_alone("rotary_crane_inverse", 0.01, {{{"m", 60.0}}, {}}, {"m"});
}

TEST_F(Inversions, SayWhatTheyCannotDo) {
  const Prepared prepared(flat_example("elastic_arm", 0.01));
  EXPECT_NE(refusal_of_inversions(prepared, {}).find("internal dynamics"), std::string::npos);
  test::HostDevice device;
  EXPECT_THROW(inversion_batch(device, prepared, {}), InputError);
}

}  // namespace
}  // namespace invar
