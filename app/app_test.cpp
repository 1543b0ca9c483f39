// The command as a user meets it: exit status, one line per error, results whole or not at all.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "invar/model/bad_models/bad_models.h"
#include "invar/model/bad_models/bad_start_models.h"

namespace {

namespace fs = std::filesystem;

constexpr const char* pendulum = R"(
name = "pendulum"
[parameters]
g = 9.81
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = "g*y"
[[system.constraint]]
name = "rod"
expr = "x^2 + y^2 - 1"
[initial]
x = -1
y = 0
[simulate]
until = 0.5
step = 0.01
)";

struct Result {
  int status;
  std::string out, err;
};

std::string text(const fs::path& file) {
  std::ostringstream all;
  all << std::ifstream(file).rdbuf();
  return all.str();
}

class Command : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder);
    std::ofstream(folder / "model.toml") << pendulum;
  }
  void TearDown() override { fs::remove_all(folder); }

  pid_t start(std::vector<std::string> words) {
    words.insert(words.begin(), INVAR_BINARY);
    const pid_t child = fork();
    if (child != 0) return child;
    chdir(folder.c_str());
    dup2(open("stdout", O_CREAT | O_WRONLY | O_TRUNC, 0644), STDOUT_FILENO);
    dup2(open("stderr", O_CREAT | O_WRONLY | O_TRUNC, 0644), STDERR_FILENO);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(INVAR_BINARY, argv.data());
    _exit(99);
  }
  Result finish(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status, text(folder / "stdout"), text(folder / "stderr")};
  }
  Result run(const std::vector<std::string>& words) { return finish(start(words)); }

  void expect_one_line_error(const Result& r, const std::string& expected) {
    EXPECT_EQ(r.status, 1);
    EXPECT_EQ(r.err, expected + "\n");
    EXPECT_EQ(r.out, "");
    EXPECT_FALSE(fs::exists(folder / "out"));
  }

  fs::path folder = fs::temp_directory_path() / ("invar_app_test_" + std::to_string(getpid()));
};

