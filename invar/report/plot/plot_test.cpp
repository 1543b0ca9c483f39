// The picture is well-formed, bounded in size, safe with any text, and shows what is asked for.
#include "invar/report/plot/plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "invar/base/error.h"
#include "invar/report/plot/panels.h"
#include "invar/report/plot/svg_text.h"

namespace invar {
namespace {

constexpr std::size_t size_limit = 200'000;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + part.size())) ++n;
  return n;
}

// Tags balance, and & starts an entity: enough of XML for what we write.
void expect_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t i = svg.find('<'); i != std::string::npos; i = svg.find('<', i + 1)) {
    const std::size_t end = svg.find('>', i);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = svg.substr(i + 1, end - i - 1);
    EXPECT_EQ(tag.find('<'), std::string::npos);
    const std::string name = tag.substr(0, tag.find_first_of(" "));
    if (tag.ends_with('/')) continue;
    if (!tag.starts_with('/')) {
      open.push_back(name);
      continue;
    }
    ASSERT_FALSE(open.empty());
    EXPECT_EQ(open.back(), name.substr(1));
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(count(svg, "&"),
            count(svg, "&amp;") + count(svg, "&lt;") + count(svg, "&gt;") + count(svg, "&quot;") + count(svg, "&#39;"));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find("script"), std::string::npos);
}

Trajectory swing() {
  Trajectory x{{"t", "s", "phi", "s'", "phi'", "lambda.rod", "F", "energy.kinetic", "energy.potential", "energy.total",
                "momentum.s", "drift.position", "drift.velocity"},
               {}};
  for (int i = 0; i <= 200; ++i) {
    const double t = 0.01 * i, c = std::cos(t) * std::cos(t);
    x.append(std::vector{t, std::sin(t), std::cos(t), std::cos(t), -std::sin(t), 1.0, 0.0, c, 1 - c, 1.0, 2.0,
                         1e-14 * i, 0.0});
  }
  return x;
}

using Names = std::vector<std::string>;

TEST(Plot, the_same_data_give_the_same_picture) {
  const std::string svg = plot_svg(swing(), {.title = "swing", .panels = {}});
  expect_well_formed(svg);
  EXPECT_EQ(svg, plot_svg(swing(), {.title = "swing", .panels = {}}));
  EXPECT_NE(svg.find(">swing</text>"), std::string::npos);
  EXPECT_NE(svg.find("×10⁻¹²"), std::string::npos);  // the drift
}

TEST(Plot, columns_of_one_body_share_a_panel_named_after_it) {
  const auto panels = in_panels({"a.x", "a.y", "a.z", "b.x", "b.y", "s", "phi", "u", "v", "w"}, "others", "m");
  Names titles;
  for (const PlotPanel& p : panels) titles.push_back(p.title);
  EXPECT_EQ(titles, (Names{"a [m]", "b [m]", "others [m]", "others [m]"}));
  EXPECT_EQ(panels[2].columns, (Names{"s", "phi", "u", "v"}));
  const Panel a = named_panel({{"t", "a.x", "a.y", "a.z"}, {}}, panels[0].title, panels[0].columns);
  EXPECT_EQ(a.curves[2].label, "z");
  EXPECT_EQ(a.curves[2].name, "a.z");
}

TEST(Plot, named_columns_and_a_name_that_is_wrong) {
  const std::string svg = plot_svg(swing(), {.title = {}, .panels = {{"tilt", {"phi", "phi'"}}}});
  EXPECT_EQ(count(svg, "<path stroke="), 2u);
  EXPECT_NE(svg.find("phi&#39;"), std::string::npos);
  EXPECT_THROW(plot_svg(swing(), {.title = {}, .panels = {{"tilt", {"fi"}}}}), InputError);
}

