// Laws of the report: nothing a user writes can become script, rows are those of the result, scenes show bodies where
// they are.
#include "invar/report/page/page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/report/page/packing.h"
#include "invar/report/page/template.h"
#include "invar/report/plot/convergence.h"
#include "invar/report/scene/make_scene.h"
#include "invar/report/scene/scene.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

constexpr const char* page_pendulum = R"(
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

// What stands in a page, as the browser would read it.
nlohmann::json data_of(const std::string& page) { return nlohmann::json::parse(data_of_page(page)); }

const nlohmann::json& named(const nlohmann::json& list, const std::string& name) {
  for (const nlohmann::json& item : list)
    if (item["name"] == name) return item;
  throw std::out_of_range(name);
}

std::vector<double> numbers_of(const nlohmann::json& values) {
  return values.is_array() ? values.get<std::vector<double>>() : unpacked(read_packed(values));
}

std::string page_of(const std::string& model) {
  const Problem p = read_problem_text(model, "p.toml");
  const Simulation run = simulate(p);
  return report_page({p, run.summary, run.trajectory, nullptr, model});
}

TEST(Page, NamesOfAModelStayText) {
  const std::string page = page_of(page_pendulum);
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
  const Problem p = read_problem_text(page_pendulum, "p.toml");
  const Simulation run = simulate(p);
  EXPECT_NO_THROW(report_page({p, run.summary, run.trajectory, nullptr, "\xff\xfe broken"}));
}

constexpr const char* cart = R"toml(
name = "cart"
[system]
coordinates = ["s", "phi"]
kinetic = "s'^2 + s'*phi'*cos(phi)/2 + phi'^2/8"
potential = "-9.81*cos(phi)/2"
[[system.input]]
name = "F"
force = { s = "1" }
[initial]
s = 0.0
phi = 0.3
[simulate]
until = 0.1
step = 0.01
[units]
m = ["s"]
rad = ["phi"]
N = ["F"]
)toml";

TEST(Units, ComeFromTheFileOrFromTheBodies) {
  const auto unit = [](const nlohmann::json& data, const std::string& name) {
    return named(data["runs"][0]["columns"], name).value("unit", "");
  };
  const auto data_for = [](const std::string& text) {
    const Problem p = read_problem_text(text, "p.toml");
    const Simulation run = simulate(p);
    return data_of(report_page({p, run.summary, run.trajectory, nullptr, {}}));
  };
  const nlohmann::json formulas = data_for(cart);
  EXPECT_EQ(unit(formulas, "s"), "m");
  EXPECT_EQ(unit(formulas, "s'"), "m/s");
  EXPECT_EQ(unit(formulas, "phi'"), "rad/s");
  EXPECT_EQ(unit(formulas, "F"), "N");
  EXPECT_EQ(unit(formulas, "energy.total"), "J");
  const nlohmann::json bodies = data_for(R"(
name = "arm"
[world]
dimension = 2
gravity = [0, -9.81]
[[body]]
name = "arm"
mass = 1.0
inertia = 0.1
position = [0.5, 0]
[[joint]]
name = "hinge"
type = "revolute"
between = ["ground", "arm"]
at = [0, 0]
coordinate = "phi"
[[actuator]]
name = "M"
on = "phi"
[simulate]
until = 0.1
step = 0.01
)");
  EXPECT_EQ(unit(bodies, "phi"), "rad");
  EXPECT_EQ(unit(bodies, "arm.x"), "m");
  EXPECT_EQ(unit(bodies, "arm.x'"), "m/s");
  EXPECT_EQ(unit(bodies, "M"), "N m");
}

TEST(Page, TellsARunThatStoppedFromOneThatFailedAtItsEnd) {
  const Problem p = read_problem_text(page_pendulum, "p.toml");
  Simulation run = simulate(p);
  run.summary.status = RunStatus::failed;
  run.summary.message = "it is wrong";
  const auto status = [&] {
    const nlohmann::json data = data_of(report_page({p, run.summary, run.trajectory, nullptr, {}}));
    EXPECT_EQ(data["message"], "it is wrong");
    return data["status"];
  };
  EXPECT_EQ(status(), "failed");
  run.trajectory.values.resize(run.trajectory.values.size() / 2);
  run.trajectory.values.resize(run.trajectory.values.size() / run.trajectory.columns.size() *
                               run.trajectory.columns.size());
  EXPECT_EQ(status(), "incomplete");
}

