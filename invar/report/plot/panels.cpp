// See panels.h.
#include "invar/report/plot/panels.h"

#include <algorithm>
#include <cmath>

namespace invar {

namespace {

std::string prefix(const std::string& name) { return name.substr(0, name.find_last_of('.') + 1); }

// A panel of several columns of one body, "load.x" and "load.y", is called after it and its labels are x and y.
void shorten(Panel& panel, const std::string& title) {
  const std::string common =
      panel.curves.front().name.find('.') == std::string::npos ? "" : prefix(panel.curves[0].name);
  const bool shared = !common.empty() && panel.curves.size() > 1 &&
                      std::ranges::all_of(panel.curves, [&](const Curve& c) { return prefix(c.name) == common; });
  for (Curve& c : panel.curves) c.label = shared ? c.name.substr(common.size()) : c.name;
  panel.title = !title.empty() || !shared ? title : common.substr(0, common.size() - 1);
}

}  // namespace

Panel named_panel(const Trajectory& trajectory, const std::string& title, const std::vector<std::string>& columns) {
  Panel panel{title, {}};
  for (const std::string& name : columns) panel.curves.push_back({name, name, trajectory.column(name)});
  if (!columns.empty()) shorten(panel, title);
  return panel;
}

std::vector<PlotPanel> in_panels(const std::vector<std::string>& columns, const std::string& title,
                                 const std::string& unit) {
  constexpr std::size_t most = 4;
  std::vector<PlotPanel> panels;
  for (std::size_t i = 0; i < columns.size();) {
    std::size_t end = i + 1;
    while (end < columns.size() && end - i < most && prefix(columns[end]) == prefix(columns[i])) ++end;
    const std::string body = prefix(columns[i]);
    const std::string name = end - i > 1 && !body.empty() ? body.substr(0, body.size() - 1) : title;
    panels.push_back(
        {unit.empty() ? name : name + " [" + unit + "]",
         {columns.begin() + static_cast<std::ptrdiff_t>(i), columns.begin() + static_cast<std::ptrdiff_t>(end)}});
    i = end;
  }
  return panels;
}

}  // namespace invar
