// Laws of how beams and strings are shown: where their nodes are, what they bear, which of their columns are plotted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "invar/model/columns/column_groups.h"
#include "invar/read/read_problem.h"
#include "invar/report/page/page.h"
#include "invar/report/scene/make_scene.h"
#include "invar/report/scene/snapshots.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

constexpr double rounding = 1e-12;  // of places and directions of size 1

// A string that cannot be stretched hangs straight down with a weight: each section bears what is below it.
constexpr const char* plumb = R"toml(
name = "plumb"
[world]
gravity = [0, 0, -10]
[[point]]
name = "weight"
mass = 2.0
position = [0, 0, -3]
[[string]]
name = "line"
points = [[0, 0, 0], [0, 0, -3]]
elements = 6
mass_per_length = 0.5
inextensible = true
from = "ground"
to = "weight"
[simulate]
until = 0.02
step = 0.01
)toml";

// A ribbon turned by a quarter along its length, at rest without loads, and a bar of given stiffness in front of it.
constexpr const char* ribbon = R"toml(
name = "ribbon"
[[beam]]
name = "ribbon"
points = [[0, 0, 0], [1, 0, 0]]
normal = [0, 0, 1]
twist = "pi/2*s"
elements = 2
section = { rectangle = [0.08, 0.01] }
material = { E = 2e7, nu = 0.3, density = 1200 }
from = "ground"
[[beam]]
name = "bar"
points = [[0, 1, 0], [1, 1, 0]]
normal = [0, 0, 1]
elements = 2
EA = 1e3
GA = 1e3
EI = 1
GJ = 1
mass_per_length = 1
velocity = [0, 0, 1]
[[output]]
name = "end"
point = { on = "ribbon", s = 1 }
[simulate]
until = 0.02
step = 0.01
)toml";

struct ShownModel {
  Problem problem;
  Trajectory motion;
  Scene scene;

  explicit ShownModel(const char* text)
      : problem(read_problem_text(text, "m.toml")),
        motion(simulate(problem).trajectory),
        scene(make_scene(problem, motion)) {}
  const SceneItem& item(const std::string& name) const {
    return *std::ranges::find(scene.items, name, &SceneItem::name);
  }
};

TEST(MembersInScenes, AStringShowsTheWeightBelowEachSection) {
  const ShownModel shown(plumb);
  const SceneItem& line = shown.item("line");
  ASSERT_EQ(line.kind, SceneItem::Kind::member);
  const SceneMember& m = line.member;
  EXPECT_TRUE(m.is_string);
  ASSERT_EQ(m.forces.size(), 1u);
  const std::size_t frames = shown.scene.time.size(), count = m.points.size();
  ASSERT_EQ(m.forces[0].values.size(), frames * count);
  // A tension that is linear along an element is exact at two Gauss points, up to where Newton's method stops.
  constexpr double solved = 1e-8;
  for (std::size_t i = 0; i < count; ++i) {
    const double below = 10.0 * (2.0 + 0.5 * (3.0 - m.points[i]));
    EXPECT_NEAR(m.forces[0].values[(frames - 1) * count + i], below, solved * below);
    EXPECT_LE(m.forces[0].low[i], m.forces[0].values[i]);
    EXPECT_GE(m.forces[0].high[i], m.forces[0].values[i]);
  }
  ASSERT_TRUE(m.colour);
  EXPECT_EQ(m.colour->title, "tension");
  EXPECT_EQ(m.colour->low, *std::ranges::min_element(m.forces[0].low));
  EXPECT_EQ(m.colour->high, *std::ranges::max_element(m.forces[0].high));
}

TEST(MembersInScenes, NodesAreNoBodiesOfThePicture) {
  const ShownModel shown(plumb);
  EXPECT_EQ(std::ranges::count(shown.scene.items, SceneItem::Kind::point, &SceneItem::kind), 1);
  EXPECT_EQ(shown.item("weight").kind, SceneItem::Kind::point);
}

TEST(MembersInScenes, ARectangleTurnsWithItsDirectors) {
  const ShownModel shown(ribbon);
  const SceneItem& item = shown.item("ribbon");
  EXPECT_EQ(item.member.sides, (std::vector<double>{0.08, 0.01}));
  EXPECT_TRUE(item.member.radii.empty());
  for (std::size_t n = 0; n < item.count; ++n) {
    const double s = item.member.nodes[n], angle = M_PI / 2.0 * s;
    EXPECT_NEAR(item.places[3 * n], s, rounding);
    const double* d1 = &item.details[3 * n];
    EXPECT_NEAR(d1[0], 0.0, rounding);
    EXPECT_NEAR(std::abs(d1[1]), std::sin(angle), rounding);
    EXPECT_NEAR(d1[2], std::cos(angle), rounding);
  }
}

TEST(MembersInScenes, GivenByStiffnessItHasNoSection) {
  const ShownModel shown(ribbon);
  const SceneItem& bar = shown.item("bar");
  EXPECT_TRUE(bar.member.sides.empty() && bar.member.radii.empty() && bar.details.empty());
  EXPECT_FALSE(bar.member.is_string);
  ASSERT_TRUE(bar.member.colour && shown.item("ribbon").member.colour);
  EXPECT_EQ(bar.member.colour->forces, (std::vector<std::string>{"M1", "M2"}));
  EXPECT_EQ(bar.member.colour->high, shown.item("ribbon").member.colour->high) << "one range for one quantity";
}

TEST(MembersInScenes, TheirColumnsAreLeftToTheDiagrams) {
  const ShownModel shown(ribbon);
  const ColumnGroups groups(shown.problem);
  for (const std::string column : {"ribbon.n1.x", "ribbon.n1.d2.y", "ribbon.n1.x'", "lambda.ribbon.n1.right12",
                                   "ribbon.3.M1", "bar.1.N", "lambda.ribbon.2.Q1"})
    EXPECT_FALSE(groups.shown(column)) << column;
  EXPECT_EQ(groups.shown("end.x"), "outputs");
  EXPECT_EQ(groups.shown("energy.total"), "energy");
  EXPECT_EQ(groups.shown("ribbon.3.M9"), "Further quantities");
  EXPECT_EQ(groups.unit_of("ribbon.3.M1"), "N m");
  EXPECT_EQ(groups.unit_of("bar.1.Q2"), "N");
}

TEST(MembersInScenes, StillPicturesTellTheRangeOfTheirColours) {
  const ShownModel shown(plumb);
  const std::string svg = snapshots_svg(shown.scene);
  EXPECT_NE(svg.find("tension [N]"), std::string::npos);
  EXPECT_NE(svg.find("#b3202e"), std::string::npos) << "where it bears most";
}

TEST(MembersInScenes, ThePageHasThemWithWhatTheyBear) {
  const ShownModel shown(ribbon);
  const Simulation run = simulate(shown.problem);
  const std::string page = report_page({shown.problem, run.summary, run.trajectory, nullptr, ""});
  const std::string_view data = data_of_page(page);
  EXPECT_NE(data.find(R"("kind":"member","name":"ribbon")"), data.npos);
  EXPECT_NE(data.find(R"("sides":[0.08,0.01])"), data.npos);
  EXPECT_EQ(data.find(R"("name":"ribbon.1.N")"), data.npos) << "no plot of its own";
}

}  // namespace
}  // namespace invar
