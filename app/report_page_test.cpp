// Laws of the report: nothing a user writes can become script, thinning keeps peaks, scenes show bodies where they are.
#include "invar/report/page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "invar/expr/error.h"
#include "invar/model/read.h"
#include "invar/report/scene.h"
#include "invar/report/template.h"
#include "invar/report/thin.h"
#include "invar/task/simulate.h"

namespace invar {
namespace {

constexpr const char* pendulum = R"(
name = "<title>"
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[[system.constraint]]
name = "</script><script>alert(1)</script>"
expr = "(x^2 + y^2 - 1)/2"
[initial]
x = 1.0
y = 0.0
[simulate]
until = 0.5
step = 0.01
)";

std::string page_of(const std::string& model) {
  const Problem p = read_problem_text(model, "p.toml");
  const Simulation run = simulate(p);
  return report_page({p, run.summary, run.trajectory, nullptr, model});
}

// The data of a page, as the browser would read it.
nlohmann::json data_of(const std::string& page) {
  const std::string_view whole = page_template();
  const std::size_t place = whole.find("__INVAR_DATA__");
  const std::size_t after = whole.size() - place - std::string_view("__INVAR_DATA__").size();
  return nlohmann::json::parse(page.substr(place, page.size() - place - after));
}

TEST(Page, NamesOfAModelStayText) {
  const std::string page = page_of(pendulum);
  const auto count = [](std::string_view text, std::string_view part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count(page, "<script"), count(page_template(), "<script"));
  EXPECT_EQ(count(page, "</script"), count(page_template(), "</script"));
  const nlohmann::json data = data_of(page);
  EXPECT_EQ(data["name"], "<title>");
  bool found = false;
  for (const auto& column : data["runs"][0]["columns"])
    found = found || column["name"] == "lambda.</script><script>alert(1)</script>";
  EXPECT_TRUE(found);
}

TEST(Page, TextThatIsNotUtf8DoesNotBreakIt) {
  const Problem p = read_problem_text(pendulum, "p.toml");
  const Simulation run = simulate(p);
  EXPECT_NO_THROW(report_page({p, run.summary, run.trajectory, nullptr, "\xff\xfe broken"}));
}

TEST(Thin, EveryPeakStays) {
  Trajectory table;
  table.columns = {"t", "a", "b"};
  for (int k = 0; k < 1000000; ++k) {
    const double row[] = {1e-3 * k, k == 123456 ? 7.0 : std::sin(1e-4 * k), k == 999998 ? -9.0 : 0.0};
    table.append(row);
  }
  const Trajectory thin = thinned(table, 2000);
  EXPECT_LE(thin.rows(), 2000u);
  const auto a = thin.column("a"), b = thin.column("b"), t = thin.column("t");
  EXPECT_EQ(*std::max_element(a.begin(), a.end()), 7.0);
  EXPECT_EQ(*std::min_element(b.begin(), b.end()), -9.0);
  EXPECT_TRUE(std::is_sorted(t.begin(), t.end()));
  EXPECT_EQ(t.front(), 0.0);
  EXPECT_EQ(t.back(), table.row(999999)[0]);
}

TEST(Scene, FormulasAreDrawnByTheNamesOfTheirCoordinates) {
  const Problem p = read_problem_text(pendulum, "p.toml");
  const Simulation run = simulate(p);
  const Scene scene = make_scene(p, run.trajectory);
  ASSERT_EQ(scene.items.size(), 3u);  // point, path, rod
  EXPECT_EQ(scene.dimension, 2);
  const SceneItem& rod = scene.items[2];
  ASSERT_EQ(rod.count, 2u);
  for (std::size_t k = 0; k < scene.time.size(); ++k)
    EXPECT_NEAR(std::hypot(rod.places[4 * k + 2], rod.places[4 * k + 3]), 1.0, 1e-10);
}

// Joints stay where the bodies hold them, in every formulation.
TEST(Scene, BodiesOfAChainHangTogether) {
  const std::string model = R"(
name = "chain"
[world]
dimension = 2
gravity = [0, -9.81]
[[body]]
name = "a"
mass = 1.0
inertia = 0.1
position = [0.5, 0]
[[body]]
name = "b"
mass = 1.0
inertia = 0.1
position = [1.5, 0]
[[joint]]
name = "one"
type = "revolute"
between = ["ground", "a"]
at = [0, 0]
[[joint]]
name = "two"
type = "revolute"
between = ["a", "b"]
at = [1, 0]
[simulate]
until = 0.5
step = 0.01
)";
  for (const char* formulation : {"director", "minimal"}) {
    const Problem p = read_problem_text(model, "p.toml", {}, formulation);
    const Scene scene = make_scene(p, simulate(p).trajectory);
    const SceneItem *joint = nullptr, *body = nullptr;
    for (const SceneItem& item : scene.items) {
      if (item.name == "two") joint = &item;
      if (item.kind == SceneItem::Kind::body && item.name == "b") body = &item;
    }
    ASSERT_TRUE(joint && body);
    for (std::size_t k = 0; k < scene.time.size(); ++k) {
      const double angle = body->details[k];
      EXPECT_NEAR(body->places[2 * k] - 0.5 * std::cos(angle), joint->places[2 * k], 1e-9);
      EXPECT_NEAR(body->places[2 * k + 1] - 0.5 * std::sin(angle), joint->places[2 * k + 1], 1e-9);
    }
  }
}

TEST(Comparison, RunsOfSeveralStepsHaveAConvergencePlot) {
  std::vector<StoredRun> runs;
  for (const double step : {0.04, 0.02, 0.01}) {
    Problem p = read_problem_text(pendulum, "p.toml");
    p.simulate.step = step;
    p.simulate.until = 0.4;
    const Simulation run = simulate(p);
    runs.push_back({std::to_string(step), to_json(run.summary), run.trajectory});
  }
  const nlohmann::json data = data_of(comparison_page(runs));
  EXPECT_EQ(data["runs"].size(), 3u);
  const auto& series = data["convergence"]["series"][0];
  ASSERT_EQ(series["x"].size(), 2u);
  EXPECT_GT(series["y"][1].get<double>(), series["y"][0].get<double>());
  runs[1].trajectory.columns.assign(runs[1].trajectory.columns.size(), "other");
  runs[1].trajectory.columns[0] = "t";
  EXPECT_THROW(comparison_page(runs), InputError);
}

}  // namespace
}  // namespace invar
