// Drawing of small multiples: two columns of panels that share the time axis, curves labelled at their ends.
#include "invar/report/plot/plot.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "invar/report/plot/axis.h"
#include "invar/report/plot/curve.h"
#include "invar/report/plot/svg_text.h"

namespace invar {

namespace {

// Distinguishable with every kind of colour vision [M. Okabe, K. Ito, Color Universal Design, 2008].
constexpr const char* palette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
constexpr const char* dashes[] = {"", "60 40", "15 30"};  // told apart once the colours repeat
constexpr const char* ink = "#222222";
constexpr const char* grey = "#6b6b6b";
constexpr const char* grid_colour = "#e6e6e6";

// All in pixels.
constexpr double picture_width = 1000.0;
constexpr double border = 18.0;
constexpr double title_height = 34.0;
constexpr double head = 34.0;  // of a panel, for its title
constexpr double foot = 26.0;  // for tick labels
constexpr double x_label_height = 18.0;
constexpr double font_size = 12.0;
constexpr double character_width = 6.6;  // of a sans-serif font at this size, on average and a little more
constexpr double line_distance = 14.0;
constexpr std::size_t longest_label = 20, longest_lone_label = 50, longest_title = 90, longest_name = 60;
constexpr std::size_t most_panels = 16, most_curves = 10;
constexpr std::size_t size_limit = 200'000;

std::string number(double value) {
  char buffer[32];
  value = std::round(value * 10.0) / 10.0;
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value == 0.0 ? 0.0 : value).ptr};
}

std::string text_at(double x, double y, const std::string& text, const std::string& attributes) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" " + attributes + ">" + escaped(text) + "</text>\n";
}

std::string line(double x0, double y0, double x1, double y1, const char* colour) {
  return "<path d=\"M" + number(x0) + " " + number(y0) + "L" + number(x1) + " " + number(y1) + "\" stroke=\"" + colour +
         "\"/>\n";
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(const std::vector<double>& values) {
    for (double v : values)
      if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  }
  bool empty() const { return low > high; }
  Axis axis(double padding, int ticks, bool decades) const {
    const double margin = padding * (high - low);
    return decades ? decades_axis(low - margin, high + margin, ticks) : nice_axis(low - margin, high + margin, ticks);
  }
};

struct Picture {
  std::string title, x_label;
  std::vector<double> x;
  std::vector<Panel> panels;
  std::size_t left_out = 0;
  bool log_x = false, log_y = false;  // x and curves then hold logarithms
  double panel_height = 0.0;
};

// Where the panels stand: all of one size, with room for the widest tick label and curve label.
struct Layout {
  std::size_t columns = 1, rows = 1;
  double top = border, left = 40.0, right = 40.0;
  double panel_height = 0.0;

  double cell_width() const { return (picture_width - 2.0 * border) / static_cast<double>(columns); }
  double cell_height() const { return head + panel_height + foot; }
  double height() const { return top + static_cast<double>(rows) * cell_height() + x_label_height + border; }
  PlotArea frame(std::size_t i) const {
    const auto column = static_cast<double>(i % columns), row = static_cast<double>(i / columns);
    return {border + column * cell_width() + left, top + row * cell_height() + head, cell_width() - left - right,
            panel_height};
  }
};

double width_of(const std::string& text) { return character_width * static_cast<double>(length(text)); }

Layout make_layout(const Picture& picture, const std::vector<Axis>& axes) {
  Layout layout;
  layout.panel_height = picture.panel_height;
  layout.columns = picture.panels.size() > 1 ? 2 : 1;
  layout.rows = (picture.panels.size() + layout.columns - 1) / layout.columns;
  if (!picture.title.empty()) layout.top += title_height;
  for (const Panel& panel : picture.panels)
    for (const Curve& c : panel.curves) layout.right = std::max(layout.right, width_of(c.label) + 24.0);
  for (const Axis& axis : axes)
    for (const std::string& label : axis.labels) layout.left = std::max(layout.left, width_of(label) + 14.0);
  return layout;
}