// What the page shows of a pendulum is the pendulum, at every length: rows that hold its constraint, and a scene from
// begin to end.
class LongMotion : public testing::TestWithParam<std::size_t> {};

TEST_P(LongMotion, IsShownByItsTrueRows) {
  constexpr double step = 1e-3;
  const std::size_t steps = GetParam();
  Problem p = read_problem_text(page_pendulum, "p.toml");
  p.settings.of<SimulateSettings>().step = step;
  p.settings.of<SimulateSettings>().until = step * static_cast<double>(steps);
  const Simulation run = simulate(p);
  ASSERT_EQ(run.trajectory.rows(), steps + 1);
  const std::string page = report_page({p, run.summary, run.trajectory, nullptr, {}});
  EXPECT_LT(page.size(), 5u << 20) << "small enough to be sent";
  const nlohmann::json data = data_of(page)["runs"][0];
  const std::vector<double> t = numbers_of(data["time"]), x = numbers_of(named(data["columns"], "x")["values"]),
                            y = numbers_of(named(data["columns"], "y")["values"]),
                            xp = numbers_of(named(data["columns"], "x'")["values"]),
                            yp = numbers_of(named(data["columns"], "y'")["values"]),
                            energy = numbers_of(named(data["columns"], "energy.total")["values"]);
  EXPECT_EQ(t.front(), 0.0);
  EXPECT_EQ(t.back(), run.trajectory.row(steps)[0]);
  constexpr double law = 1e-9;  // the scheme solves the constraint to 1e-12, and the energy is that of the row
  for (std::size_t k = 0; k < t.size(); ++k) {
    const auto row = run.trajectory.row(static_cast<std::size_t>(std::llround(t[k] / step)));
    ASSERT_EQ(row[0], t[k]) << "a row of the result";
    ASSERT_EQ(row[run.trajectory.index("x")], x[k]);
    ASSERT_LT(std::abs(x[k] * x[k] + y[k] * y[k] - 1.0), law) << steps << " steps, t = " << t[k];
    ASSERT_LT(std::abs((xp[k] * xp[k] + yp[k] * yp[k]) / 2 + 9.81 * y[k] - energy[k]), law) << t[k];
  }
  const std::vector<double> xs = run.trajectory.column("x");
  EXPECT_EQ(std::ranges::max(x), std::ranges::max(xs));
  EXPECT_EQ(std::ranges::min(x), std::ranges::min(xs));
  EXPECT_EQ(data.contains("rows"), t.size() < steps + 1);
  if (data.contains("rows")) {
    EXPECT_EQ(data["rows"]["shown"], t.size());
    EXPECT_EQ(data["rows"]["of"], steps + 1);
  }
  EXPECT_EQ(data.contains("even"), 2 * t.size() < steps + 1);
  if (data.contains("even")) {
    const auto even = [&](const std::string& name) {
      return numbers_of(named(data["even"]["columns"], name)["values"]);
    };
    const std::vector<double> et = numbers_of(data["even"]["time"]), ex = even("x"), ey = even("y"), ev = even("x'");
    EXPECT_GE(et.size(), 2 * t.size()) << "the zoom shows more";
    const double distance = (et.back() - et.front()) / static_cast<double>(et.size() - 1);
    for (std::size_t k = 0; k < et.size(); ++k) {
      const auto row = run.trajectory.row(static_cast<std::size_t>(std::llround(et[k] / step)));
      ASSERT_LT(std::abs(ex[k] * ex[k] + ey[k] * ey[k] - 1.0), law) << steps << " steps, t = " << et[k];
      ASSERT_LT(std::abs(ex[k] - row[run.trajectory.index("x")]), law) << "a row of the result";
      ASSERT_NEAR(et[k], static_cast<double>(k) * distance, 1e-6 * distance) << "at equal distances";
    }
    // Between them the cubic with their velocities is the motion, to what a screen cannot show.
    constexpr double unseen = 1e-5;
    for (std::size_t k = 0; k + 1 < et.size(); ++k) {
      const double middle = (ex[k] + ex[k + 1]) / 2 + distance * (ev[k] - ev[k + 1]) / 8;
      const auto row = static_cast<std::size_t>(std::llround((et[k] + et[k + 1]) / (2.0 * step)));
      const double odd = std::llround(distance / step) % 2 == 0 ? 0.0 : step * 4.5;  // it falls between two rows
      ASSERT_NEAR(middle, run.trajectory.row(row)[run.trajectory.index("x")], unseen + odd);
    }
  }
  const std::vector<double> frames = numbers_of(data["scene"]["time"]);
  EXPECT_EQ(frames.front(), 0.0);
  EXPECT_EQ(frames.back(), t.back()) << "the scene covers the whole time";
  const std::vector<double> bob = numbers_of(data["scene"]["items"][0]["position"]);
  constexpr double single = 1e-6;  // places of the scene are in single precision
  ASSERT_EQ(bob.size(), 2 * frames.size());
  for (std::size_t k = 0; k < frames.size(); ++k)
    ASSERT_NEAR(std::hypot(bob[2 * k], bob[2 * k + 1]), 1.0, single) << frames[k];
}

