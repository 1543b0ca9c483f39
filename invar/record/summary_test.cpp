// summary.json: what stands in it, in valid JSON, and the accuracy figures from a small table.
#include "invar/record/summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace invar {
namespace {

Summary example() {
  Summary s;
  s.name = "crane \"A\"\n";
  s.task = "simulate";
  s.method = "energy-momentum";
  s.formulation = "minimal";
  s.step = 0.01;
  s.until = 3.0;
  s.counts = {4, 1, 2, 2, 3};
  s.structure.mass_matrix = "constant diagonal";
  s.structure.redundant_constraints = {{"c3", {"c1", "c2"}}};
  s.initial_changes = {{"x'", 1.0, 0.5}};
  s.accuracy.measured = true;
  s.accuracy.energy.drift = NAN;
  s.accuracy.invariants = {{"momentum.phi", 1e-15, true, {}}};
  s.newton_iterations = {900, 4, 3.0};
  s.steps = 300;
  s.warnings = {"constraint \"c3\" is redundant"};
  return s;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Summary, holds_what_a_reader_needs) {
  const std::string json = to_json(example());
  for (const char* part :
       {R"("invar": 1)", R"("version": ")", R"("task": "simulate")", R"("step": 0.01)", R"("status": "done")",
        R"("degrees_of_freedom": 3)", R"("mass_matrix": "constant diagonal")", R"("constraint": "c3")",
        R"("name": "x'")", R"("given": 1.0)", R"("used": 0.5)", R"("name": "momentum.phi")", R"("drift": 1e-15)",
        R"("per_step": 3.0)", R"("name": "crane \"A\"\n")", R"("steps": 300)", R"("compiled": false)",
        R"("why_not": "no compiler was given")"})
    EXPECT_TRUE(contains(json, part)) << part << "\n" << json;
  EXPECT_LT(json.find("\"task\""), json.find("\"warnings\""));
}

// What a task may say: a list, a value that it does not have, and something about the kind of problem.
class SomeTask : public SummaryPart {
 public:
  std::vector<double> errors;
  std::optional<double> nothing;

  std::unique_ptr<SummaryPart> copy() const override { return std::make_unique<SomeTask>(*this); }
  std::string_view key() const override { return "some"; }
  JsonObject figures() const override {
    JsonList list;
    for (const double e : errors) list.push_back(JsonObject{{"max", e}});
    return {{"errors", list}, {"nothing", nothing}};
  }
  JsonObject structure() const override { return {{"index", 5}}; }
  std::vector<std::string> sentences(const Summary&) const override { return {}; }
  std::string headline(const Summary&, const Trajectory&) const override { return {}; }
  std::vector<KeyFigure> key_figures(const Summary&) const override { return {}; }
};

TEST(Summary, has_what_a_task_says_under_its_key_and_at_the_head_of_structure) {
  Summary s = example();
  s.parts.set(SomeTask()).errors = {0.5};
  Summary other = s;
  other.part<SomeTask>()->errors = {0.25};  // a copy is its own
  const nlohmann::ordered_json json = nlohmann::ordered_json::parse(to_json(s));
  EXPECT_EQ(json["some"]["errors"][0]["max"], 0.5);
  EXPECT_TRUE(json["some"]["nothing"].is_null());
  EXPECT_EQ(json["structure"].begin().key(), "index");
  EXPECT_EQ(json["structure"]["redundant_constraints"][0]["constraint"], "c3");
  EXPECT_FALSE(nlohmann::json::parse(to_json(example())).contains("some"));
}

TEST(Summary, numbers_that_are_not_finite_are_null) {
  Summary s = example();
  s.accuracy.drift_position = std::numeric_limits<double>::infinity();
  const std::string json = to_json(s);
  EXPECT_TRUE(contains(json, R"("drift_position": null)"));
  EXPECT_TRUE(contains(json, R"("drift": null)"));
  EXPECT_TRUE(is_summary(json));
}

TEST(Summary, a_figure_that_is_not_finite_is_no_success) {
  Summary s = example();
  require_finite(s);
  EXPECT_EQ(s.status, RunStatus::failed);
  EXPECT_EQ(s.message,
            "the figure accuracy.energy.drift of the summary is not a finite number: the result cannot be judged");
  Summary good = example();
  good.accuracy.energy.drift = 0.0;
  good.parts.set(SomeTask());  // what it does not have is null
  require_finite(good);
  EXPECT_EQ(good.status, RunStatus::done);
  Summary list = good;
  list.part<SomeTask>()->errors = {0.0, std::numeric_limits<double>::infinity()};
  require_finite(list);
  EXPECT_NE(list.message.find("some.errors.2.max"), std::string::npos) << list.message;
  Summary stopped = example();
  stopped.status = RunStatus::interrupted;
  require_finite(stopped);
  EXPECT_EQ(stopped.status, RunStatus::interrupted);
}

TEST(Summary, is_known_by_its_mark) {
  EXPECT_TRUE(is_summary(to_json(Summary{})));
  EXPECT_FALSE(is_summary(""));
  EXPECT_FALSE(is_summary("{\"invar\": 1"));
  EXPECT_FALSE(is_summary("{\"name\": \"invar\"}"));
  EXPECT_FALSE(is_summary("[\"invar\"]"));
}

TEST(Summary, a_name_that_is_no_utf8_does_no_harm) {
  Summary s;
  s.name = "cr\xff\xfe";
  EXPECT_TRUE(is_summary(to_json(s)));
}

// Zeros of what was not measured would read as perfect.
TEST(Summary, accuracy_stands_only_where_it_was_measured) {
  Summary s = example();
  s.accuracy = measure_accuracy({}, {});
  EXPECT_TRUE(contains(to_json(s), R"("drift_position")"));
  s.accuracy = {};
  EXPECT_FALSE(contains(to_json(s), R"("drift_position")"));
}

TEST(Summary, says_why_energy_is_not_expected_to_be_constant) {
  Summary s = example();
  s.accuracy.energy = {"energy.total", 2.0, false, "input \"F\" can do work"};
  EXPECT_TRUE(contains(to_json(s), R"("why_not": "input \"F\" can do work")"));
}

TEST(Accuracy, figures_of_a_small_table) {
  const Trajectory table{{"t", "energy.kinetic", "energy.potential", "energy.total", "momentum.x", "drift.position"},
                         {0, 4.0, -4.0, 0.0, 1.0, 0.0,    //
                          1, 1.0, -0.5, 0.5, 0.75, 1e-9,  //
                          2, 2.0, -3.0, -1.0, 1.5, 1e-12}};
  const Accuracy a = measure_accuracy(table, {{"energy.total", 0.0, true, {}}, {"momentum.x", 0.0, true, {}}});
  EXPECT_EQ(a.drift_position, 1e-9);
  EXPECT_EQ(a.drift_velocity, 0.0);  // no such column
  EXPECT_EQ(a.energy.drift, 1.0);
  EXPECT_EQ(a.energy_relative, 0.25);
  ASSERT_EQ(a.invariants.size(), 1u);
  EXPECT_EQ(a.invariants[0].drift, 0.5);
}

TEST(Accuracy, no_number_stays_no_number) {
  const Trajectory table{{"energy.total", "drift.position"}, {1.0, 0.0, NAN, NAN, 1.0, 5.0}};
  const Accuracy a = measure_accuracy(table, {{"energy.total", 0.0, true, {}}});
  EXPECT_TRUE(std::isnan(a.energy.drift));
  EXPECT_TRUE(std::isnan(a.drift_position));
  EXPECT_EQ(measure_accuracy({}, {}).energy.drift, 0.0);
}

}  // namespace
}  // namespace invar
