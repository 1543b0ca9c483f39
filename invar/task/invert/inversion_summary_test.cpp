// Where an inverse problem stands in summary.json.
#include "invar/task/invert/inversion_summary.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace invar {
namespace {

// What kind of inverse problem it is stands with the structure, in one place; how well it was solved under inversion.
TEST(InversionSummary, the_kind_of_inverse_problem_stands_under_structure) {
  Summary s;
  s.structure.redundant_constraints = {{"c3", {"c1", "c2"}}};
  InversionSummary i;
  i.index = 5;
  i.degrees_of_freedom = 2;
  i.zero_dynamics = {{-1.5, 2.5}, {-1.5, -2.5}};
  i.servo_error = 0.25;
  s.parts.set(i);
  const nlohmann::json json = nlohmann::json::parse(to_json(s)), &structure = json["structure"];
  EXPECT_EQ(structure["index"], 5);
  EXPECT_EQ(structure["degrees_of_freedom"], 2);
  EXPECT_EQ(structure["flat"], false);
  EXPECT_EQ(structure["zero_dynamics"], (nlohmann::json{{-1.5, 2.5}, {-1.5, -2.5}}));
  EXPECT_EQ(structure["redundant_constraints"][0]["constraint"], "c3");
  EXPECT_EQ(json["inversion"]["servo_error"], 0.25);
  for (const char* key : {"index", "formal_index", "degrees_of_freedom", "flat", "hidden_structure", "zero_dynamics"}) {
    EXPECT_FALSE(json["inversion"].contains(key)) << key;
    EXPECT_FALSE(nlohmann::json::parse(to_json(Summary()))["structure"].contains(key)) << key;
  }
}

// What it does not have is null, and no failure.
TEST(InversionSummary, what_was_not_measured_is_no_failure) {
  Summary s;
  s.parts.set(InversionSummary());
  require_finite(s);
  EXPECT_EQ(s.status, RunStatus::done);
}

}  // namespace
}  // namespace invar
