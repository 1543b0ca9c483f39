// Runs that were killed or interrupted are gone on with to the same result; long runs need no more memory than short
// ones.
#include <random>

#include "app/results/result_rows.h"
#include "app/unattended/process_test_support.h"

namespace invar::app {
namespace {

using ResumeTest = Process;

constexpr const char* long_pendulum =
    "name = \"pendulum\"\n[system]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"(x'^2 + y'^2)/2\"\n"
    "potential = \"9.81*y\"\n[[system.constraint]]\nname = \"rod\"\nexpr = \"(x^2 + y^2 - 1)/2\"\n"
    "[initial]\nx = -1\ny = 0\n[simulate]\nuntil = 400\nstep = 0.001\nevery = 10\n";

TEST_F(ResumeTest, AfterAnyKillTheResultIsThatOfARunWithoutOne) {
  file("model.toml", long_pendulum);
  std::mt19937 random(3);
  for (const std::string format : {"csv", "hdf5"}) {
    const std::string table = format == "csv" ? "result.csv" : "result.h5";
    const std::vector<std::string> run = {"simulate", "model.toml",   "--out",       "x",
                                          "--format", format,         "--no-report", "--no-compile",
                                          "--quiet",  "--checkpoint", "0.01"};
    ASSERT_EQ(shell("$INVAR simulate model.toml --out whole --no-report --quiet --format " + format).status, 0);
    int kills = 0;
    bool done = false;
    for (int k = 0; k < 40 && !done; ++k) {
      std::vector<std::string> command = run;
      if (exists("x") || shell("ls -d .x.partial-*/checkpoint").status == 0) command.push_back("--resume");
      const int signal = std::array{SIGKILL, SIGKILL, SIGINT}[random() % 3];
      const std::optional<Ended> end = stop(start(command), signal, std::chrono::milliseconds(20 + random() % 150));
      if (end) ++kills;
      done = exists("x/" + table) && !exists("x/INCOMPLETE");
    }
    if (!done) {
      const Result end = shell("$INVAR simulate model.toml --out x --no-report --quiet --resume --format " + format);
      ASSERT_EQ(end.status, 0) << format << ": " << end.err;
    }
    EXPECT_GT(kills, 1);
    expect_nothing_left();
    EXPECT_EQ(shell("test \"$(ls x)\" = \"$(ls whole)\"").status, 0) << "the same files";
    EXPECT_TRUE(read_rows(folder / "x").values == read_rows(folder / "whole").values);
    EXPECT_TRUE(format != "csv" || text("x/result.csv") == text("whole/result.csv"));
    shell("rm -r x whole");
  }
}

TEST_F(ResumeTest, SaysWhatItCannotGoOnWith) {
  file("model.toml", long_pendulum);
  const Result nothing = shell("$INVAR simulate model.toml --resume --out x");
  EXPECT_EQ(nothing.status, 1);
  EXPECT_EQ(nothing.err, "x: there is no run that was interrupted and can be gone on with\n");
  const std::optional<Ended> end =
      stop(start({"simulate", "model.toml", "--out", "x", "--until", "4000"}), SIGINT, std::chrono::milliseconds(200));
  ASSERT_TRUE(end);
  EXPECT_EQ(end->status, 130);
  EXPECT_NE(end->errors.find("--resume goes on from there"), std::string::npos) << end->errors;
  const Result other = shell("$INVAR simulate model.toml --resume --out x --until 4000 --step 0.002");
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(other.err,
            "model.toml: --resume: the model, its data or its settings are not those of the run that was "
            "interrupted\n");
  EXPECT_TRUE(exists("x/checkpoint")) << "it is as it was";
  shell("printf damaged > x/checkpoint");
  const Result damaged = shell("$INVAR simulate model.toml --resume --out x --until 4000");
  EXPECT_EQ(damaged.status, 1);
  EXPECT_EQ(damaged.err, "x/checkpoint: is no checkpoint of this program, or is damaged\n");
  EXPECT_EQ(shell("$INVAR equilibrium model.toml --resume").status, 1) << "other tasks cannot";
}

TEST_F(ResumeTest, WhoBeginsAnewIsToldOfARunThatWasInterrupted) {
  file("model.toml", long_pendulum);
  ASSERT_TRUE(
      stop(start({"simulate", "model.toml", "--out", "x", "--until", "4000"}), SIGINT, std::chrono::milliseconds(200)));
  const Result anew = shell("$INVAR simulate model.toml --out x --until 1 --quiet");
  EXPECT_EQ(anew.status, 0);
  EXPECT_NE(anew.err.find("x has a run that was interrupted; --resume would go on with it"), std::string::npos);
  EXPECT_FALSE(exists("x/INCOMPLETE"));
  EXPECT_FALSE(exists("x/checkpoint"));
}

// Rows go to the disk as they come, and what is kept of them does not grow. Checkpoints are so frequent that some come
// when as many rows are kept as ever.
TEST_F(ResumeTest, MemoryDoesNotGrowWithTheNumberOfSteps) {
  file("model.toml", long_pendulum);
  const auto memory = [&](const std::string& until) {
    const Ended end = wait_for(start({"simulate", "model.toml", "--every", "1", "--until", until, "--no-report",
                                      "--no-compile", "--quiet", "--out", "x" + until, "--checkpoint", "0.005"}));
    EXPECT_EQ(end.status, 0) << end.errors;
    return static_cast<double>(end.memory);
  };
  const double few = memory("500"), many = memory("1500");
  constexpr double noise = 1.1;
  EXPECT_LT(many, noise * few) << "kilobytes, of 5e5 and of 1.5e6 steps: both more than are kept";
}

}  // namespace
}  // namespace invar::app
