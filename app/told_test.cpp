// What the terminal, the summary and the page tell is the same: every sentence, every warning, and the model that was
// read.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/shell_test_support.h"
#include "invar/record/trajectory.h"
#include "invar/report/page/verdict_words.h"
#include "invar/task/simulate/simulation_summary.h"

namespace invar::app {
namespace {

using Json = nlohmann::json;

constexpr const char* tasks[] = {"simulate", "equilibrium", "invert", "optimize", "control"};
constexpr const char* doubt = "body \"cart\": its radius of gyration";

class Told : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    file("cart.toml", heavy_cart);
  }
};

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

bool any_has(const Json& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const Json& t) { return t.get<std::string>().find(part) != std::string::npos; });
}

TEST_F(Told, ThePageSaysAllThatTheTerminalSays) {
  for (const std::string task : tasks) {
    const Result r = shell("$INVAR " + task + " cart.toml --out " + task);
    ASSERT_EQ(r.status, 0) << task << "\n" << r.err;
    const Json said = Json::parse(page(task))["said"];
    std::istringstream lines(r.out);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      line.erase(0, line.find_first_not_of(' '));
      if (line.starts_with("results in")) break;
      EXPECT_TRUE(std::find(said.begin(), said.end(), line) != said.end()) << task << ": " << line << "\n" << said;
    }
    EXPECT_GE(count, 2u) << r.out;
    EXPECT_EQ(count, said.size());
  }
}

// Constraints are judged at both levels, wherever there is a motion of them.
TEST_F(Told, ResidualsOfConstraintsAreThoseOfTheTable) {
  for (const std::string task : {"simulate", "optimize", "control"}) {
    ASSERT_EQ(shell("$INVAR " + task + " cart.toml --quiet --no-report --out " + task).status, 0) << task;
    const Json accuracy = Json::parse(text(task + "/summary.json"))["accuracy"];
    const Trajectory table = read_csv(folder / task / "result.csv");
    for (const auto& [figure, column] :
         {std::pair{"drift_position", "drift.position"}, {"drift_velocity", "drift.velocity"}})
      EXPECT_EQ(accuracy[figure], std::ranges::max(table.column(column))) << task;
    const std::vector<double> energy = table.column("energy.total");
    double change = 0.0;
    for (const double e : energy) change = std::max(change, std::abs(e - energy.front()));
    EXPECT_EQ(accuracy["energy"]["drift"], change) << task;
    EXPECT_EQ(accuracy["energy"]["expected_constant"], false) << task;
  }
}

TEST_F(Told, WarningsReachEveryReaderAlsoQuietOnes) {
  for (const std::string task : tasks)
    for (const std::string option : {"--quiet", "--json", ""}) {
      const Result r = shell("$INVAR " + task + " cart.toml --out " + task + " " + option);
      EXPECT_EQ(r.status, 0) << task << "\n" << r.err;
      EXPECT_EQ(times(r.err, std::string("invar: warning: ") + doubt), 1u) << task << option << "\n" << r.err;
      EXPECT_TRUE(any_has(Json::parse(text(task + "/summary.json"))["warnings"], doubt)) << task;
      EXPECT_TRUE(any_has(Json::parse(page(task))["warnings"], doubt)) << task;
    }
}

TEST_F(Told, CheckWarnsInWordsAndInJson) {
  const Result words = shell("$INVAR check cart.toml"), json = shell("$INVAR check cart.toml --json");
  EXPECT_EQ(times(words.err, doubt), 1u) << words.err;
  EXPECT_EQ(times(json.err, doubt), 1u) << json.err;
  EXPECT_TRUE(any_has(Json::parse(json.out)["warnings"], doubt)) << json.out;
}

// Doubts about a closed loop are known before it runs, and told once.
TEST_F(Told, DoubtsAboutALoopReachEveryReader) {
  std::string elsewhere = heavy_cart;
  elsewhere.replace(elsewhere.find("from = [0.0]"), 12, "from = [0.5]");
  file("elsewhere.toml", elsewhere);
  const Result run = shell("$INVAR control elsewhere.toml --quiet --out loop");
  ASSERT_EQ(run.status, 0) << run.err;
  const Json warnings = Json::parse(text("loop/summary.json"))["warnings"];
  EXPECT_GE(warnings.size(), 2u) << warnings;
  for (const Json& w : warnings) EXPECT_EQ(times(run.err, w.get<std::string>()), 1u) << w << "\n" << run.err;
  const Result check = shell("$INVAR check elsewhere.toml --json");
  EXPECT_EQ(check.status, 0);
  for (const Json& w : warnings) {
    EXPECT_EQ(times(check.err, w.get<std::string>()), 1u) << w << "\n" << check.err;
    EXPECT_TRUE(any_has(Json::parse(check.out)["warnings"], w.get<std::string>())) << w << "\n" << check.out;
  }
}

// A pipe can be read only once: what the page shows is what was computed with, whatever the file has become since.
TEST_F(Told, ThePageShowsTheModelThatWasRead) {
  const Result r = shell("cat cart.toml | $INVAR simulate /dev/stdin --quiet --out piped");
  ASSERT_EQ(r.status, 0) << r.err;
  const Json details = Json::parse(page("piped"))["details"];
  const auto model =
      std::find_if(details.begin(), details.end(), [](const auto& d) { return d["title"] == "Model file"; });
  ASSERT_TRUE(model != details.end());
  EXPECT_EQ((*model)["text"], heavy_cart);
}

// Good constraints at position level do not hide bad ones at velocity level.
TEST(Verdict, NamesBothLevels) {
  Summary s;
  s.parts.set(SimulationSummary());
  s.task = "simulate";
  s.method = "midpoint";
  s.steps = 10;
  s.counts.constraints = 1;
  s.accuracy.drift_position = 3.6e-15;
  s.accuracy.drift_velocity = 10.0;
  EXPECT_EQ(
      verdict_sentence(s, {}),
      "10 steps with midpoint: energy kept to 0.0e+00 of its largest value, constraints hold to 3.6e-15 at position "
      "level, to 1.0e+01 at velocity level.");
}

}  // namespace
}  // namespace invar::app
