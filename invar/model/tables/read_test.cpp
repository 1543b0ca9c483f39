// What a well-formed model file means, by the values of its formulas.
#include "invar/read/read_problem.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "invar/base/error.h"
#include "invar/model/bad_models/model_test_support.h"
#include "invar/system/state_function.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {
namespace {

// The values are sums of a few products of numbers of size 1 to 1000.
constexpr double rounding = 1e-11;

double value(const System& system, const Expr& f, const State& state) {
  return StateFunction(system, std::vector<Expr>{f})(state)[0];
}

const State somewhere{.t = 0.7, .q = {0.3, 2.0, 1.1, -1.7}, .v = {0.5, -0.4, 0.9, 1.3}, .a = {}, .lambda = {}};

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("invar_read_test_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Read, CraneHasTheFormulasOfItsFile) {
  const Problem p = read_problem_text(crane_text, "crane.toml");
  const System& s = p.system;
  EXPECT_EQ(p.name, "planar overhead crane");
  EXPECT_EQ(p.file, "crane.toml");
  ASSERT_EQ(s.coordinates.size(), 4u);
  EXPECT_EQ(s.coordinates[2].name(), "x");
  const auto& [t, q, v, a, lambda] = somewhere;
  EXPECT_NEAR(value(s, s.kinetic, somewhere),
              5.0 * v[0] * v[0] + 0.1 / 0.02 * v[1] * v[1] + 50.0 * (v[2] * v[2] + v[3] * v[3]), rounding);
  EXPECT_NEAR(value(s, s.potential, somewhere), 981.0 * q[3], rounding);
  EXPECT_NEAR(value(s, s.forces[0], somewhere), -0.5 * v[0], rounding);
  for (int i : {1, 2, 3}) EXPECT_TRUE(s.forces[static_cast<std::size_t>(i)].is_constant(0.0));
  ASSERT_EQ(s.constraints.size(), 1u);
  EXPECT_EQ(s.constraints[0].name, "cable");
  EXPECT_EQ(s.constraints[0].multiplier.name(), "lambda.cable");
  EXPECT_EQ(s.constraints[0].level, Level::position);
  EXPECT_NEAR(value(s, s.constraints[0].expr, somewhere), (0.8 * 0.8 + 1.7 * 1.7 - 4.0) / 2.0, rounding);
}

TEST(Read, CraneHasInputsOutputsStartAndSettings) {
  const Problem p = read_problem_text(crane_text, "crane.toml");
  const System& s = p.system;
  ASSERT_EQ(s.inputs.size(), 2u);
  EXPECT_EQ(s.inputs[1].name, "M");
  EXPECT_NEAR(value(s, s.inputs[1].direction[1], somewhere), 10.0, rounding);
  ASSERT_EQ(s.outputs.size(), 2u);
  EXPECT_EQ(s.outputs[1].name, "load_z");
  EXPECT_NEAR(value(s, s.outputs[1].expr, somewhere), -1.7, rounding);
  EXPECT_EQ(p.q0, (std::vector<double>{0.0, 4.0, 0.0, -4.0}));
  EXPECT_EQ(p.v0, (std::vector<double>{0.2, 0.0, 0.0, 0.0}));
  EXPECT_EQ(p.settings.of<SimulateSettings>().until, 1.0);
  EXPECT_EQ(p.settings.of<SimulateSettings>().step, 0.01);
  EXPECT_EQ(p.settings.of<SimulateSettings>().method, "energy-momentum");
  ASSERT_EQ(p.settings.of<SimulateSettings>().inputs.size(), 1u);
  EXPECT_EQ(p.settings.of<SimulateSettings>().inputs[0].input, "F");
  EXPECT_NEAR(value(s, *p.settings.of<SimulateSettings>().inputs[0].formula, somewhere), 100.0 * std::sin(0.7),
              rounding);
}

TEST(Read, AnOutputMayHaveTheNameOfTheCoordinateThatItShows) {
  const auto named = [](const std::string& name) {
    return read_problem_text(replaced(crane_text, "name = \"load_x\"", "name = \"" + name + "\""), "crane.toml").system;
  };
  const System system = named("x");
  EXPECT_EQ(system.outputs[0].name, "x");
  EXPECT_EQ(value(system, system.outputs[0].expr, somewhere), somewhere.q[2]);
  EXPECT_THROW(named("z"), InputError);
}

TEST(Read, ParametersStaySymbolsAndFollowEachOther) {
  const std::string text = R"toml(name = "p"
parameters = { a = 2, b = "3*a + 1", c = "b^2" }
[system]
coordinates = ["x"]
kinetic = "c/2*x'^2"
[initial]
x = "b/7"
)toml";
  const Problem p = read_problem_text(text, "p.toml");
  EXPECT_EQ(parameter_values(p.system), (std::vector<double>{2.0, 7.0, 49.0}));
  EXPECT_EQ(p.q0[0], 1.0);
  EXPECT_TRUE(p.system.potential.is_constant(0.0));
  const Problem set = read_problem_text(text, "p.toml", {{"a", 5.0}, {"a", 0.0}});
  EXPECT_EQ(parameter_values(set.system), (std::vector<double>{0.0, 1.0, 1.0}));
  EXPECT_EQ(set.q0[0], 1.0 / 7.0);
  const Problem middle = read_problem_text(text, "p.toml", {{"b", -1.0}});
  EXPECT_EQ(parameter_values(middle.system), (std::vector<double>{2.0, -1.0, 1.0}));
  EXPECT_NEAR(value(middle.system, middle.system.kinetic, {.t = 0.0, .q = {0.0}, .v = {2.0}, .a = {}, .lambda = {}}),
              2.0, rounding);
}

