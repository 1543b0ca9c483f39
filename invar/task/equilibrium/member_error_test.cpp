// Elements that are too coarse say by how much: against exact tips at rest, from coarse to fine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "invar/read/read_problem.h"
#include "invar/system/state_function.h"
#include "invar/task/equilibrium/equilibrium.h"
#include "invar/task/equilibrium/test_members.h"

namespace invar {
namespace {

struct Compared {
  double estimate, error;  // in lengths
};

// What the only member says of itself at rest, and how far its output "tip" is from where it should be.
Compared compared(const std::string& text, const Vector3& exact, double length) {
  const Problem problem = read_problem_text(text, "model.toml");
  const Outcome found = find_equilibrium(problem);
  EXPECT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  const System& system = problem.system;
  State state;
  for (const Variable& x : system.coordinates) state.q.push_back(found.trajectory.value(0, x.name()));
  for (const Constraint& c : system.constraints) state.lambda.push_back(found.trajectory.value(0, "lambda." + c.name));
  const Vector3 tip(found.trajectory.value(0, "tip.x"), found.trajectory.value(0, "tip.y"),
                    found.trajectory.value(0, "tip.z"));
  EXPECT_EQ(system.estimated.size(), 1u);
  const Estimated& e = system.estimated.front();
  return {e.value(StateFunction(system, e.needs)(state)) * length / 100.0, (tip - exact).norm()};
}

TEST(MemberError, EstimatesAreTheErrorsOfMembersAtRest) {
  struct Case {
    std::string name;
    double length;
    Vector3 exact;
    std::string (*model)(test::Mesh);
    std::vector<test::Mesh> meshes;
  };
  const std::vector<Case> cases = {
      {"roll-up", 10.0, Vector3::Zero(), test::roll_up, {{2, 16}, {2, 32}, {3, 4}, {3, 8}, {3, 16}}},
      {"bend", 78.54, {15.684800534, 47.1504385736, 53.4748587918}, test::bend, {{2, 8}, {2, 32}, {3, 4}, {3, 8}}},
      {"princeton",
       0.508,
       {0.477639117045, 0.156587347782, -0.0153415728278},
       test::princeton,
       {{2, 8}, {2, 16}, {3, 4}, {3, 8}}},
      {"heavy cantilever",
       2.0,
       {0.584598684537, 0.0, -1.78381354336},
       test::heavy_cantilever,
       {{2, 16}, {2, 32}, {3, 8}, {3, 16}}},
      {"elastic cable",
       2.0,
       {0.70077507983827, 0.0, -0.56137557707979},
       test::elastic_cable,
       {{2, 8}, {2, 16}, {3, 4}, {3, 8}, {3, 16}}},
      {"inextensible cable",
       2.0,
       {0.70272853091788, 0.0, -0.53807230454046},
       test::inextensible_cable,
       {{2, 8}, {2, 16}, {3, 4}, {3, 8}}},
  };
  for (const Case& c : cases)
    for (const test::Mesh& mesh : c.meshes) {
      const Compared found = compared(c.model(mesh), c.exact, c.length);
      SCOPED_TRACE(c.name + ", " + std::to_string(mesh.elements) + " of " + std::to_string(mesh.nodes));
      EXPECT_GT(found.estimate, 0.9 * found.error);  // linear in defects that may turn the end by half a radian
      EXPECT_LT(found.estimate,
                2.0 * found.error);  // of strings the error is known in the middle, not where it is largest
    }
}

// A run says so where the error is more than a hundredth of the length, and what to do.
TEST(MemberError, AMeshThatIsTooCoarseIsWarnedOf) {
  const auto warnings = [](test::Mesh mesh) {
    return find_equilibrium(read_problem_text(test::roll_up(mesh), "model.toml")).summary.warnings;
  };
  const auto told = [](const std::vector<std::string>& list, const std::string& words) {
    return std::ranges::any_of(list, [&](const std::string& w) { return w.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(told(warnings({2, 16}),
                   "beam \"beam\": its elements are too coarse for what it bears: with ever finer "
                   "ones it would stand elsewhere by about 12 % of its length; give it more "
                   "\"elements\", or element_nodes = 3"));
  EXPECT_FALSE(told(warnings({3, 8}), "too coarse"));
}

}  // namespace
}  // namespace invar
