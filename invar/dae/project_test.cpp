#include "invar/dae/project.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "invar/base/error.h"
#include "invar/dae/test_servo_cranes.h"

namespace invar {
namespace {

std::string message_of(const test::ServoProblem& p) {
  try {
    project(p.dae, ProjectionForm::redundant, p.guess);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Project, LowersTheIndexOfDependentCoordinatesFromFiveToThree) {
  for (const test::ServoProblem& p : {test::overhead_crane(), test::rotary_crane_dependent()}) {
    ASSERT_EQ(offsets(signature(p.dae)).index, 5);
    for (const ProjectionForm form : {ProjectionForm::redundant, ProjectionForm::dependent}) {
      const ReducedDae r = project(p.dae, form, p.guess);
      ASSERT_TRUE(r.regular());
      EXPECT_EQ(r.dae.equations.size(), r.dae.unknowns.size());
      const Offsets after = offsets(signature(r.dae));
      ASSERT_TRUE(after.regular);
      EXPECT_LE(after.index, 3);
      EXPECT_EQ(after.degrees_of_freedom, 0);
    }
  }
}

TEST(Project, NeedsARegularMassMatrix) {
  const std::string message = message_of(test::rotary_crane_redundant());
  EXPECT_NE(message.find("regular mass matrix"), std::string::npos) << message;
  EXPECT_NE(message_of(test::navy_crane_planar()).find("\"L0\""), std::string::npos);
}

TEST(Project, TakesOnlyOutputsOfCoordinates) {
  test::ServoProblem p = test::overhead_crane();
  p.dae.equations.back().expr += at(p.dae.unknowns.back().variable);
  EXPECT_NE(message_of(p).find("output \"load_z\""), std::string::npos) << message_of(p);
}

TEST(Project, NamesAnOutputThatRepeatsAnother) {
  test::ServoProblem p = test::overhead_crane();
  const std::size_t n = p.dae.equations.size();
  p.dae.equations[n - 1].expr = 2.0 * p.dae.equations[n - 2].expr;
  EXPECT_EQ(project(p.dae, ProjectionForm::redundant, p.guess).dependent,
            std::vector<std::string>{"output \"load_z\""});
}

}  // namespace
}  // namespace invar
