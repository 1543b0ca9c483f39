// What signals, trajectories and the settings of inverse dynamics in a well-formed model file mean.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/model/bad_models/bad_model.h"
#include "invar/model/bad_models/model_test_support.h"
#include "invar/model/trajectory/profile_test_support.h"
#include "invar/read/read_problem.h"
#include "invar/task/inverse_structure/invert_settings.h"

namespace invar {
namespace {

constexpr double sample_rounding = 1e-13;

Problem crane_with(const std::string& ending) { return read_problem_text(crane_text + ending, "crane.toml"); }

const TimeFunction& followed(const Problem& p, std::size_t target) {
  return *p.targets.at(target).follow.at(0).function;
}

TEST(ReadTrajectory, TargetsFollowTheirProfiles) {
  const Problem p = crane_with(R"toml([[trajectory]]
outputs = ["load_z", "load_x"]
from = [-4.0, 0.0]
to = [-1.0, "50*r"]
start = 0.5
duration = 3.0
profile = "poly9"
)toml");
  ASSERT_EQ(p.targets.size(), 2u);
  EXPECT_EQ(p.targets[0].output, "load_z");
  EXPECT_EQ(p.targets[0].expr, p.system.outputs[1].expr);
  EXPECT_EQ(p.targets[1].follow[0].name, "load_x");
  EXPECT_EQ(followed(p, 0).describe(), "5-6-7-8-9 polynomial");
  EXPECT_EQ(value(followed(p, 0), 0.2), -4.0);
  EXPECT_NEAR(value(followed(p, 0), 2.0), -2.5, sample_rounding);
  EXPECT_NEAR(value(followed(p, 1), 3.5), 5.0, sample_rounding);
  EXPECT_EQ(p.settings.of<InvertSettings>().until, 3.5);
  EXPECT_EQ(p.settings.of<InvertSettings>().step, 0.035);
}

TEST(ReadTrajectory, ASingleNameNeedsNoBrackets) {
  const Problem p =
      crane_with("[[trajectory]]\noutputs = \"load_x\"\nfrom = 0.0\nto = 5.0\nduration = 2.0\nprofile = \"poly9\"\n");
  ASSERT_EQ(p.targets.size(), 1u);
  EXPECT_EQ(p.targets[0].output, "load_x");
  EXPECT_EQ(value(followed(p, 0), 3.0), 5.0);
}

TEST(ReadTrajectory, LinearIsARampThatIsClipped) {
  const Problem p = crane_with(R"toml([[trajectory]]
outputs = ["load_x", "load_z"]
from = [0.0, -4.0]
to = [5.0, -4.0]
start = 1.0
duration = 2.0
profile = "linear"
)toml");
  const TimeFunction& x = followed(p, 0);
  EXPECT_EQ(x.smoothness(), 0);
  EXPECT_EQ(x.knots(), (std::vector<double>{1.0, 3.0}));
  for (const double t : {0.0, 1.0, 1.2, 2.0, 2.9, 3.0, 4.0})
    EXPECT_NEAR(value(x, t), 2.5 * std::clamp(t - 1.0, 0.0, 2.0), sample_rounding) << t;
  EXPECT_EQ(value(followed(p, 1), 2.0), -4.0);
}

TEST(ReadTrajectory, SignalsStandInFormulasInAnyOrder) {
  const Problem p = crane_with(crane_trajectories);
  ASSERT_EQ(p.signals.size(), 2u);  // those given by formulas need no symbol
  EXPECT_EQ(p.signals[0].name, "c");
  EXPECT_EQ(p.signals[1].name, "lift");
  const TimeFunction& z = followed(p, 1);
  for (const double t : {0.2, 1.7, 3.0, 7.0, 8.0}) {
    const double c = value(*p.signals[0].function, t), lift = value(*p.signals[1].function, t);
    const double bend = derivative(*p.signals[0].function, t, Side::right, 2);
    const double late = 1.0 + std::pow(std::sin(t), 2);
    EXPECT_NEAR(value(z, t), -4.0 + lift + 2.0 * c * late + bend, sample_rounding) << t;
  }
  EXPECT_EQ(z.smoothness(), 2);
  EXPECT_EQ(z.knots().size(), 7u);
  EXPECT_EQ(p.settings.of<InvertSettings>().until, 7.5);
  EXPECT_EQ(p.settings.of<InvertSettings>().step, 0.05);
  EXPECT_FALSE(p.settings.of<InvertSettings>().verify);
  EXPECT_EQ(p.settings.of<InvertSettings>().method, "auto");
  EXPECT_EQ(p.settings.of<InvertSettings>().integrator, "implicit-euler");
}

TEST(ReadTrajectory, OutputsMayContainSignalsAndBePrescribedAsZero) {
  for (const std::string zero : {"expr = [\"0\"]", "from = [0]\nto = [0]", "from = 0\nto = 0",
                                 "from = [0]\nto = [0]\nduration = 2\nprofile = \"poly5\""}) {
    const Problem p = read_problem_text(good_model_with(16, "expr = \"x - 2*c + c'\"") +
                                            "[[signal]]\nname = \"c\"\nfrom = 0\nto = 1\nduration = 4\n"
                                            "profile = \"poly7\"\n[[trajectory]]\noutputs = [\"out\"]\n" +
                                            zero + "\n",
                                        "p.toml");
    ASSERT_EQ(p.targets.size(), 1u);
    EXPECT_TRUE(p.targets[0].follow.empty());
    EXPECT_TRUE(depends(p.targets[0].expr, Exprs{at(p.signals[0].value)}));
    EXPECT_TRUE(depends(p.targets[0].expr, Exprs{at(p.signals[0].value, 1)}));
    EXPECT_EQ(p.settings.of<InvertSettings>().until, 4.0);
  }
}

TEST(ReadTrajectory, HeldValuesAreConstant) {
  const Problem p = crane_with("[[trajectory]]\noutputs = [\"load_x\"]\nfrom = [2]\nto = [2]\n");
  expect_constant(followed(p, 0), 5.0, Side::left, 2.0);
  EXPECT_EQ(p.settings.of<InvertSettings>().until, 1.0);
}

TEST(ReadTrajectory, ViaPointsAreMet) {
  const Problem p = crane_with(R"toml([[trajectory]]
outputs = ["load_x", "load_z"]
via = [[0, -4], [1, -3], [5, -1]]
times = [0, 1, 2.5]
)toml");
  EXPECT_NEAR(value(followed(p, 0), 1.0), 1.0, sample_rounding);
  EXPECT_NEAR(value(followed(p, 1), 1.0), -3.0, sample_rounding);
  EXPECT_NEAR(value(followed(p, 1), 2.5), -1.0, sample_rounding);
  EXPECT_EQ(followed(p, 0).smoothness(), 4);
  EXPECT_EQ(p.settings.of<InvertSettings>().until, 2.5);
}

TEST(ReadTrajectory, FilesAreSamplesOfTheirColumns) {
  const auto folder = std::filesystem::temp_directory_path() / ("invar_trajectory_test_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "load.csv") << "t,load_z,load_x,other\n0,-4,0,7\n1,-3,2,7\n2,-1,5,7\n";
  const auto read = [&](const std::string& ending) {
    std::ofstream(folder / "crane.toml") << crane_text << ending;
    return read_problem((folder / "crane.toml").string());
  };
  const Problem p = read("[[trajectory]]\noutputs = [\"load_x\", \"load_z\"]\nfile = \"load.csv\"\nsmoothness = 6\n");
  EXPECT_NEAR(value(followed(p, 0), 1.0), 2.0, sample_rounding);
  EXPECT_NEAR(value(followed(p, 1), 2.0), -1.0, sample_rounding);
  EXPECT_EQ(followed(p, 0).smoothness(), 6);
  try {
    read("[[signal]]\nname = \"c\"\nfile = \"load.csv\"\n");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), (folder / "load.csv").string() + ":1: no column \"c\"");
  }
  std::filesystem::remove_all(folder);
}

TEST(ReadTrajectory, ManySignalsOfSignalsAreReadAndEvaluatedQuickly) {
  std::string text = "[[signal]]\nname = \"s0\"\nexpr = \"t\"\n[[signal]]\nname = \"s1\"\nexpr = \"t\"\n";
  constexpr int many = 300;
  for (int i = 2; i < many; ++i)
    text += "[[signal]]\nname = \"s" + std::to_string(i) + "\"\nexpr = \"(s" + std::to_string(i - 1) + " + s" +
            std::to_string(i - 2) + ")/2\"\n";
  text += "[[trajectory]]\noutputs = [\"load_x\"]\nexpr = [\"s299\"]\n";
  EXPECT_NEAR(value(followed(crane_with(text), 0), 0.3), 0.3, sample_rounding);
}

TEST(ReadInvert, SettingsHaveDefaults) {
  const Problem p = crane_with("");
  EXPECT_EQ(p.settings.of<InvertSettings>().until, 1.0);
  EXPECT_EQ(p.settings.of<InvertSettings>().step, 0.01);
  EXPECT_TRUE(p.settings.of<InvertSettings>().verify);
  EXPECT_TRUE(p.targets.empty());
  const Problem q = crane_with("[invert]\nuntil = 5\nmethod = \"taylor\"\nintegrator = \"bdf2\"\ntolerance = 1e-9\n");
  EXPECT_EQ(q.settings.of<InvertSettings>().step, 0.05);
  EXPECT_EQ(q.settings.of<InvertSettings>().method, "taylor");
  EXPECT_EQ(q.settings.of<InvertSettings>().integrator, "bdf2");
  EXPECT_EQ(q.settings.of<InvertSettings>().tolerance, 1e-9);
}

}  // namespace
}  // namespace invar