TEST(Read, ConstraintsOfEveryLevelMayContainTime) {
  const Problem p = read_problem_text(R"toml(name = "levels"
[parameters]
w = 3.0
[system]
coordinates = ["x", "y", "a"]
kinetic = "(x'^2 + y'^2 + a'^2)/2"
[[system.constraint]]
name = "driven"
expr = "x - sin(w*t)"
[[system.constraint]]
name = "knife edge"
level = "velocity"
expr = "sin(a)*x' - cos(a)*y'"
[[system.constraint]]
name = "spin-up"
level = "acceleration"
expr = "a'' - 2*t*a'"
[[system.invariant]]
name = "spin"
expr = "a'"
[initial]
x = 0
y = 0
a = 0
)toml",
                                      "levels.toml");
  const System& s = p.system;
  const State state{.t = 0.4, .q = {1.0, 2.0, 0.3}, .v = {0.5, 0.6, 0.7}, .a = {0.0, 0.0, 4.0}, .lambda = {}};
  ASSERT_EQ(s.constraints.size(), 3u);
  EXPECT_NEAR(value(s, s.constraints[0].expr, state), 1.0 - std::sin(1.2), rounding);
  EXPECT_EQ(s.constraints[1].level, Level::velocity);
  EXPECT_NEAR(value(s, s.constraints[1].expr, state), std::sin(0.3) * 0.5 - std::cos(0.3) * 0.6, rounding);
  EXPECT_EQ(s.constraints[2].level, Level::acceleration);
  EXPECT_NEAR(value(s, s.constraints[2].expr, state), 4.0 - 0.8 * 0.7, rounding);
  ASSERT_EQ(s.invariants.size(), 1u);
  EXPECT_NEAR(value(s, s.invariants[0].expr, state), 0.7, rounding);
}

TEST(Read, ReducedCraneIsTheCraneInMinimalCoordinates) {
  std::string text = replaced(crane_text, "x = 0.0\nz = -4.0\n", "phi = 0.2\n");
  text = replaced(text, "[initial]", R"toml([reduce]
coordinates = ["s", "l", "phi"]
map = { x = "s + l*sin(phi)", z = "-l*cos(phi)" }

[initial])toml");
  const Problem p = read_problem_text(text, "crane.toml");
  const System& s = p.system;
  ASSERT_EQ(s.coordinates.size(), 3u);
  EXPECT_EQ(s.coordinates[2].name(), "phi");
  EXPECT_TRUE(s.constraints.empty());
  EXPECT_EQ(p.satisfied, std::vector<std::string>{"cable"});
  EXPECT_EQ(p.q0, (std::vector<double>{0.0, 4.0, 0.2}));
  EXPECT_EQ(p.v0[0], 0.2);
  const double l = 2.0, phi = 0.4, ds = 0.5, dl = -0.3, dphi = 0.8;
  const State state{.t = 0.0, .q = {0.1, l, phi}, .v = {ds, dl, dphi}, .a = {}, .lambda = {}};
  const double dx = ds + dl * std::sin(phi) + l * std::cos(phi) * dphi;
  const double dz = -dl * std::cos(phi) + l * std::sin(phi) * dphi;
  EXPECT_NEAR(value(s, s.kinetic, state), 5.0 * ds * ds + 5.0 * dl * dl + 50.0 * (dx * dx + dz * dz), rounding);
  EXPECT_NEAR(value(s, s.potential, state), -981.0 * l * std::cos(phi), rounding);
  EXPECT_NEAR(value(s, s.outputs[0].expr, state), 0.1 + l * std::sin(phi), rounding);
}

TEST(Read, LongStringsAndDottedKeysAreTheSameModel) {
  const Problem p = read_problem_text(
      "name = 'p'\r\nsystem.coordinates = ['x']\nsystem.kinetic = \"\"\"\n  x'^2/2\n  + x'^2\"\"\"\n"
      "initial.x = 1\ninitial.\"x'\" = '2*pi'\n",
      "p.toml");
  EXPECT_NEAR(value(p.system, p.system.kinetic, {.t = 0.0, .q = {0.0}, .v = {2.0}, .a = {}, .lambda = {}}), 6.0,
              rounding);
  EXPECT_NEAR(p.v0[0], 6.283185307179586, rounding);
}

