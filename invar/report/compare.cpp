// Several runs side by side. See page.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

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
  Json page;  // the data of its own report; null if it has none that can be read
  double step = 0.0;
};

std::string text(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

// The data in the page of a run. What is not as this version writes it counts as missing.
Json data_in(const std::string& page) {
  const std::string_view data = data_of_page(page);
  Json json = Json::parse(data.begin(), data.end(), nullptr, false);
  const bool usual = json.is_object() && json.value("format", Json()) == 1 && json.contains("runs") &&
                     json["runs"].is_array() && json["runs"].size() == 1 && json["runs"][0].is_object();
  return usual ? json : Json();
}

Run read(const StoredRun& stored) {
  Run run{&stored, Json::parse(stored.summary, nullptr, false), data_in(stored.page)};
  if (!run.summary.is_object()) throw InputError(stored.name + ": its summary.json cannot be read");
  if (run.summary.contains("step") && run.summary["step"].is_number()) run.step = run.summary["step"].get<double>();
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

// The slope of the error over the step in logarithms, where the steps are finest: coarse ones may not show it yet.
double observed_order(const std::vector<double>& step, const std::vector<double>& error) {
  return std::log(error[1] / error[0]) / std::log(step[1] / step[0]);
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
      if (const double d = run == &finest ? 0.0 : difference(*run, finest, columns);
          d > 0.0 && (step.empty() || run->step > step.back())) {
        step.push_back(run->step);
        error.push_back(d);
      }
    if (step.size() < 2) continue;
    const double order = observed_order(step, error);
    series.push_back(
        {{"name", fmt::format("{}, order {:.1f}", method, order)}, {"x", numbers(step)}, {"y", numbers(error)}});
    if (std::round(order) >= 1.0) series.back()["order"] = std::round(order);
  }
  if (series.empty()) return {};
  return {{"x", "step [s]"}, {"y", "difference to the finest run"}, {"series", series}};
}

// ---- What tells the runs apart ----

struct Property {
  std::string label;
  std::vector<Json> values;  // of each run; null if it has none

  bool varies() const {
    return std::any_of(values.begin(), values.end(), [&](const Json& v) { return v != values.front(); });
  }
};

std::vector<Property> settings_of(const std::vector<Run>& runs) {
  std::vector<Property> all;
  const auto add = [&](const std::string& label, const auto& value_in) {
    all.push_back({label, {}});
    for (const Run& run : runs) all.back().values.push_back(value_in(run.summary));
  };
  static constexpr std::pair<const char*, const char*> keys[] = {{"name", "model"},    {"task", "task"},
                                                                 {"method", "method"}, {"formulation", "formulation"},
                                                                 {"step", "step [s]"}, {"until", "until [s]"}};
  for (const auto& [key, label] : keys) add(label, [&](const Json& s) { return s.value(key, Json()); });
  std::set<std::string> parameters;
  for (const Run& run : runs)
    if (const Json list = run.summary.value("parameters", Json()); list.is_object())
      for (const auto& entry : list.items()) parameters.insert(entry.key());
  for (const std::string& name : parameters)
    add(name, [&](const Json& s) { return s.value("parameters", Json::object()).value(name, Json()); });
  return all;
}

// The figures that all their reports have.
std::vector<Property> figures_of(const std::vector<Run>& runs) {
  std::vector<Property> all;
  const Json none = Json::array();
  if (runs.front().page.is_null()) return all;
  for (const Json& figure : runs.front().page.value("figures", none)) {
    const std::string unit = text(figure, "unit");
    Property p{unit.empty() ? text(figure, "label") : fmt::format("{} [{}]", text(figure, "label"), unit), {}};
    for (const Run& run : runs)
      for (const Json& other : run.page.value("figures", none))
        if (text(other, "label") == text(figure, "label")) p.values.push_back(other.value("value", Json()));
    if (p.values.size() == runs.size()) all.push_back(std::move(p));
  }
  return all;
}

Json table_of(const std::vector<Run>& runs, const std::vector<Property>& differing) {
  std::vector<Property> shown = differing;
  for (Property& figure : figures_of(runs)) shown.push_back(std::move(figure));
  Json table = {{"title", "Runs"}, {"columns", {"run"}}, {"rows", Json::array()}};
  for (const Property& p : shown) table["columns"].push_back(p.label);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Json row = {runs[i].stored->name};
    for (const Property& p : shown)
      row.push_back(p.values[i].is_number() || p.values[i].is_string() ? p.values[i] : Json());
    table["rows"].push_back(std::move(row));
  }
  return table;
}

