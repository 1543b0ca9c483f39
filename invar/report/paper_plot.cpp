// See paper_plot.h.
#include "invar/report/paper_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "invar/report/column_groups.h"
#include "invar/report/energy_balance.h"
#include "invar/report/panels.h"
#include "invar/report/plot.h"

namespace invar {

namespace {

// In this order; what else there is is in the table and in the report.
constexpr std::array<const char*, 8> groups = {"outputs", "inputs", "reactions", "coordinates",
                                               "errors",  "energy", "momentum",  "drift"};

struct Bunch {
  std::string unit;
  std::vector<std::string> columns;
};

// Columns of a group, those of one unit together.
std::vector<Bunch> bunches(const Problem& problem, const Trajectory& table, const std::string& group) {
  std::vector<Bunch> all;
  for (const std::string& column : table.columns) {
    if (shown_group(problem, column) != group || column == "energy.balance") continue;
    const std::string unit = unit_of(problem, column);
    auto same = std::find_if(all.begin(), all.end(), [&](const Bunch& b) { return b.unit == unit; });
    if (same == all.end()) same = all.insert(all.end(), {unit, {}});
    same->columns.push_back(column);
  }
  return all;
}

bool vanishes(const Trajectory& table, const std::vector<std::string>& columns) {
  for (const std::string& column : columns)
    for (const double x : table.column(column))
      if (std::isfinite(x) && x != 0.0) return false;
  return true;
}

}  // namespace

std::string paper_plot(const Problem& problem, const Summary& summary, const Trajectory& motion) {
  const Trajectory table = with_energy_balance(problem, motion, holds_inputs(summary));
  PlotOptions options;
  options.title = summary.name;
  for (const std::string group : groups) {
    for (const Bunch& bunch : bunches(problem, table, group))
      if (group != "drift" || !vanishes(table, bunch.columns))
        for (PlotPanel& panel : in_panels(bunch.columns, group, bunch.unit)) options.panels.push_back(std::move(panel));
    if (group == "energy" && table.find("energy.balance"))
      options.panels.push_back({"change of energy less work [J]", {"energy.balance"}});
  }
  return plot_svg(table, options);
}

}  // namespace invar