TEST(Read, DefaultStepFitsAShortSimulation) {
  const std::string text = replaced(crane_text, "until = 1.0\nstep = 0.01\n", "until = \"r/100\"\n");
  EXPECT_NEAR(read_problem_text(text, "crane.toml").settings.of<SimulateSettings>().step, 1e-5, 1e-18);
  const std::string longer = replaced(crane_text, "until = 1.0\nstep = 0.01\n", "until = 50\n");
  EXPECT_EQ(read_problem_text(longer, "crane.toml").settings.of<SimulateSettings>().step, 0.01);
}

TEST(Read, InputsFromAFileBesideTheModel) {
  const Folder folder;
  folder.write("inputs.csv", "# made by hand\n M , t,energy.total, x'\r\n 1.5, 0, 9, 9\n\n+2.5,1e-1,9,9\n");
  const std::string text = replaced(crane_text, "{ F = \"100*sin(t)\" }", "{ file = \"inputs.csv\" }");
  const Problem p = read_problem(folder.write("crane.toml", text));
  ASSERT_EQ(p.settings.of<SimulateSettings>().inputs.size(), 1u);
  EXPECT_EQ(p.settings.of<SimulateSettings>().inputs[0].input, "M");
  EXPECT_FALSE(p.settings.of<SimulateSettings>().inputs[0].formula);
  EXPECT_EQ(p.settings.of<SimulateSettings>().inputs[0].time, (std::vector<double>{0.0, 0.1}));
  EXPECT_EQ(p.settings.of<SimulateSettings>().inputs[0].value, (std::vector<double>{1.5, 2.5}));
}

TEST(Read, EveryBadInputFileIsAnErrorThatNamesFileAndLine) {
  struct Case {
    const char* csv;
    const char* error;
  };
  const Case cases[] = {
      {"", ": no header line"},
      {"t,F\n0,1\n", ":2: at least two rows of numbers are needed"},
      {"time,F\n0,1\n1,1\n", ":1: no column \"t\""},
      {"t,F,F\n0,1,2\n1,1,2\n", ":1: two columns are named \"F\""},
      {"t,G2\n0,1\n1,1\n", ":1: unknown input \"G2\""},
      {"t,x\n0,1\n1,1\n", ":1: no column is an input of the model"},
      {"t,F\n0,1\n1,abc\n", ":3: column \"F\": \"abc\" is not a number"},
      {"t,F\n0,1\n1,\n", ":3: column \"F\": \"\" is not a number"},
      {"t,F\n0,1\n1,nan\n", ":3: column \"F\": numbers must be finite, not nan"},
      {"t,F\n0,1\n1,1e999\n", ":3: column \"F\": \"1e999\" is out of range"},
      {"t,F\n0,1\n1,2,3\n", ":3: expected 2 numbers, found 3"},
      {"t,F\n0,1\n\n0,2\n", ":4: the time does not increase"},
      {"F,t\n0,1\n# c\n\n0,inf\n", ":5: column \"t\": numbers must be finite, not inf"},
      {"# c\nt,F\n", ":2: at least two rows of numbers are needed"},
  };
  const Folder folder;
  const std::string model =
      folder.write("crane.toml", replaced(crane_text, "{ F = \"100*sin(t)\" }", "{ file = \"in.csv\" }"));
  for (const Case& c : cases) {
    const std::string csv = folder.write("in.csv", c.csv);
    try {
      read_problem(model);
      ADD_FAILURE() << "accepted: " << c.csv;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), csv + c.error);
    }
  }
}

TEST(Read, UnreadableFilesAreErrors) {
  const Folder folder;
  const auto message = [](const std::string& path) -> std::string {
    try {
      read_problem(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string missing = folder.path() + "/none.toml";
  EXPECT_EQ(message(missing), missing + ": cannot be opened: No such file or directory");
  EXPECT_EQ(message(folder.path()), folder.path() + ": is a folder, not a file");
  const std::string huge = folder.write("huge.toml", "#" + std::string(std::size_t{16} << 20, 'x'));
  EXPECT_EQ(message(huge), huge + ": larger than 16 MB");
  EXPECT_EQ(message("/dev/zero"), "/dev/zero: is a device, not a file");
  EXPECT_EQ(message(""), ": cannot be opened: No such file or directory");
  const std::string broken =
      folder.write("broken.toml", replaced(crane_text, "{ F = \"100*sin(t)\" }", "{ file = \"no.csv\" }"));
  EXPECT_EQ(message(broken), folder.path() + "/no.csv: cannot be opened: No such file or directory");
}

TEST(Read, SettingsAreCheckedTheSameWayWhereverTheyComeFrom) {
  EXPECT_NO_THROW(check(SimulateSettings{}));
  try {
    check(SimulateSettings{.until = 1.0, .step = 2.0, .method = "auto", .inputs = {}});
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "\"step\" must not be larger than until");
  }
}

}  // namespace
}  // namespace invar
