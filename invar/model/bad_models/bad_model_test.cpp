// Every mistake in a model file is one line that says where and what; what is only strange is accepted.
#include <gtest/gtest.h>

#include <string>

#include "invar/base/error.h"
#include "invar/model/bad_models/bad_models.h"
#include "invar/model/bad_models/model_test_support.h"
#include "invar/read/read_problem.h"

namespace invar {
namespace {

std::string error_of(const std::string& text, const Overrides& overrides = {}) {
  try {
    read_problem_text(text, "p.toml", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BadModel, StartsFromAGoodModel) {
  EXPECT_EQ(error_of(good_model_with(0, "")), "accepted");
  EXPECT_EQ(error_of(good_mechanism_with(0, "")), "accepted");
  EXPECT_EQ(error_of(good_planar_mechanism_with(0, "")), "accepted");
}

TEST(BadModel, EachGivesItsError) {
  for (const BadModel& model : bad_models()) {
    const std::string error = error_of(model.text);
    EXPECT_TRUE(model.is_refused_by(error, "p.toml"))
        << model.name << "\n  gave     " << error << "\n  expected p.toml:" << model.error;
  }
}

TEST(BadModel, OverridesMustNameParametersAndBeFinite) {
  EXPECT_EQ(error_of(good_model_with(3, "mass = 2\nm = 1"), {{"mas", 1.0}}),
            "p.toml: cannot set unknown parameter \"mas\"; did you mean \"mass\"?");
  EXPECT_EQ(error_of(good_model_with(0, ""), {{"x", 1.0}}), "p.toml: cannot set unknown parameter \"x\"");
  EXPECT_EQ(error_of(good_model_with(0, ""), {{"m", 1.0 / 0.0}}),
            "p.toml: cannot set parameter \"m\": not a finite number");
}

TEST(StrangeModel, DotsInStringsAndCommentsAreNoKeys) {
  std::string text = crane_text;
  text += "# " + repeated("a.", 100) + "\n";
  EXPECT_EQ(error_of(text), "accepted");
  EXPECT_EQ(error_of(model_with_kinetic(repeated("0.1*", 100) + "x'^2")), "accepted");
}

TEST(StrangeModel, HugeFormulasAreRead) {
  constexpr std::size_t many = hostile_size / 10;
  EXPECT_EQ(error_of(model_with_kinetic(repeated("(", many) + "x'^2" + repeated(")", many))), "accepted");
  EXPECT_EQ(error_of(model_with_kinetic("x'^2" + repeated("+x'^2", many))), "accepted");
  EXPECT_EQ(error_of(model_with_kinetic(repeated("sin(", many) + "x" + repeated(")", many) + "*x'^2")), "accepted");
}

}  // namespace
}  // namespace invar
