// Signals at any moment: the status is 130, within a second, nothing is left over and an earlier result is as it was.
#include <random>

#include "app/unattended/process_test_support.h"

namespace invar::app {
namespace {

// Links one below the other: their number decides how long reading, analysis and a step take.
std::string chain(int links) {
  std::string text = "name = \"chain\"\n[world]\ngravity = [0, 0, -9.81]\n[simulate]\nuntil = 100\nstep = 0.01\n";
  for (int k = 1; k <= links; ++k) {
    const std::string n = std::to_string(k), before = k == 1 ? "ground" : "b" + std::to_string(k - 1);
    text += "[[body]]\nname = \"b" + n + "\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nposition = [" +
            std::to_string(0.1 * k - 0.05) + ", 0, 0]\n[[joint]]\nname = \"j" + n +
            "\"\ntype = \"revolute\"\nbetween = [\"" + before + "\", \"b" + n + "\"]\nat = [" +
            std::to_string(0.1 * (k - 1)) + ", 0, 0]\naxis = [0, 1, 0]\n";
  }
  return text;
}

using InterruptionTest = Process;

// A busy machine takes longer by the clock, but then the program has not had its second.
constexpr double one_second = 1.0;

TEST_F(InterruptionTest, AtAnyMomentOfAnyTask) {
  file("chain.toml", chain(300));
  file("pendulum.toml",
       "name = \"pendulum\"\n[system]\ncoordinates = [\"a\"]\nkinetic = \"a'^2/2\"\npotential = \"-cos(a)\"\n"
       "[initial]\na = 1\n[simulate]\nuntil = 1e6\nstep = 0.01\nevery = 10\n");
  ASSERT_EQ(shell("$INVAR simulate pendulum.toml --until 1 --out earlier --quiet").status, 0);
  std::string earlier = text("earlier/result.csv"), summary = text("earlier/summary.json");
  const std::vector<std::vector<std::string>> commands = {
      {"simulate", "chain.toml"},
      {"check", "chain.toml"},
      {"equilibrium", "chain.toml"},
      {"simulate", "chain.toml", "--formulation", "minimal"},
      {"simulate", "pendulum.toml"},
      {"optimize", "arm_swing_directors", "--intervals", "60"},
      {"invert", "elastic_arm", "--step", "1e-5"},
  };
  const char* more = std::getenv("INVAR_SIGNALS");  // so many, for a thorough search
  const int signals = more ? std::atoi(more) : 7;
  std::mt19937 random(static_cast<unsigned>(signals));
  for (int k = 0; k < signals; ++k) {
    std::vector<std::string> command = commands[static_cast<std::size_t>(k) % commands.size()];
    if (command[0] != "check") command.insert(command.end(), {"--out", "earlier"});
    const auto moment = std::chrono::milliseconds(random() % 700);
    const pid_t child = start(command);
    const std::optional<Ended> end = stop(child, k % 2 == 0 ? SIGINT : SIGTERM, moment);
    std::string what = std::to_string(moment.count()) + " ms:";
    for (const std::string& word : command) what += " " + word;
    if (end) {
      EXPECT_EQ(end->status, 130) << what << "\n" << end->errors;
      EXPECT_LT(std::min(end->wall, end->processor), one_second) << what;
    }
    EXPECT_FALSE(exists("earlier/INCOMPLETE")) << what;
    const std::string now = text("earlier/result.csv"), about = text("earlier/summary.json");
    if (now != earlier) {  // what was done by the time of the signal is another complete result
      EXPECT_NE(about, summary) << what;
      EXPECT_NE(about.find("\"status\": \"done\""), std::string::npos) << what;
      earlier = now;
      summary = about;
    }
    expect_nothing_left();
  }
}

// Who waits for input that does not come can be stopped too.
TEST_F(InterruptionTest, WhileReadingStandardInput) {
  const Result r = shell(R"(
sleep 1.5 | (timeout -s TERM --preserve-status 0.3 "$INVAR" check -; echo $? > status))");
  EXPECT_EQ(text("status"), "130\n") << r.err;
}

// What a run that was killed has left is gone after the next.
TEST_F(InterruptionTest, LeftOversOfKilledRunsAreSwept) {
  file("chain.toml", chain(10));
  const pid_t child = start({"simulate", "chain.toml", "--out", "x", "--until", "1e5"});
  wait_until_it_listens(child);
  for (int k = 0; k < 500 && shell("ls -d .x.partial-*").status != 0; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(shell("ls -d .x.partial-*").status, 0);
  EXPECT_EQ(shell("$INVAR simulate chain.toml --out x --until 0.1 --quiet --no-report").status, 0);
  expect_nothing_left();
}

}  // namespace
}  // namespace invar::app