TEST(Plot, stays_small_whatever_the_data) {
  Trajectory x{{"t"}, {}};
  for (int j = 0; j < 100; ++j) x.columns.push_back("q" + std::to_string(j));
  for (int j = 0; j < 100; ++j) x.columns.push_back("q" + std::to_string(j) + "'");
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 2000; ++i) {
    const auto row = x.append();
    for (double& value : row) value = normal(random);
    row[0] = i;
  }
  const std::string svg = plot_svg(x);
  expect_well_formed(svg);
  EXPECT_LE(svg.size(), size_limit);
  EXPECT_NE(svg.find("34 more panels are not drawn"), std::string::npos);

  const PlotOptions many = {.title = std::string(5000, '<'), .panels = std::vector<PlotPanel>(40, {"all", x.columns})};
  EXPECT_LE(plot_svg(x, many).size(), size_limit);
}

TEST(Plot, hostile_text_stays_text) {
  const std::string bad = "\"></text><script>alert('x')</script>&\x01\xff";
  Trajectory x{{"t", bad, bad + "'"}, {0, 1, 2, 1, 1, 2}};
  std::string svg = plot_svg(x, {.title = bad, .panels = {{bad, {bad}}}});
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  for (std::size_t i; (i = svg.find("script")) != std::string::npos;) svg.erase(i, 6);  // as text it may stand
  expect_well_formed(svg);
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
  EXPECT_EQ(svg.find('\xff'), std::string::npos);
}

TEST(Plot, nothing_to_draw_is_no_crash) {
  expect_well_formed(plot_svg({}));
  expect_well_formed(plot_svg({{"t", "x"}, {}}));
  expect_well_formed(plot_svg({{"t", "x", "x'"}, {0, NAN, 1, 1, INFINITY, NAN}}));
  expect_well_formed(plot_svg({{"t", "x", "x'"}, {NAN, 1, 1}}));
  expect_well_formed(plot_svg({{"t", "x", "x'"}, {0, 1.7e308, 1, 1, -1.7e308, 2}}));
  expect_well_formed(plot_svg({{"t", "x", "x'"}, {0, 3, 1}}));
}

TEST(SvgText, utf8_is_kept_and_cut_at_characters) {
  EXPECT_EQ(escaped("φ₁ < 𝛼"), "φ₁ &lt; 𝛼");
  EXPECT_EQ(escaped("\xC0\x80|\xED\xA0\x80|\xE2\x82|\xF5"), "\uFFFD\uFFFD|\uFFFD\uFFFD\uFFFD|\uFFFD\uFFFD|\uFFFD");
  EXPECT_EQ(shortened("φφφφ", 4), "φφφφ");
  EXPECT_EQ(shortened("φφφφ", 3), "φφ…");
  EXPECT_EQ(length("φ₁"), 2u);
}

TEST(Plot, logarithmic_axes_make_a_power_law_a_straight_line) {
  Trajectory t{{"h", "error"}, {1e-3, 1e-6, 1e-2, 1e-4, 1e-1, 1e-2}};
  PlotOptions options{.title = "", .panels = {{"error", {"error"}}}, .x = "h", .x_label = "h [s]"};
  options.log_x = options.log_y = true;
  const std::string svg = plot_svg(t, options);
  expect_well_formed(svg);
  EXPECT_NE(svg.find(">10⁻³<"), std::string::npos);
  const std::size_t path = svg.find(" d=\"M", svg.find("scale(.1)"));
  ASSERT_NE(path, std::string::npos);
  const std::string data = svg.substr(path, svg.find("\">", path) - path);
  EXPECT_EQ(std::count_if(data.begin(), data.end(), [](char c) { return c == ' ' || c == '-'; }), 3) << data;
}

TEST(Plot, logarithmic_axes_leave_out_what_is_not_positive) {
  Trajectory t{{"h", "error"}, {0.0, 1.0, 1e-2, 0.0, 1e-1, -2.0, 1.0, 3.0}};
  PlotOptions options{.title = "", .panels = {{"error", {"error"}}}, .x = "h", .x_label = "h [s]"};
  options.log_x = options.log_y = true;
  expect_well_formed(plot_svg(t, options));
}

}  // namespace
}  // namespace invar
