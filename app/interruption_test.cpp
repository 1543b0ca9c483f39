// Signals at any moment: the status is 130, within a second, nothing is left over and an earlier result is as it was.
#include <fcntl.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "app/shell_test_support.h"

namespace invar::app {
namespace {

using Clock = std::chrono::steady_clock;

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

class InterruptionTest : public Shell {
 protected:
  struct Ended {
    int status = 0;
    double wall = 0.0, processor = 0.0;  // seconds since the signal
    std::string errors;
  };

  pid_t start(const std::vector<std::string>& arguments) const {
    const pid_t child = fork();
    if (child != 0) return child;
    setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
    const int printed = open((folder / "printed").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int errors = open((folder / "errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(printed, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    std::vector<char*> words = {const_cast<char*>(INVAR_BINARY)};
    for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
    words.push_back(nullptr);
    if (chdir(folder.c_str()) == 0) execv(INVAR_BINARY, words.data());
    _exit(99);
  }

  // A line of /proc/PID/status; empty if it is gone.
  static std::string about(pid_t process, const std::string& key) {
    std::ifstream file("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(file, line);)
      if (line.starts_with(key + ":")) return line.substr(key.size() + 1);
    return {};
  }
  static bool is_running(pid_t process) {
    const std::string state = about(process, "State");
    return !state.empty() && state.find('Z') == state.npos;
  }
  // Before its first instructions a program cannot say what a signal shall do.
  static void wait_until_it_listens(pid_t process) {
    const auto listens = [&] {
      const std::string caught = about(process, "SigCgt");
      return !caught.empty() && (std::stoull(caught, nullptr, 16) >> (SIGTERM - 1)) % 2 == 1;
    };
    while (is_running(process) && !listens()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  static double processor_time(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream rest(text.substr(std::min(text.rfind(')') + 2, text.size())));
    std::string word;
    double ticks = 0.0;
    for (int k = 3; rest >> word; ++k)
      if (k == 14 || k == 15) ticks += std::stod(word);
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

  // Nothing if it has ended by itself before.
  std::optional<Ended> stop(pid_t child, int signal, std::chrono::milliseconds moment) const {
    wait_until_it_listens(child);
    std::this_thread::sleep_for(moment);
    const bool ended = !is_running(child);
    const double before = processor_time(child);
    kill(child, signal);
    const auto sent = Clock::now();
    int status = 0;
    rusage usage = {};
    wait4(child, &status, 0, &usage);
    if (ended) return std::nullopt;
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return Ended{WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status),
                 std::chrono::duration<double>(Clock::now() - sent).count(),
                 seconds(usage.ru_utime) + seconds(usage.ru_stime) - before, text("errors")};
  }

  void expect_nothing_left() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      EXPECT_FALSE(name.starts_with('.')) << entry.path();
    }
  }
};

// A busy machine takes longer by the clock, but then the program has not had its second.
constexpr double one_second = 1.0;

TEST_F(InterruptionTest, AtAnyMomentOfAnyTask) {
  file("chain.toml", chain(300));
  file("pendulum.toml",
       "name = \"pendulum\"\n[system]\ncoordinates = [\"a\"]\nkinetic = \"a'^2/2\"\npotential = \"-cos(a)\"\n"
       "[initial]\na = 1\n[simulate]\nuntil = 1e6\nstep = 0.01\nevery = 10\n");
  ASSERT_EQ(shell("$INVAR simulate pendulum.toml --until 1 --out earlier --quiet").status, 0);
  std::string earlier = text("earlier/result.csv");
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
  const int signals = more ? std::atoi(more) : 14;
  std::mt19937 random(static_cast<unsigned>(signals));
  for (int k = 0; k < signals; ++k) {
    std::vector<std::string> command = commands[static_cast<std::size_t>(k) % commands.size()];
    if (command[0] != "check") command.insert(command.end(), {"--out", "earlier"});
    const auto moment = std::chrono::milliseconds(random() % 1200);
    const pid_t child = start(command);
    const std::optional<Ended> end = stop(child, k % 2 == 0 ? SIGINT : SIGTERM, moment);
    std::string what = std::to_string(moment.count()) + " ms:";
    for (const std::string& word : command) what += " " + word;
    if (end) {
      EXPECT_EQ(end->status, 130) << what << "\n" << end->errors;
      EXPECT_LT(std::min(end->wall, end->processor), one_second) << what;
    }
    EXPECT_FALSE(exists("earlier/INCOMPLETE")) << what;
    const std::string now = text("earlier/result.csv");
    if (!end) earlier = now;  // another complete result
    EXPECT_TRUE(now == earlier) << what;
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
