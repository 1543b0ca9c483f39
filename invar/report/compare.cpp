// Several runs side by side. See page.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "invar/expr/error.h"
#include "invar/report/column_groups.h"
#include "invar/report/page.h"
#include "invar/report/thin.h"

namespace invar {

namespace {

using Json = nlohmann::ordered_json;

struct Run {
  const StoredRun* stored;
  Json summary;
  double step = 0.0;
  std::string note;
};

std::string text(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

Run read(const StoredRun& stored) {
  Run run{&stored, Json::parse(stored.summary, nullptr, false), 0.0, {}};
  if (!run.summary.is_object()) throw InputError(stored.name + ": its summary.json cannot be read");
  if (run.summary.contains("step") && run.summary["step"].is_number()) run.step = run.summary["step"].get<double>();
  run.note = fmt::format("{}, {}, step {:.4g} s", text(run.summary, "task"), text(run.summary, "method"), run.step);
  return run;
}

// The columns that all runs have.
std::vector<std::string> common_columns(const std::vector<Run>& runs) {
  std::vector<std::string> common;
  for (const std::string& name : runs.front().stored->trajectory.columns)
    if (std::all_of(runs.begin(), runs.end(),
                    [&](const Run& r) { return r.stored->trajectory.find(name).has_value(); }))
      common.push_back(name);
  return common;
}

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double x : values) list.push_back(std::isfinite(x) ? Json(x) : Json());
  return list;
}

// The value of a column at t, between rows along a straight line.
double value_at(const Trajectory& table, std::size_t column, double t) {
  std::size_t low = 0, high = table.rows() - 1;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (table.row(middle)[0] <= t ? low : high) = middle;
  }
  const double t0 = table.row(low)[0], t1 = table.row(high)[0];
  const double s = t1 > t0 ? (t - t0) / (t1 - t0) : 0.0;
  return (1.0 - s) * table.row(low)[column] + s * table.row(high)[column];
}

// Largest difference of the coordinates to those of the finest run, at the times of the coarser one.
double difference(const Run& run, const Run& finest, const std::vector<std::string>& columns) {
  double most = 0.0;
  const Trajectory &a = run.stored->trajectory, &b = finest.stored->trajectory;
  for (const std::string& name : columns) {
    if (name == "t" || group_of(name) != "coordinates") continue;
    const std::size_t i = a.index(name), j = b.index(name);
    for (std::size_t k = 0; k < a.rows(); ++k) {
      const double t = a.row(k)[0], d = std::abs(a.row(k)[i] - value_at(b, j, t));
      if (std::isfinite(d) && t <= b.row(b.rows() - 1)[0]) most = std::max(most, d);
    }
  }
  return most;
}

Json convergence(const std::vector<Run>& runs, const std::vector<std::string>& columns) {
  std::map<std::string, std::vector<const Run*>> by_method;
  for (const Run& run : runs)
    if (run.step > 0.0) by_method[text(run.summary, "method")].push_back(&run);
  Json series = Json::array();
  const Run& finest =
      *std::min_element(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.step < b.step; });
  for (auto& [method, list] : by_method) {
    std::sort(list.begin(), list.end(), [](const Run* a, const Run* b) { return a->step < b->step; });
    std::vector<double> step, error;
    for (const Run* run : list)
      if (const double d = run == &finest ? 0.0 : difference(*run, finest, columns); d > 0.0) {
        step.push_back(run->step);
        error.push_back(d);
      }
    if (step.size() > 1) series.push_back({{"name", method}, {"x", numbers(step)}, {"y", numbers(error)}});
  }
  if (series.empty()) return {};
  return {{"x", "step [s]"}, {"y", "difference to the finest run"}, {"series", series}};
}

}  // namespace

std::string comparison_page(const std::vector<StoredRun>& stored) {
  std::vector<Run> runs;
  for (const StoredRun& s : stored) {
    if (s.trajectory.rows() < 2) throw InputError(s.name + ": has no motion to compare");
    runs.push_back(read(s));
  }
  const std::vector<std::string> columns = common_columns(runs);
  if (columns.size() < 2) throw InputError("these runs have no columns in common");
  Json report = {{"format", 1},
                 {"name", text(runs.front().summary, "name")},
                 {"task", "compare"},
                 {"verdict", fmt::format("{} runs with {} quantities in common.", runs.size(), columns.size() - 1)},
                 {"status", "complete"}};
  report["runs"] = Json::array();
  constexpr std::size_t most_numbers = 400000, most_rows = 2000;
  const std::size_t rows = std::min(most_rows, most_numbers / (columns.size() * runs.size()) + 100);
  for (const Run& run : runs) {
    const Trajectory table = thinned(run.stored->trajectory, rows);
    Json data = {{"name", run.stored->name}, {"note", run.note}, {"time", numbers(table.column("t"))}};
    data["columns"] = Json::array();
    for (const std::string& name : columns)
      if (name != "t")
        data["columns"].push_back({{"name", name}, {"group", group_of(name)}, {"values", numbers(table.column(name))}});
    report["runs"].push_back(std::move(data));
  }
  if (const Json c = convergence(runs, columns); !c.is_null()) report["convergence"] = c;
  return filled_template(report.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace invar
