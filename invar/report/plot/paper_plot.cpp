// See paper_plot.h.
#include "invar/report/plot/paper_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "invar/model/columns/column_groups.h"
#include "invar/record/column_places.h"
#include "invar/report/plot/panels.h"
#include "invar/report/plot/plot.h"
#include "invar/report/rows/energy_balance.h"

namespace invar {

namespace {

// In this order; what else there is is in the table and in the report.
constexpr std::array<const char*, 9> plotted = {"outputs", "inputs",      "reactions", "coordinates", "errors",
                                                "energy",  "hamiltonian", "momentum",  "drift"};

struct Bunch {
  std::string unit;
  std::vector<std::string> columns;
};

// Columns of a group, those of one unit together.
std::vector<Bunch> bunches(const ColumnGroups& groups, const Trajectory& table, const std::string& group) {
  std::vector<Bunch> all;
  for (const std::string& column : table.columns) {
    if (groups.shown(column) != group || column == "energy.balance") continue;
    const std::string unit = groups.unit_of(column);
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

// Columns that are held until the next row get a second row there.
Trajectory with_steps(const Trajectory& table, const std::vector<std::size_t>& held) {
  Trajectory result{table.columns, {}};
  result.reserve(2 * table.rows());
  for (std::size_t k = 0; k < table.rows(); ++k) {
    if (k > 0) {
      std::vector<double> end(table.row(k).begin(), table.row(k).end());
      for (const std::size_t c : held) end[c] = table.row(k - 1)[c];
      result.append(end);
    }
    result.append(table.row(k));
  }
  return result;
}

std::vector<std::size_t> held_columns(const ColumnGroups& groups, const Summary& summary, const Trajectory& table) {
  std::vector<std::size_t> held;
  for (std::size_t c = 0; c < table.columns.size() && holds_inputs(summary); ++c)
    if (const auto group = groups.shown(table.columns[c]); group == "inputs" || group == "hamiltonian")
      held.push_back(c);
  return held;
}

// What the outputs of a panel shall be, if the table has it for all of them.
std::vector<std::string> references(const ColumnPlaces& table, const std::vector<std::string>& columns) {
  std::vector<std::string> names;
  for (const std::string& column : columns)
    if (table.find("reference." + column)) names.push_back("reference." + column);
  return names.size() == columns.size() ? names : std::vector<std::string>();
}

}  // namespace

std::string paper_plot(const Problem& problem, const Summary& summary, const Trajectory& rows) {
  const ColumnGroups groups(problem);
  const std::vector<std::size_t> held = held_columns(groups, summary, rows);
  const Trajectory stepped = held.empty() ? Trajectory() : with_steps(rows, held);
  const Trajectory& table = held.empty() ? rows : stepped;
  const ColumnPlaces places(table.columns);
  PlotOptions options;
  options.title = summary.name;
  for (const std::string group : plotted) {
    for (const Bunch& bunch : bunches(groups, table, group)) {
      if (group == "drift" && vanishes(table, bunch.columns)) continue;
      for (PlotPanel& panel : in_panels(bunch.columns, group, bunch.unit)) {
        panel.references = references(places, panel.columns);
        options.panels.push_back(std::move(panel));
      }
    }
    if (group == "energy" && table.find("energy.balance"))
      options.panels.push_back({"energy change minus work [J]", {"energy.balance"}});
  }
  return plot_svg(table, options);
}

}  // namespace invar