std::string verdict(std::size_t runs, const std::vector<Property>& differing, std::size_t quantities) {
  std::vector<std::string> labels;
  for (const Property& p : differing) labels.push_back(p.label.substr(0, p.label.find(" [")));
  std::string in = "nothing but their numbers";
  if (!labels.empty()) {
    const std::string last = labels.back();
    labels.pop_back();
    in = labels.empty() ? last : fmt::format("{} and {}", fmt::join(labels, ", "), last);
  }
  return fmt::format("{} runs that differ in {}, with {} quantities in common.", runs, in, quantities);
}

// ---- One run ----

// Its part of the page, with these columns: from its own report, which knows units, references and the scene, or from the table.
Json part_of(const Run& run, const std::vector<std::string>& columns, std::size_t rows) {
  const bool known = !run.page.is_null();
  Json part = known ? run.page["runs"][0] : Json::object();
  part["name"] = run.stored->name;
  part["note"] = fmt::format("{}, {}, step {:.4g} s", text(run.summary, "task"), text(run.summary, "method"), run.step);
  Json kept = Json::array();
  if (known) {
    for (const Json& column : part.value("columns", Json::array()))
      if (std::find(columns.begin(), columns.end(), text(column, "name")) != columns.end()) kept.push_back(column);
  } else {
    const Trajectory table = thinned(run.stored->trajectory, rows);
    part["time"] = numbers(table.column("t"));
    for (const std::string& name : columns)
      if (name != "t")
        kept.push_back({{"name", name}, {"group", group_of(name)}, {"values", numbers(table.column(name))}});
  }
  part["columns"] = std::move(kept);
  return part;
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
  // Groups and units of one run must not meet guesses from the table of another.
  if (std::any_of(runs.begin(), runs.end(), [](const Run& r) { return r.page.is_null(); }))
    for (Run& run : runs) run.page = Json();
  std::vector<Property> differing = settings_of(runs);
  std::erase_if(differing, [](const Property& p) { return !p.varies(); });
  Json report = {{"format", 1},          {"name", text(runs.front().summary, "name")},
                 {"task", "compare"},    {"verdict", verdict(runs.size(), differing, columns.size() - 1)},
                 {"status", "complete"}, {"table", table_of(runs, differing)}};
  report["runs"] = Json::array();
  constexpr std::size_t most_numbers = 400000, most_rows = 2000;
  const std::size_t rows = std::min(most_rows, most_numbers / (columns.size() * runs.size()) + 100);
  for (const Run& run : runs) report["runs"].push_back(part_of(run, columns, rows));
  if (const Json c = convergence(runs, columns); !c.is_null()) report["convergence"] = c;
  return filled_template(report.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string stored_page(const StoredRun& stored) {
  if (stored.trajectory.rows() == 0) throw InputError(stored.name + ": its result.csv has no rows");
  const Run run = read(stored);
  if (!run.page.is_null()) return filled_template(run.page.dump(-1, ' ', false, Json::error_handler_t::replace));
  const bool complete = text(run.summary, "status") == "done";
  Json report = {{"format", 1},
                 {"name", text(run.summary, "name")},
                 {"task", text(run.summary, "task")},
                 {"verdict", fmt::format("{} rows of {} quantities with {}.", stored.trajectory.rows(),
                                         stored.trajectory.columns.size() - 1, text(run.summary, "method"))},
                 {"status", complete ? "complete" : "incomplete"},
                 {"warnings", run.summary.value("warnings", Json::array())},
                 {"details", {{{"title", "summary.json"}, {"text", stored.summary}}}}};
  if (!complete) report["message"] = text(run.summary, "message");
  constexpr std::size_t most_rows = 2000;
  report["runs"] = {part_of(run, stored.trajectory.columns, most_rows)};
  return filled_template(report.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace invar
