// Laws of the cases of a sweep: each is the run that a model read with its values has, bit by bit, whoever runs it and
// whatever ran before; what goes wrong in one stays in its row.
#include "invar/sweep/case_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/sample/design.h"
#include "invar/sweep/run_cases.h"
#include "invar/task/simulate/simulate.h"
#include "invar/task/simulate/simulate_task.h"
#include "invar/task/table/tasks.h"

namespace invar {
namespace {

const std::string swinging = R"toml(
name = "pendulum"
[parameters]
m = 1.0
L = 1.0
d = 0.1
until = 0.3
[system]
coordinates = ["x", "y"]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*9.81*y"
force = { x = "-d*x'", y = "-d*y'" }
[[system.constraint]]
name = "bar"
expr = "(x^2 + y^2 - L^2)/2"
[[system.input]]
name = "F"
force = { x = "1" }
[[system.output]]
name = "place"
expr = "x"
[initial]
x = "-0.6*L"
y = -0.8
[simulate]
until = "until"
step = 0.01
inputs = { F = "sin(t)" }
)toml";

SweptModel model_of(const std::string& text) { return {model::parse_document(text, "model.toml"), {}, {}, {}}; }

struct Varied {
  std::string name, values;
};

Design design(const std::vector<Varied>& over, std::uint64_t samples = 0) {
  std::vector<Factor> factors;
  for (const auto& [name, values] : over) factors.push_back({{name}, {ValueSet::read(values)}});
  return Design(std::move(factors), Sampling::latin, samples, 1);
}

const RecordingChoice all_ends({"figures", "end", "series"});

CaseRunner runner_of(const std::string& text, const Design& cases, const Task& task = simulate_task,
                     const RecordingChoice& choice = all_ends) {
  std::vector<double> first(cases.names().size());
  cases.set_case(0, first);
  return CaseRunner(model_of(text), task, cases.names(), first, choice);
}

std::map<std::uint64_t, CaseRecord> all(const CaseRunner& runner, const Design& cases, std::size_t threads,
                                        SweepPart part = {}) {
  std::map<std::uint64_t, CaseRecord> found;
  CaseQueue queue(cases.size(), part, std::vector<bool>(cases.size()));
  CaseWork work = {.runner = runner, .design = cases};
  work.threads = threads;
  work.deliver = [&](const CaseRecord& record) { EXPECT_TRUE(found.emplace(record.number, record).second); };
  run_cases(work, queue);
  return found;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

void expect_same(const CaseRecord& a, const CaseRecord& b) {
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.reason, b.reason);
  ASSERT_EQ(a.numbers.size(), b.numbers.size());
  for (std::size_t i = 0; i < a.numbers.size(); ++i) {
    EXPECT_EQ(a.numbers[i].name, b.numbers[i].name);
    EXPECT_TRUE(same_bits(a.numbers[i].value, b.numbers[i].value)) << a.numbers[i].name;
  }
  ASSERT_EQ(a.series.size(), b.series.size());
  for (std::size_t i = 0; i < a.series.size(); ++i) EXPECT_EQ(a.series[i].values, b.series[i].values);
}

double number(const CaseRecord& record, const std::string& name) {
  const auto found = std::ranges::find(record.numbers, name, &NamedNumber::name);
  return found == record.numbers.end() ? NAN : found->value;
}

TEST(CaseRunner, ACaseIsTheRunOfTheModelReadWithItsValues) {
  const Design cases = design({{"m", "[1, 2.5]"}, {"L", "[0.7, 1]"}, {"initial.x'", "[0, 0.2]"}});
  const CaseRunner runner = runner_of(swinging, cases);
  EXPECT_TRUE(runner.shares());
  std::vector<double> values(3);
  for (std::uint64_t k = 0; k < cases.size(); ++k) {
    cases.set_case(k, values);
    const CaseRecord record = *runner.run(k, values, {});
    const Simulation alone = simulate(
        read_problem_text(swinging, "model.toml", {{"m", values[0]}, {"L", values[1]}, {"initial.x'", values[2]}}));
    ASSERT_EQ(record.status, CaseStatus::done) << record.reason;
    const Trajectory& t = alone.trajectory;
    for (std::size_t j = 1; j < t.columns.size(); ++j)
      EXPECT_TRUE(same_bits(number(record, t.columns[j] + ".end"), t.row(t.rows() - 1)[j])) << t.columns[j];
    for (const auto& [name, series] : record.series) EXPECT_EQ(series, t.column(name)) << name;
    EXPECT_EQ(number(record, "newton_iterations.total"), static_cast<double>(alone.summary.newton_iterations.total));
  }
}

TEST(CaseRunner, WhatNumbersWereComputedFromIsReadAnew) {
  const Design cases = design({{"until", "[0.1, 0.2]"}, {"simulate.step", "[0.01, 0.05]"}});
  const CaseRunner runner = runner_of(swinging, cases);
  EXPECT_FALSE(runner.shares());
  const auto found = all(runner, cases, 1);
  EXPECT_EQ(number(found.at(0), "steps"), 10.0);
  EXPECT_EQ(number(found.at(1), "steps"), 2.0);
  EXPECT_EQ(number(found.at(3), "steps"), 4.0);
}

TEST(CaseRunner, ThreadsPartsAndOrderChangeNoBit) {
  const Design cases = design({{"m", "uniform(0.5, 2)"}, {"d", "[0, 0.1, 0.3]"}}, 7);
  const auto one = all(runner_of(swinging, cases), cases, 1);
  ASSERT_EQ(one.size(), cases.size());
  std::map<std::uint64_t, CaseRecord> other = all(runner_of(swinging, cases), cases, 4);
  for (std::uint64_t part = 1; part <= 3; ++part)
    for (auto& [k, record] : all(runner_of(swinging, cases), cases, 2, {part, 3})) {
      expect_same(one.at(k), other.at(k));
      expect_same(one.at(k), record);
      other.erase(k);
    }
  EXPECT_TRUE(other.empty()) << "every case is in one part";
}

TEST(CaseRunner, AFailedRunIsARowWithItsReason) {
  const Design cases = design({{"L", "[1, 0, 0.5]"}});
  const auto found = all(runner_of(swinging, cases), cases, 2);
  EXPECT_EQ(found.at(0).status, CaseStatus::done);
  EXPECT_EQ(found.at(1).status, CaseStatus::failed);
  EXPECT_FALSE(found.at(1).reason.empty());
  EXPECT_TRUE(found.at(1).numbers.empty()) << "half a run has no figures";
  EXPECT_EQ(found.at(2).status, CaseStatus::done);
}

TEST(CaseRunner, EveryTaskIsRunCaseByCase) {
  const std::string text = swinging + R"toml(
[[trajectory]]
outputs = ["place"]
from = [-0.6]
to = [-0.5]
duration = 0.3
profile = "poly9"
[invert]
step = 0.1
until = 0.3
[control]
until = 0.1
controller = "output-feedback"
noise = { x = 0.001 }
[optimize]
horizon = 0.3
intervals = 4
final = { x = -0.55 }
)toml";
  const Design cases = design({{"m", "[1, 2]"}});
  for (const Task* task : tasks()) {
    const auto alone = all(runner_of(text, cases, *task), cases, 1);
    const auto together = all(runner_of(text, cases, *task), cases, 2);
    for (const auto& [k, record] : together) {
      EXPECT_FALSE(record.status == CaseStatus::done && record.numbers.empty()) << task->verb;
      expect_same(alone.at(k), record);  // so no figure tells how long anything took
    }
  }
  const Design seeds = design({{"control.seed", "1:3:3"}});
  const auto found = all(runner_of(text, seeds, *find_task("control")), seeds, 2);
  for (const auto& [k, record] : found) EXPECT_EQ(record.status, CaseStatus::done) << record.reason;
  EXPECT_NE(number(found.at(0), "x.end"), number(found.at(1), "x.end")) << "other noise";
}

std::string refusal(const std::vector<Varied>& over, const std::vector<std::string>& record = {"end"}) {
  try {
    const Design cases = design(over);
    all(runner_of(swinging, cases, simulate_task, RecordingChoice(record)), cases, 2);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CaseRunner, WhatCannotBeVariedOrRecordedIsRefusedBeforehand) {
  EXPECT_EQ(refusal({{"M", "[1]"}}), "model.toml: cannot vary unknown parameter \"M\"; did you mean \"m\"?");
  EXPECT_EQ(refusal({{"inital.x", "[1]"}}),
            "model.toml: \"inital.x\": the file has no such place; write TABLE.KEY, such as initial.x, or "
            "trajectory.1.duration");
  EXPECT_EQ(refusal({{"system.coordinates", "[1]"}}),
            "model.toml: \"system.coordinates\": no number stands there, but an array");
  EXPECT_EQ(refusal({{"m", "[1]"}}, {"z.end"}), "cannot record \"z.end\": the task has no column \"z\"");
  EXPECT_EQ(refusal({{"m", "[1]"}}, {"x.last"}),
            "cannot record \"x.last\"; write figures, or COLUMN.KIND with end, min, max, peak, mean, rms or series");
}

}  // namespace
}  // namespace invar