std::string draw_grid(const PlotArea& f, const Axis& x, const Axis& y) {
  std::string svg;
  for (std::size_t i = 0; i < x.ticks.size(); ++i) {
    const double place = f.x + f.width * x.fraction(x.ticks[i]);
    svg += line(place, f.y, place, f.y + f.height, grid_colour);
    svg +=
        text_at(place, f.y + f.height + 16.0, x.labels[i], "text-anchor=\"middle\" fill=\"" + std::string(grey) + "\"");
  }
  for (std::size_t i = 0; i < y.ticks.size(); ++i) {
    const double place = f.y + f.height * (1.0 - y.fraction(y.ticks[i]));
    svg += line(f.x, place, f.x + f.width, place, grid_colour);
    svg += text_at(f.x - 7.0, place + 4.0, y.labels[i], "text-anchor=\"end\" fill=\"" + std::string(grey) + "\"");
  }
  return svg + line(f.x, f.y + f.height, f.x + f.width, f.y + f.height, "#9a9a9a");
}

// The heights at which labels can stand without touching, each as near to its wish as order allows.
std::vector<double> spread(const std::vector<double>& wished, double top, double bottom) {
  std::vector<std::size_t> order(wished.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return wished[i]; });
  std::vector<double> result = wished;
  double free_from = top;
  for (std::size_t i : order) {
    result[i] = std::max(result[i], free_from);
    free_from = result[i] + line_distance;
  }
  double free_to = bottom;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    result[*i] = std::min(result[*i], free_to);
    free_to = result[*i] - line_distance;
  }
  return result;
}

// Where a curve ends, or the middle if it has no finite value.
double end_height(const Curve& curve, const Axis& axis, const PlotArea& f) {
  for (auto v = curve.y.rbegin(); v != curve.y.rend(); ++v)
    if (std::isfinite(*v)) return f.y + f.height * (1.0 - std::clamp(axis.fraction(*v), 0.0, 1.0));
  return f.y + 0.5 * f.height;
}

std::string draw_curve(const Curve& curve, std::size_t place, const std::string& path) {
  const std::size_t i = curve.reference_of.value_or(place);
  const std::string dash = curve.reference_of ? "50 40" : dashes[i / std::size(palette) % std::size(dashes)];
  return "<path stroke=\"" + std::string(palette[i % std::size(palette)]) + "\"" +
         (dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\"") + " d=\"" + path + "\"><title>" +
         escaped(shortened(curve.name, longest_name)) + "</title></path>\n";
}

std::string draw_curves(const Picture& picture, const Panel& panel, const PlotArea& f, const Axis& x, const Axis& y,
                        int buckets) {
  std::vector<std::string> drawn;
  std::vector<double> ends;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    drawn.push_back(draw_curve(panel.curves[i], i, curve_path(picture.x, panel.curves[i].y, x, y, f, buckets)));
    if (!panel.curves[i].reference_of) ends.push_back(end_height(panel.curves[i], y, f));
  }
  std::string labels;
  const std::vector<double> heights = spread(ends, f.y + 4.0, f.y + f.height - 4.0);
  for (std::size_t i = 0; i < ends.size(); ++i)
    labels += text_at(f.x + f.width + 8.0, heights[i] + 4.0, panel.curves[i].label,
                      "fill=\"" + std::string(palette[i % std::size(palette)]) + "\"");

  std::ranges::stable_sort(drawn, std::greater{}, &std::string::size);  // the busiest curve lies below the others
  std::string svg =
      "<g transform=\"scale(.1)\" fill=\"none\" stroke-width=\"17\" stroke-linejoin=\"round\" "
      "stroke-linecap=\"round\">\n";
  for (const std::string& curve : drawn) svg += curve;
  return svg + "</g>\n" + labels;
}

std::string draw_panel(const Picture& picture, const Panel& panel, const PlotArea& f, const Axis& x, const Axis& y,
                       int buckets) {
  std::string svg = "<text x=\"" + number(f.x) + "\" y=\"" + number(f.y - 10.0) + "\" font-weight=\"600\" fill=\"" +
                    ink + "\">" + escaped(panel.title);
  if (y.exponent != 0)
    svg += "<tspan dx=\"8\" font-weight=\"400\" fill=\"" + std::string(grey) + "\">" + power_of_ten(y.exponent) +
           "</tspan>";
  svg += "</text>\n" + draw_grid(f, x, y);
  Range drawn;
  for (const Curve& c : panel.curves) drawn.include(c.y);
  if (drawn.empty())
    return svg + text_at(f.x + 0.5 * f.width, f.y + 0.5 * f.height, "no data",
                         "text-anchor=\"middle\" fill=\"" + std::string(grey) + "\"");
  return svg + draw_curves(picture, panel, f, x, y, buckets);
}