TEST_F(Command, SimulateWritesAFolder) {
  const Result r = run({"simulate", "model.toml"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "") << "a pipe gets no progress bar";
  EXPECT_NE(r.out.find("50 steps of 0.01 s with energy-momentum"), std::string::npos) << r.out;
  for (const char* file : {"result.csv", "summary.json", "report.html", "plot.svg", "snapshots.svg"})
    EXPECT_TRUE(fs::exists(folder / "out/pendulum" / file));
  EXPECT_FALSE(fs::exists(folder / "out/pendulum/INCOMPLETE"));
  EXPECT_EQ(text(folder / "out/pendulum/result.csv").substr(0, 35), "t,x,y,x',y',lambda.rod,energy.kinet");
}

TEST_F(Command, ResultsAreReplacedButNothingElseIs) {
  EXPECT_EQ(run({"simulate", "model.toml", "--quiet"}).status, 0);
  const Result again = run({"simulate", "model.toml", "--quiet", "--set", "g=3"});
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(again.out, "");
  fs::create_directory(folder / "mine");
  std::ofstream(folder / "mine/thesis.txt") << "precious";
  const Result r = run({"simulate", "model.toml", "--out", "mine"});
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(text(folder / "mine/thesis.txt"), "precious");
}

TEST_F(Command, OptionsReplaceTheFile) {
  const Result r = run(
      {"simulate", "model.toml", "--step", "0.05", "--until", "0.2", "--method", "radau5", "--json", "--no-report"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.out.find("\"method\": \"radau5\""), std::string::npos);
  EXPECT_NE(r.out.find("\"steps\": 4"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "out/pendulum/plot.svg"));
  EXPECT_EQ(run({"simulate", "model.toml", "--quiet", "--no-report", "--svg"}).status, 0);
  EXPECT_TRUE(fs::exists(folder / "out/pendulum/plot.svg"));
  EXPECT_FALSE(fs::exists(folder / "out/pendulum/report.html"));
}

TEST_F(Command, StillPicturesAtChosenTimes) {
  EXPECT_EQ(run({"simulate", "model.toml", "--quiet", "--snapshots", "0,0.2,0.5"}).status, 0);
  EXPECT_NE(text(folder / "out/pendulum/snapshots.svg").find("t = 0, 0.2, 0.5 s"), std::string::npos);
  EXPECT_NE(text(folder / "out/pendulum/report.html").find("\"ghosts\":[0.0,0.2,0.5]"), std::string::npos);
  fs::remove_all(folder / "out");
  expect_one_line_error(run({"simulate", "model.toml", "--snapshots", "0,,1"}),
                        "invar: --snapshots: \"\" is not a number");
  expect_one_line_error(run({"simulate", "model.toml", "--snapshots", "0,9"}),
                        "invar: --snapshots: 9 lies outside the motion, from 0 to 0.5 s");
}

TEST_F(Command, ReportsAreMadeFromFolders) {
  EXPECT_EQ(run({"simulate", "model.toml", "--quiet", "--no-report", "--out", "a"}).status, 0);
  EXPECT_EQ(run({"simulate", "model.toml", "--quiet", "--out", "b", "--set", "g=3"}).status, 0);
  const Result one = run({"report", "a"});
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_EQ(one.out, "report in a/report.html\n");
  EXPECT_TRUE(fs::exists(folder / "a/report.html"));
  const Result two = run({"report", "a/", "b"});
  EXPECT_EQ(two.status, 0) << two.err;
  EXPECT_EQ(two.out, "2 runs compared in comparison.html\n");
  EXPECT_NE(text(folder / "comparison.html").find("2 runs that differ in g"), std::string::npos);
  fs::create_directory(folder / "mine");
  std::ofstream(folder / "mine/summary.json") << "{}";
  const Result none = run({"report", "mine"});
  EXPECT_EQ(none.status, 1);
  EXPECT_EQ(none.err, "mine: is no folder of results (it has no summary.json of Invar)\n");
  EXPECT_EQ(run({"report", "nowhere"}).status, 1);
}

TEST_F(Command, CheckWritesNothing) {
  const Result r = run({"check", "model.toml"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.out.find("1 degree of freedom"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("energy.total is conserved"), std::string::npos) << r.out;
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(Command, CheckWritesMatricesIfAsked) {
  const Result r = run({"check", "model.toml", "--matrices"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.out.find("  G: 1 × 2, rank 1\n"), std::string::npos) << r.out;
  const fs::path written = folder / "out/pendulum-matrices";
  for (const char* name : {"M", "G", "B", "P", "S", "SMB"})
    EXPECT_TRUE(fs::exists(written / (std::string(name) + ".csv")));
  EXPECT_TRUE(text(written / "G.csv").starts_with("G,x,y\nrod,"));
  EXPECT_NE(text(written / "summary.json").find("\"singular_values\""), std::string::npos);
  EXPECT_EQ(run({"check", "model.toml", "--matrices", "--out", "mine"}).status, 0);
  EXPECT_TRUE(fs::exists(folder / "mine/P.csv"));
  EXPECT_EQ(run({"check", "model.toml", "--out", "mine"}).err, "invar: check --out is for --matrices\n");
}

// A pendulum that hangs cannot be pushed along its rod; that S M⁻¹ Bᵀ is zero is the reason.
TEST_F(Command, CheckWritesMatricesOfWhatItRefuses) {
  std::ofstream(folder / "pushed.toml") << R"(
name = "pushed"
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
[[system.constraint]]
name = "rod"
expr = "(x^2 + y^2 - 1)/2"
[[system.input]]
name = "F"
force = { y = "1" }
[[system.output]]
name = "place"
expr = "y"
[initial]
x = 0
y = -1
[[trajectory]]
outputs = ["place"]
from = [-1]
to = [-0.5]
duration = 1
profile = "poly9"
)";
  const Result r = run({"check", "pushed.toml", "--matrices"});
  EXPECT_EQ(r.status, 1);
  EXPECT_NE(r.err.find("cannot be inverted from this start"), std::string::npos) << r.err;
  EXPECT_NE(r.out.find("S M⁻¹ Bᵀ: 1 × 1, rank 0"), std::string::npos) << r.out;
  EXPECT_TRUE(fs::exists(folder / "out/pushed-matrices/SMB.csv"));
  EXPECT_TRUE(run({"check", "pushed.toml"}).out.empty());
}

TEST_F(Command, CheckDiagnosesModelsOfBodies) {
  // A door hangs on two hinges, where one would do.
  std::ofstream(folder / "door.toml") << R"(
name = "door"
[world]
gravity = [0, 0, -9.81]
[[body]]
name = "door"
mass = 30
inertia = [10, 12, 2.5]
position = [0.5, 0, 1]
[[joint]]
name = "upper"
type = "revolute"
between = ["ground", "door"]
at = [0, 0, 1.8]
axis = [0, 0, 1]
[[joint]]
name = "lower"
type = "revolute"
between = ["ground", "door"]
at = [0, 0, 0.2]
axis = [0, 0, 1]
)";
  const Result words = run({"check", "door.toml"});
  EXPECT_EQ(words.status, 0) << words.err;
  for (const char* part : {"1 degree of freedom", "1 rigid body in space", "2 revolute joints: upper, lower",
                           "6·1 − 10 = -4, but 1 by the rank of the constraints: over-constrained",
                           "redundant: 5 of the 5 constraints of joint lower", "principal moments 2.5, 10, 12 kg m²"})
    EXPECT_NE(words.out.find(part), std::string::npos) << part << "\n" << words.out;
  const Result json = run({"check", "door.toml", "--json"});
  for (const char* part : {"\"counted_degrees_of_freedom\": -4", "\"part\": \"joint\"", "\"name\": \"lower\""})
    EXPECT_NE(json.out.find(part), std::string::npos) << part << "\n" << json.out;
}

TEST_F(Command, ListShowsEverySchemeAndHelpIsFree) {
  EXPECT_NE(run({"list"}).out.find("energy-momentum"), std::string::npos);
  EXPECT_EQ(run({"--help"}).status, 0);
  EXPECT_EQ(run({"simulate", "--help"}).status, 0);
  EXPECT_EQ(run({"--version"}).out.substr(0, 6), "invar ");
}

TEST_F(Command, ErrorsAreOneLine) {
  expect_one_line_error(run({"simulate", "nofile.toml"}), "nofile.toml: cannot be opened: No such file or directory");
  expect_one_line_error(run({"simulate", "model.toml", "--method", "radua5"}),
                        "model.toml: unknown method \"radua5\"; did you mean \"radau5\"?");
  expect_one_line_error(run({"invert", "model.toml"}),
                        "model.toml: the model has no inputs and no [[trajectory]]: nothing to find, and nothing says "
                        "what to follow");
  expect_one_line_error(run({"simulate", "model.toml", "--step", "fast"}), "invar: --step: \"fast\" is not a number");
  expect_one_line_error(run({"simulate", "model.toml", "--set", "g"}), "invar: --set g: write --set name=value");
  expect_one_line_error(run({"simulat", "model.toml"}),
                        "invar: unknown command \"simulat\"; did you mean \"simulate\"?");
  expect_one_line_error(run({"simulate", "model.toml", "--stop", "3"}),
                        "invar: unknown option --stop; did you mean \"--step\"?");
  expect_one_line_error(run({}), "invar: say what to do, such as invar simulate MODEL; see invar --help");
}

TEST_F(Command, WrongModelsLeaveNothingBehind) {
  std::ofstream(folder / "model.toml") << std::string(pendulum).replace(std::string(pendulum).find("x^2"), 3, "w^2");
  const Result r = run({"simulate", "model.toml"});
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  EXPECT_EQ(r.err.substr(0, 14), "model.toml:11:") << r.err;
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(Command, EveryBadModelIsRefusedInOneLine) {
  for (const invar::BadModel& model : invar::bad_models()) {
    std::ofstream(folder / "bad.toml", std::ios::binary) << model.text;
    const Result r = run({"simulate", "bad.toml"});
    EXPECT_EQ(r.status, 1) << model.name;
    EXPECT_EQ(r.out, "") << model.name;
    ASSERT_TRUE(r.err.ends_with('\n')) << model.name;
    EXPECT_TRUE(model.is_refused_by(r.err.substr(0, r.err.size() - 1), "bad.toml"))
        << model.name << "\n  gave     " << r.err << "  expected bad.toml:" << model.error;
    EXPECT_FALSE(fs::exists(folder / "out")) << model.name;
  }
}

TEST_F(Command, EveryBadStartIsRefusedInOneLine) {
  for (const invar::BadModel& model : invar::bad_starts()) {
    std::ofstream(folder / "bad.toml") << model.text;
    for (const char* verb : {"check", "simulate"}) {
      const Result r = run({verb, "bad.toml"});
      EXPECT_EQ(r.status, 1) << model.name;
      EXPECT_EQ(r.out, "") << model.name;
      EXPECT_EQ(r.err, "bad.toml:" + model.error + "\n") << model.name;
    }
  }
}

// A motion that has run away is no result.
TEST_F(Command, DivergenceIsAFailure) {
  std::ofstream(folder / "model.toml") << "name = \"spring\"\n[system]\ncoordinates = [\"x\"]\nkinetic = \"x'^2/2\"\n"
                                          "potential = \"1e6*x^2/2\"\n[initial]\nx = 1\n[simulate]\nuntil = 20\n"
                                          "step = 0.1\n";
  const Result r = run({"simulate", "model.toml", "--until", "3", "--method", "lie-rk4"});
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find("model.toml: energy.kinetic is not finite at t = 2.3 s: "), std::string::npos) << r.err;
  EXPECT_TRUE(fs::exists(folder / "out/spring/INCOMPLETE"));
}

// Masses that differ by a hundred orders of magnitude once held the decomposition of matrices up for minutes.
TEST_F(Command, ABadlyScaledModelIsJudgedInSeconds) {
  std::string crane = text(fs::path(INVAR_EXAMPLES_DIR) / "cable_manipulator_rotation/model.toml");
  const std::string mass = "m/2*(rx'^2";
  ASSERT_NE(crane.find(mass), std::string::npos);
  std::ofstream(folder / "model.toml") << crane.replace(crane.find(mass), mass.size(), "m/1e-100*(rx'^2");
  const auto before = std::chrono::steady_clock::now();
  run({"check", "model.toml"});
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count(), 20.0)
      << "half a second, but for other work of the machine";
}

TEST_F(Command, NumericalFailureKeepsWhatWasComputed) {
  std::string wall = pendulum;
  wall.replace(wall.find("g*y"), 3, "g*(y + 0.9)^1.5");  // no value below -0.9
  std::ofstream(folder / "model.toml") << wall;
  const Result r = run({"simulate", "model.toml"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  EXPECT_TRUE(fs::exists(folder / "out/pendulum/INCOMPLETE"));
  EXPECT_NE(text(folder / "out/pendulum/summary.json").find("\"status\": \"failed\""), std::string::npos);
}

TEST_F(Command, ControlCLeavesAFolderMarkedIncomplete) {
  const pid_t child = start({"simulate", "model.toml", "--until", "90000", "--step", "0.001", "--no-report"});
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  kill(child, SIGINT);
  const Result r = finish(child);
  EXPECT_EQ(r.status, 130) << r.out << r.err;
  EXPECT_TRUE(fs::exists(folder / "out/pendulum/INCOMPLETE"));
  EXPECT_NE(text(folder / "out/pendulum/summary.json").find("\"status\": \"interrupted\""), std::string::npos);
}

// From a poor guess the search would last for more than ten seconds.
TEST_F(Command, ControlCKeepsTheBestMotionSoFar) {
  std::string arm = text(fs::path(INVAR_EXAMPLES_DIR) / "arm_swing_directors/model.toml");
  const std::string guess = "guess = \"line\"";
  ASSERT_NE(arm.find(guess), std::string::npos);
  arm.replace(arm.find(guess), guess.size(), "guess = \"hold\"");
  std::ofstream(folder / "arm.toml") << arm;
  const pid_t child = start({"optimize", "arm.toml", "--intervals", "80", "--no-report"});
  std::this_thread::sleep_for(std::chrono::seconds(1));
  kill(child, SIGINT);
  const Result r = finish(child);
  EXPECT_EQ(r.status, 130) << r.out << r.err;
  const fs::path out = folder / "out/arm_swing_directors";
  EXPECT_TRUE(fs::exists(out / "INCOMPLETE"));
  EXPECT_NE(text(out / "summary.json").find("\"status\": \"interrupted\""), std::string::npos);
  const std::string motion = text(out / "result.csv");
  EXPECT_EQ(std::count(motion.begin(), motion.end(), '\n'), 1 + 81) << "names, then the nodes";
  EXPECT_EQ(motion.find("nan"), std::string::npos);
}

// A hundred thousand instants of a two-point problem would take half a minute.
TEST_F(Command, TerminationIsHeededWhileATwoPointProblemIsSolved) {
  const pid_t child = start({"invert", "elastic_arm", "--step", "1e-5", "--no-report", "--out", "stopped"});
  std::this_thread::sleep_for(std::chrono::seconds(1));
  kill(child, SIGTERM);
  const auto told = std::chrono::steady_clock::now();
  const Result r = finish(child);
  EXPECT_EQ(r.status, 130) << r.out << r.err;
  constexpr auto promptly = std::chrono::seconds(5);  // on a busy machine too
  EXPECT_LT(std::chrono::steady_clock::now() - told, promptly);
  EXPECT_TRUE(fs::exists(folder / "stopped/INCOMPLETE"));
}

const fs::path readme = fs::path(INVAR_EXAMPLES_DIR) / "../README.md";

TEST_F(Command, TheModelInTheReadmeRunsAsShown) {
  const std::string page = text(readme), opening = "```toml\n";
  const std::size_t begin = page.find(opening);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t first = begin + opening.size();
  std::ofstream(folder / "pendulum.toml") << page.substr(first, page.find("```", first) - first);
  const Result check = run({"check", "pendulum.toml"});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_NE(page.find(check.out), std::string::npos) << "the page should show\n" << check.out;
  const Result simulate = run({"simulate", "pendulum.toml"});
  EXPECT_EQ(simulate.status, 0) << simulate.err;
  const std::string steady = simulate.out.substr(0, simulate.out.find(','));  // what follows are times and round-off
  EXPECT_NE(page.find(steady), std::string::npos) << "the page should show\n" << steady;
}

TEST_F(Command, EveryModelInTheReadmeRuns) {
  const std::string page = text(readme), opening = "```toml\n";
  int models = 0;
  for (std::size_t at = page.find(opening); at != std::string::npos; at = page.find(opening, at + 1), ++models) {
    const std::size_t first = at + opening.size();
    std::ofstream(folder / "shown.toml") << page.substr(first, page.find("```", first) - first);
    const Result simulate = run({"simulate", "shown.toml"});
    EXPECT_EQ(simulate.status, 0) << simulate.err;
  }
  EXPECT_EQ(models, 2);
}

// The words after `invar ` in code: behind a backtick, a prompt or the folder of the command.
std::set<std::string> commands_in(const std::string& page) {
  const std::string command = "invar ";
  std::set<std::string> words;
  for (std::size_t at = page.find(command, 2); at != std::string::npos; at = page.find(command, at + 1)) {
    const std::size_t begin = at + command.size(), end = page.find_first_not_of("abcdefghijklmnopqrstuvwxyz", begin);
    const bool is_code = page[at - 1] == '`' || page[at - 1] == '/' || page.substr(at - 2, 2) == "$ ";
    if (is_code && end != begin) words.insert(page.substr(begin, end - begin));
  }
  return words;
}

TEST_F(Command, EveryCommandInTheReadmeExists) {
  const std::set<std::string> words = commands_in(text(readme));
  EXPECT_TRUE(words.contains("check") && words.contains("simulate") && words.contains("list"));
  for (const std::string& word : words) EXPECT_EQ(run({word, "--help"}).status, 0) << "invar " << word;
}

}  // namespace
