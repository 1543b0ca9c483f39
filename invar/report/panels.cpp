// Panels from the column names that an Observer gives: NAME, NAME', lambda.NAME, energy.*, momentum.*, drift.*.
#include "invar/report/panels.h"

#include <algorithm>
#include <cmath>

namespace invar {

namespace {

constexpr std::size_t curves_per_panel = 4;

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

// Panels of at most four, a new one where the body changes.
void add_chunks(const Trajectory& trajectory, const std::vector<std::string>& names, const std::string& title,
                std::vector<Panel>& panels) {
  for (std::size_t i = 0; i < names.size();) {
    std::size_t end = i + 1;
    while (end < names.size() && end - i < curves_per_panel && prefix(names[end]) == prefix(names[i])) ++end;
    const std::vector chunk(names.begin() + static_cast<std::ptrdiff_t>(i),
                            names.begin() + static_cast<std::ptrdiff_t>(end));
    panels.push_back(named_panel(trajectory, "", chunk));
    if (panels.back().title.empty()) panels.back().title = title;
    i = end;
  }
}

bool is_derived(const std::string& name) {
  return std::ranges::any_of(std::vector{"energy.", "momentum.", "angular_momentum.", "drift."},
                             [&](const char* start) { return name.starts_with(start); });
}

double largest(const std::vector<double>& y) {
  double most = 0.0;
  for (double value : y)
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  return most;
}

Curve change(const Trajectory& trajectory, const std::string& name, double scale) {
  Curve curve{name, name, trajectory.column(name)};
  const double start = curve.y.empty() ? 0.0 : curve.y.front();
  for (double& value : curve.y) value = (value - start) / scale;
  return curve;
}

void add_energies(const Trajectory& trajectory, std::vector<Panel>& panels) {
  for (const char* name : {"energy.kinetic", "energy.potential", "energy.total"})
    if (!trajectory.find(name)) return;
  panels.push_back(named_panel(trajectory, "energy", {"energy.kinetic", "energy.potential", "energy.total"}));
  const double scale = std::max(largest(panels.back().curves[0].y), largest(panels.back().curves[1].y));
  Curve drift = change(trajectory, "energy.total", scale > 0.0 ? scale : 1.0);
  // Inputs and friction change it by so much that the panel above tells all; what is left is how well a scheme keeps it.
  constexpr double visible = 0.1;
  if (largest(drift.y) > visible) return;
  drift.label = "total";
  panels.push_back({"relative change of energy", {drift}});
}

void add_invariants(const Trajectory& trajectory, const std::vector<std::string>& names, std::vector<Panel>& panels) {
  if (names.empty()) return;
  Panel panel{"change of invariants", {}};
  for (std::size_t i = 0; i < std::min(names.size(), curves_per_panel); ++i)
    panel.curves.push_back(change(trajectory, names[i], 1.0));
  shorten(panel, panel.title);
  panels.push_back(std::move(panel));
}

void add_drift(const Trajectory& trajectory, std::vector<Panel>& panels) {
  if (!trajectory.find("drift.position") || !trajectory.find("drift.velocity")) return;
  Panel panel = named_panel(trajectory, "constraint drift", {"drift.position", "drift.velocity"});
  if (largest(panel.curves[0].y) > 0.0 || largest(panel.curves[1].y) > 0.0) panels.push_back(std::move(panel));
}

}  // namespace

Panel named_panel(const Trajectory& trajectory, const std::string& title, const std::vector<std::string>& columns) {
  Panel panel{title, {}};
  for (const std::string& name : columns) panel.curves.push_back({name, name, trajectory.column(name)});
  if (!columns.empty()) shorten(panel, title);
  return panel;
}

std::vector<Panel> default_panels(const Trajectory& trajectory) {
  std::vector<std::string> coordinates, signals, invariants;
  bool after_energy = false;
  for (std::size_t j = 1; j < trajectory.columns.size(); ++j) {  // the first is the time
    const std::string& name = trajectory.columns[j];
    after_energy = after_energy || name == "energy.total";
    if (name.ends_with('\'') || name.starts_with("lambda.") || name.starts_with("energy.") ||
        name.starts_with("drift."))
      continue;
    if (trajectory.find(name + "'"))
      coordinates.push_back(name);
    else
      (after_energy || is_derived(name) ? invariants : signals).push_back(name);
  }
  std::vector<Panel> panels;
  add_chunks(trajectory, coordinates, "coordinates", panels);
  add_chunks(trajectory, signals, coordinates.empty() ? "" : "inputs and outputs", panels);
  add_energies(trajectory, panels);
  add_invariants(trajectory, invariants, panels);
  add_drift(trajectory, panels);
  return panels;
}

}  // namespace invar
