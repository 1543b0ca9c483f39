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

// Coordinates without mass, and inertia of a difference of two coordinates, which outputs do not meet.
TEST(Project, LowersTheIndexWithASingularMassMatrix) {
  for (const test::ServoProblem& p : {test::rotary_crane_redundant(), test::navy_crane_planar()}) {
    EXPECT_EQ(projection_form(p.dae, p.guess), ProjectionForm::redundant);
    const ReducedDae r = project(p.dae, ProjectionForm::redundant, p.guess);
    ASSERT_TRUE(r.regular());
    EXPECT_EQ(r.dae.equations.size(), r.dae.unknowns.size());
    const Offsets after = offsets(signature(r.dae));
    ASSERT_TRUE(after.regular);
    EXPECT_LE(after.index, 3);
    EXPECT_EQ(after.degrees_of_freedom, 0);
  }
  EXPECT_EQ(projection_form(test::overhead_crane().dae, test::overhead_crane().guess), ProjectionForm::dependent);
}

TEST(Project, NeedsInertiaWhereOutputsArePrescribed) {
  test::ServoProblem p = test::navy_crane_planar();
  p.dae.equations.back().expr = at(p.dae.unknowns[3].variable) - 10.0;  // L0 has no mass
  EXPECT_EQ(
      message_of(p),
      "the projection method needs inertia where outputs are prescribed, but \"L0\" has none of its own; use method "
      "= \"minimal-extension\"");
  EXPECT_EQ(projection_form(p.dae, p.guess), ProjectionForm::dependent) << "constraints hold what has no inertia";
  EXPECT_TRUE(project(p.dae, ProjectionForm::dependent, p.guess).regular());
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