INSTANTIATE_TEST_SUITE_P(Page, LongMotion, testing::Values(10000u, 100000u, 1000000u));

TEST(Scene, FormulasAreDrawnByTheNamesOfTheirCoordinates) {
  const Problem p = read_problem_text(page_pendulum, "p.toml");
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

StoredRun stored(const std::string& name, const Problem& p) {
  const Simulation run = simulate(p);
  return {name, to_json(run.summary), run.trajectory, report_page({p, run.summary, run.trajectory, nullptr, {}})};
}

TEST(Comparison, RunsOfSeveralStepsHaveAConvergencePlot) {
  std::vector<StoredRun> runs;
  for (const double step : {0.08, 0.04, 0.02, 0.0025}) {
    Problem p = read_problem_text(page_pendulum, "p.toml");
    p.settings.of<SimulateSettings>().step = step;
    p.settings.of<SimulateSettings>().until = 0.4;
    runs.push_back(stored(std::to_string(step), p));
  }
  const nlohmann::json data = data_of(comparison_page(runs));
  EXPECT_EQ(data["runs"].size(), 4u);
  const auto& series = data["convergence"]["series"][0];
  ASSERT_EQ(series["x"].size(), 3u);
  EXPECT_GT(series["y"][1].get<double>(), series["y"][0].get<double>());
  EXPECT_EQ(series["order"], 2.0);  // of the energy-momentum scheme
  EXPECT_EQ(data["verdict"], "4 runs that differ in step, with 10 quantities in common.");
  runs[1].trajectory.columns.assign(runs[1].trajectory.columns.size(), "other");
  runs[1].trajectory.columns[0] = "t";
  EXPECT_THROW(comparison_page(runs), InputError);
}

// The table tells the runs apart; motions, units and references are those of their own reports.
TEST(Comparison, ShowsWhatDiffersAndEveryMotion) {
  const std::string model = std::string("[units]\nm = [\"x\", \"y\"]\n[parameters]\ng = 9.81\nunused = 1\n");
  std::string text = page_pendulum;
  text.replace(text.find("[system]"), 0, model);
  text.replace(text.find("9.81*y"), 6, "g*y");
  std::vector<StoredRun> runs;
  for (const double g : {9.81, 1.62})
    runs.push_back(stored(std::to_string(g), read_problem_text(text, "p.toml", {{"g", g}})));
  const nlohmann::json data = data_of(comparison_page(runs));
  const auto& columns = data["table"]["columns"];
  ASSERT_GE(columns.size(), 2u);
  EXPECT_EQ(columns[0], "run");
  EXPECT_EQ(columns[1], "g");
  EXPECT_EQ(columns[2], "difference to 9.810000");
  EXPECT_EQ(data["table"]["rows"][0][2], 0.0);
  EXPECT_GT(data["table"]["rows"][1][2], 0.01);
  EXPECT_EQ(std::count(columns.begin(), columns.end(), "unused"), 0);
  EXPECT_EQ(data["table"]["rows"][1][1], 1.62);
  for (const auto& run : data["runs"]) {
    EXPECT_EQ(run["scene"]["dimension"], 2);
    EXPECT_EQ(named(run["columns"], "x")["unit"], "m");
    EXPECT_EQ(named(run["columns"], "x'")["unit"], "m/s");
  }
  // A run without a report is compared by its table, and as the other's report describes it.
  runs[1].page.clear();
  const nlohmann::json bare = data_of(comparison_page(runs));
  EXPECT_TRUE(bare["runs"][0].contains("scene"));
  EXPECT_FALSE(bare["runs"][1].contains("scene"));
  EXPECT_EQ(named(bare["runs"][1]["columns"], "x")["unit"], "m");
  ASSERT_EQ(bare["warnings"].size(), 1u);
  EXPECT_EQ(numbers_of(named(bare["runs"][1]["columns"], "x")["values"]).size(), runs[1].trajectory.rows());
}

// Errors of a method of order p against its own finest run: C (hᵖ - rᵖ).
TEST(Comparison, TheOrderIsThatOfTheMethodNotOfTheDifference) {
  std::vector<Trajectory> motions;
  const std::vector<double> steps = {0.01, 0.02, 0.04, 0.08};
  for (const double h : steps) {
    Trajectory motion{{"t", "x", "x'", "F"}, {}};  // the input differs more, but is no coordinate
    for (int k = 0; k <= 10; ++k)
      motion.append(std::vector{0.1 * k, std::sin(0.1 * k) + 3.0 * h * h * h, std::cos(0.1 * k), 1e3 * h});
    motions.push_back(motion);
  }
  std::vector<SteppedRun> runs;
  for (std::size_t i = 0; i < steps.size(); ++i) runs.push_back({"cubic", steps[i], &motions[i]});
  const auto series = convergence(runs, {"t", "x", "F"});
  ASSERT_EQ(series.size(), 1u);
  EXPECT_EQ(series[0].step, (std::vector<double>{0.02, 0.04, 0.08}));
  EXPECT_NEAR(series[0].order, 3.0, 1e-6);
}

// A place of a body is a coordinate with directors and follows from joint angles in minimal coordinates: it is one
// quantity.
TEST(Comparison, FormulationsShareTheirPlots) {
  const std::string arm = R"(
name = "arm"
[world]
dimension = 2
gravity = [0, -9.81]
[[body]]
name = "arm"
mass = 1.0
inertia = 0.1
position = [0.5, 0]
[[joint]]
name = "hinge"
type = "revolute"
between = ["ground", "arm"]
at = [0, 0]
[simulate]
until = 0.1
step = 0.01
)";
  std::vector<StoredRun> runs;
  for (const char* formulation : {"director", "minimal"})
    runs.push_back(stored(formulation, read_problem_text(arm, "p.toml", {}, formulation)));
  const nlohmann::json data = data_of(comparison_page(runs));
  for (const auto& run : data["runs"]) EXPECT_EQ(named(run["columns"], "arm.x")["group"], "coordinates");
}

