// Laws that every task in the table obeys: the command line can offer it and run it without knowing it.
#include "invar/task/table/tasks.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/task/check/verdict.h"

namespace invar {
namespace {

// A driven mass with a trajectory, a goal and a controller.
const std::string mass = R"toml(name = "mass"
[system]
coordinates = ["x"]
kinetic = "x'^2/2"
potential = "x^2/2"
[[system.input]]
name = "F"
force = { x = "1" }
[[system.output]]
name = "y"
expr = "x"
[initial]
x = 0
[[trajectory]]
outputs = ["y"]
from = [0]
to = [1]
duration = 1.0
profile = "poly9"
[simulate]
until = 0.1
[invert]
until = 1.0
step = 0.1
[optimize]
horizon = 1.0
intervals = 5
final = { x = 1 }
[control]
until = 0.1
)toml";

TEST(Tasks, HaveNamesOfTheirOwnAndAllThatARowNeeds) {
  std::set<std::string_view> verbs;
  for (const Task* task : tasks()) {
    EXPECT_TRUE(verbs.insert(task->verb).second) << task->verb;
    EXPECT_EQ(find_task(task->verb), task);
    EXPECT_FALSE(task->help.empty()) << task->verb;
    EXPECT_TRUE(task->take && task->end && task->run) << task->verb;
    EXPECT_EQ(task->foretell != nullptr, !task->subject.empty()) << task->verb;
    for (const TaskOption& option : task->options) EXPECT_TRUE(option.name.starts_with("--")) << option.name;
  }
  EXPECT_EQ(find_task("fly"), nullptr);
}

TEST(Tasks, SayWhatTheyDidInSentencesAndUnderTheirName) {
  for (const Task* task : tasks()) {
    SCOPED_TRACE(std::string(task->verb));
    Problem problem = read_problem_text(mass, "mass.toml");
    task->take({}, problem);
    EXPECT_GE(task->end(problem), 0.0);
    const Outcome outcome = task->run(Prepared(problem), {}, {});
    const Summary& s = outcome.summary;
    ASSERT_EQ(s.status, RunStatus::done) << s.message;
    EXPECT_EQ(s.task, task->verb);
    EXPECT_GT(outcome.trajectory.rows(), 0u);
    ASSERT_FALSE(s.parts.empty());
    const SummaryPart& part = s.parts.front();
    EXPECT_FALSE(part.sentences(s).empty());
    EXPECT_FALSE(part.headline(s, outcome.trajectory).empty());
    EXPECT_FALSE(part.key_figures(s).empty());
    const nlohmann::json json = nlohmann::json::parse(to_json(s));
    EXPECT_TRUE(part.key().empty() || json.contains(part.key()));
  }
}

// Zeros of what was not measured would read as perfect.
TEST(Tasks, TellTheAccuracyOfAMotionOnlyWhereItWasMeasured) {
  const Problem problem = read_problem_text(mass, "mass.toml");
  const auto tells = [](const Summary& s) { return nlohmann::json::parse(to_json(s)).contains("accuracy"); };
  for (const char* verb : {"simulate", "optimize", "control"})
    EXPECT_TRUE(tells(find_task(verb)->run(Prepared(problem), {}, {}).summary)) << verb;
  EXPECT_FALSE(tells(find_task("invert")->run(Prepared(problem), {}, {}).summary));
  EXPECT_FALSE(tells(check(problem).summary));
}

// What the command line says counts, and is checked as what the file says.
TEST(Tasks, TakeOptionsInPlaceOfSettings) {
  for (const Task* task : tasks())
    for (const TaskOption& option : task->options) {
      if (option.kind == TaskOption::Kind::flag) continue;
      SCOPED_TRACE(std::string(task->verb) + " " + std::string(option.name));
      Problem problem = read_problem_text(mass, "mass.toml");
      EXPECT_THROW(task->take({.method = {}, .values = {{std::string(option.name), -1.0}}}, problem), InputError);
    }
}

}  // namespace
}  // namespace invar