std::string draw_head(const Picture& picture, const Layout& layout) {
  const std::string width = number(picture_width), height = number(layout.height());
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
                    "\" viewBox=\"0 0 " + width + " " + height + "\" role=\"img\" font-size=\"" + number(font_size) +
                    "\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n";
  if (!picture.title.empty()) svg += "<title>" + escaped(picture.title) + "</title>\n";
  svg += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  if (!picture.title.empty())
    svg += text_at(border + layout.left, border + 18.0, picture.title,
                   "font-size=\"18\" font-weight=\"600\" fill=\"" + std::string(ink) + "\"");
  return svg;
}

std::string draw(const Picture& picture, int buckets) {
  Range times;
  times.include(picture.x);
  const Axis x = times.axis(0.0, picture.panels.size() > 1 ? 5 : 10, picture.log_x);
  std::vector<Axis> axes;
  for (const Panel& panel : picture.panels) {
    Range range;
    for (const Curve& c : panel.curves) range.include(c.y);
    constexpr double padding = 0.05, tick_distance = 30.0;
    axes.push_back(range.axis(padding, static_cast<int>(picture.panel_height / tick_distance), picture.log_y));
  }
  const Layout layout = make_layout(picture, axes);
  std::string svg = draw_head(picture, layout);
  for (std::size_t i = 0; i < picture.panels.size(); ++i) {
    const PlotArea f = layout.frame(i);
    svg += draw_panel(picture, picture.panels[i], f, x, axes[i], buckets);
    if (i + layout.columns >= picture.panels.size())
      svg += text_at(f.x + 0.5 * f.width, f.y + f.height + 34.0,
                     picture.x_label + (x.exponent ? " " + power_of_ten(x.exponent) : ""),
                     "text-anchor=\"middle\" fill=\"" + std::string(grey) + "\"");
  }
  if (picture.left_out > 0)
    svg += text_at(border, layout.height() - 8.0, std::to_string(picture.left_out) + " more panels are not drawn",
                   "fill=\"" + std::string(grey) + "\"");
  return svg + "</svg>\n";
}

// Texts and numbers of curves within what a picture can hold.
void limit(Picture& picture) {
  picture.title = shortened(picture.title, longest_title);
  picture.x_label = shortened(picture.x_label, longest_name);
  for (Panel& panel : picture.panels) {
    panel.title = shortened(panel.title, longest_name);
    if (panel.curves.size() > most_curves) {
      panel.title += " (first " + std::to_string(most_curves) + " of " + std::to_string(panel.curves.size()) + ")";
      panel.curves.resize(most_curves);
    }
    const std::size_t longest = picture.panels.size() > 1 ? longest_label : longest_lone_label;
    for (Curve& c : panel.curves) c.label = shortened(c.label, longest);
  }
}

void take_logarithms(std::vector<double>& values) {
  for (double& v : values) v = v > 0.0 ? std::log10(v) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::string plot_svg(const Trajectory& trajectory, const PlotOptions& options) {
  Picture picture;
  picture.title = options.title;
  picture.x_label = options.x_label;
  if (!trajectory.columns.empty()) {
    const bool named = trajectory.find(options.x).has_value();
    picture.x = trajectory.column(named ? options.x : trajectory.columns.front());
    if (!named) picture.x_label = trajectory.columns.front();
  }
  std::vector<PlotPanel> panels = options.panels;
  if (panels.empty() && !trajectory.columns.empty())
    panels = in_panels({trajectory.columns.begin() + 1, trajectory.columns.end()});
  if (panels.size() > most_panels) {
    picture.left_out = panels.size() - most_panels;
    panels.resize(most_panels);
  }
  for (const PlotPanel& p : panels) {
    picture.panels.push_back(named_panel(trajectory, p.title, p.columns));
    for (std::size_t i = 0; i < p.references.size(); ++i)
      picture.panels.back().curves.push_back({p.references[i], {}, trajectory.column(p.references[i]), i});
  }
  picture.log_x = options.log_x;
  picture.log_y = options.log_y;
  picture.panel_height = options.panel_height;
  if (picture.log_x) take_logarithms(picture.x);
  if (picture.log_y)
    for (Panel& panel : picture.panels)
      for (Curve& c : panel.curves) take_logarithms(c.y);
  limit(picture);

  constexpr int finest = 960, coarsest = 15;  // about the pixels of a panel
  for (int buckets = finest;; buckets /= 2) {
    std::string svg = draw(picture, buckets);
    if (svg.size() <= size_limit || buckets <= coarsest) return svg;
  }
}

}  // namespace invar