TEST(Comparison, AFailedRunIsMarked) {
  std::vector<StoredRun> runs = {stored("good", read_problem_text(page_pendulum, "p.toml")),
                                 stored("bad", read_problem_text(page_pendulum, "p.toml"))};
  Summary summary;
  summary.name = "pendulum";
  summary.status = RunStatus::failed;
  summary.message = "it broke";
  runs[1].summary = to_json(summary);
  const nlohmann::json data = data_of(comparison_page(runs));
  EXPECT_EQ(data["runs"][1]["incomplete"], "stopped at 0.5 s");
  EXPECT_FALSE(data["runs"][0].contains("incomplete"));
  EXPECT_EQ(data["warnings"][0], "bad is incomplete: it broke");
}

TEST(Comparison, PagesOfOthersAreLeftAside) {
  std::vector<StoredRun> runs = {stored("a", read_problem_text(page_pendulum, "p.toml")),
                                 stored("b", read_problem_text(page_pendulum, "p.toml"))};
  for (const char* page : {"<html>", "<script id=\"invar-data\" type=\"application/json\">{\"format\": 1}</script>",
                           "<script id=\"invar-data\" type=\"application/json\">[1, 2", "\xff"}) {
    runs[0].page = page;
    EXPECT_EQ(data_of(comparison_page(runs))["runs"].size(), 2u) << page;
  }
}

TEST(StoredRun, ItsReportIsMadeOnceMore) {
  StoredRun run = stored("a", read_problem_text(page_pendulum, "p.toml"));
  EXPECT_EQ(data_of(stored_page(run)), data_of(run.page));
  run.page.clear();
  const nlohmann::json data = data_of(stored_page(run));
  EXPECT_EQ(data["task"], "simulate");
  EXPECT_EQ(numbers_of(named(data["runs"][0]["columns"], "x")["values"]), run.trajectory.column("x"));
}

}  // namespace
}  // namespace invar
