// What cannot start is refused in words, by every task; what is doubtful about a start is told.
#include <gtest/gtest.h>

#include "invar/base/error.h"
#include "invar/model/bad_models/bad_start_models.h"
#include "invar/read/read_problem.h"
#include "invar/task/check/verdict.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

template <class Task>
std::string error_of(const std::string& text, const Task& task) {
  try {
    task(read_problem_text(text, "p.toml"));
  } catch (const InputError& error) {
    return std::string("p.toml: ") + error.what();
  }
  return "accepted";
}

TEST(BadStart, IsRefusedInWords) {
  for (const BadModel& model : bad_starts()) {
    const std::string checked = error_of(model.text, [](const Problem& p) { check(p); });
    EXPECT_TRUE(model.is_refused_by(checked, "p.toml")) << model.name << "\n  gave     " << checked;
    const std::string simulated = error_of(model.text, [](const Problem& p) { simulate(p); });
    EXPECT_TRUE(model.is_refused_by(simulated, "p.toml")) << model.name << "\n  gave     " << simulated;
  }
}

std::vector<std::string> doubts(const std::string& kinetic) {
  const Problem p = read_problem_text(model_from_origin("kinetic = \"" + kinetic + "\"\n"), "p.toml");
  return check(p).summary.warnings;
}

TEST(NegativeMass, IsToldWithItsCoordinate) {
  const std::string words =
      "negative mass at the start: motions of {} have a negative kinetic energy; is a sign wrong?";
  const auto of = [&](const std::string& name) { return std::string(words).replace(words.find("{}"), 2, name); };
  EXPECT_EQ(doubts("x'^2/2 - 3*y'^2"), std::vector<std::string>{of("y")});
  EXPECT_EQ(doubts("x'^2 + 4*x'*y' + 2*y'^2").size(), 1U) << "indefinite with a positive diagonal";
  EXPECT_TRUE(doubts("x'^2 + x'*y' + 2*y'^2").empty());
  EXPECT_TRUE(doubts("1e-9*x'^2 + 1e9*y'^2").empty());
  Problem p = read_problem_text(model_from_origin("kinetic = \"-(x'^2 + y'^2)\"\n"), "p.toml");
  EXPECT_EQ(simulate(p).summary.warnings.size(), 2U) << "a simulation tells it too";
}

TEST(NegativeMass, CountsOnlyInMotionsThatConstraintsAllow) {
  const std::string held =
      "kinetic = \"x'^2 + 6*x'*y' + y'^2\"\n[[system.constraint]]\nname = \"gear\"\nexpr = \"y - x\"\n";
  EXPECT_TRUE(check(read_problem_text(model_from_origin(held), "p.toml")).summary.warnings.empty());
}

}  // namespace
}  // namespace invar
