// Several runs side by side. See page.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "invar/base/error.h"
#include "invar/model/columns/column_groups.h"
#include "invar/record/summary.h"
#include "invar/record/telling_rows.h"
#include "invar/report/page/page.h"
#include "invar/report/plot/convergence.h"

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

Json convergence_of(const std::vector<Run>& runs, const std::vector<std::string>& columns) {
  std::vector<SteppedRun> stepped;
  for (const Run& run : runs) stepped.push_back({text(run.summary, "method"), run.step, &run.stored->trajectory});
  Json list = Json::array();
  for (const ConvergenceSeries& s : convergence(stepped, columns)) {
    list.push_back({{"name", fmt::format("{}, order {:.1f}", s.method, s.order)},
                    {"x", numbers(s.step)},
                    {"y", numbers(s.error)}});
    if (std::round(s.order) >= 1.0) list.back()["order"] = std::round(s.order);
  }
  if (list.empty()) return {};
  return {{"x", "step [s]"}, {"y", "largest difference of the coordinates to the finest run"}, {"series", list}};
}

// ---- What tells the runs apart ----

struct Property {
  std::string label;
  std::vector<Json> values;  // of each run; null if it has none

  bool varies() const {
    return std::any_of(values.begin(), values.end(), [&](const Json& v) { return v != values.front(); });
  }
};

Json part(const Json& json, const std::string& key) {
  return json.is_object() && json.contains(key) ? json[key] : Json();
}

// Those of a list of values that are not the same in all runs.
template <class ValueIn>
void add_varying(const std::vector<Run>& runs, const std::string& label, const ValueIn& value_in,
                 std::vector<Property>& list) {
  Property p{label, {}};
  for (const Run& run : runs) p.values.push_back(value_in(run.summary));
  if (p.varies()) list.push_back(std::move(p));
}

std::vector<Property> differing_settings(const std::vector<Run>& runs) {
  static constexpr std::pair<const char*, const char*> keys[] = {
      {"name", "model"},     {"status", "status"},           {"task", "task"},
      {"method", "method"},  {"formulation", "formulation"}, {"step", "step [s]"},
      {"until", "until [s]"}};
  std::vector<Property> list;
  for (const auto& [key, label] : keys) add_varying(runs, label, [&](const Json& s) { return part(s, key); }, list);
  add_varying(runs, "optimisation", [](const Json& s) { return part(part(s, "optimization"), "method"); }, list);
  return list;
}

std::vector<Property> differing_parameters(const std::vector<Run>& runs) {
  std::set<std::string> names;
  for (const Run& run : runs) {
    const Json values = part(run.summary, "parameters");
    for (const auto& entry : values.items()) names.insert(entry.key());
  }
  std::vector<Property> list;
  for (const std::string& name : names)
    add_varying(runs, name, [&](const Json& s) { return part(part(s, "parameters"), name); }, list);
  return list;
}

// The figures of their reports, of those that have one.
std::vector<Property> figures_of(const std::vector<Run>& runs) {
  std::vector<Property> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Json figures = part(runs[i].page, "figures");
    for (const Json& figure : figures) {
      const std::string unit = text(figure, "unit"), label = text(figure, "label");
      const std::string name = unit.empty() ? label : fmt::format("{} [{}]", label, unit);
      auto p = std::find_if(all.begin(), all.end(), [&](const Property& other) { return other.label == name; });
      if (p == all.end()) p = all.insert(all.end(), {name, std::vector<Json>(runs.size())});
      p->values[i] = part(figure, "value");
    }
  }
  return all;
}

// How far the motions are from the first one.
Property differences(const std::vector<Run>& runs, const std::vector<std::string>& columns) {
  Property p{"difference to " + runs.front().stored->name, {}};
  for (const Run& run : runs)
    p.values.push_back(largest_difference(run.stored->trajectory, runs.front().stored->trajectory, columns));
  return p;
}

Json table_of(const std::vector<Run>& runs, const std::vector<Property>& shown) {
  Json table = {{"title", "Runs"}, {"columns", Json::array({"run"})}, {"rows", Json::array()}};
  for (const Property& p : shown) table["columns"].push_back(p.label);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Json row = Json::array({runs[i].stored->name});
    for (const Property& p : shown)
      row.push_back(p.values[i].is_number() || p.values[i].is_string() ? p.values[i] : Json());
    table["rows"].push_back(std::move(row));
  }
  return table;
}

std::string in_words(std::vector<std::string> list) {
  const std::string last = list.back();
  list.pop_back();
  return list.empty() ? last : fmt::format("{} and {}", fmt::join(list, ", "), last);
}

std::string verdict(std::size_t runs, const std::vector<Property>& differing, std::size_t quantities) {
  std::vector<std::string> labels;
  for (const Property& p : differing) labels.push_back(p.label.substr(0, p.label.find(" [")));
  return fmt::format("{} runs that differ in {}, with {} quantities in common.", runs,
                     labels.empty() ? "nothing but their numbers" : in_words(labels), quantities);
}

// The models, each once.
std::string headline(const std::vector<Run>& runs) {
  std::vector<std::string> names;
  for (const Run& run : runs)
    if (const std::string name = text(run.summary, "name"); std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  return in_words(names);
}

Json warnings_of(const std::vector<Run>& runs) {
  Json list = Json::array();
  for (const Run& run : runs) {
    if (text(run.summary, "status") != "done")
      list.push_back(fmt::format("{} is incomplete: {}", run.stored->name, text(run.summary, "message")));
    const Json own = part(run.summary, "warnings");
    for (const Json& warning : own)
      if (warning.is_string()) list.push_back(fmt::format("{}: {}", run.stored->name, warning.get<std::string>()));
    if (run.page.is_null())
      list.push_back(fmt::format("{} has no report of its own, and therefore no motion to show", run.stored->name));
  }
  return list;
}

// ---- One run ----

// A column as reports show it: group, unit, axis. By its name alone if there is no report; null if none of them shows
// it.
Json described(const std::vector<Run>& runs, const std::string& name) {
  Json found = {{"name", name}, {"group", group_of(name)}};
  for (const Run& run : runs) {
    if (run.page.is_null()) continue;
    found = Json();
    const Json columns = part(run.page["runs"][0], "columns");
    for (const Json& column : columns)
      if (text(column, "name") == name) found = column;
    if (!found.is_null()) break;
  }
  if (found.is_null()) return found;
  found.erase("values");
  found.erase("reference");
  found.erase("dotted");
  return found;
}

std::vector<std::size_t> places_of(const Trajectory& motion, const std::vector<std::string>& columns) {
  std::vector<std::size_t> places;
  for (const std::string& name : columns) places.push_back(motion.index(name));
  return places;
}

// Its part of the page: from its own report, which knows units, references and the scene, or from the table.
Json part_of(const Run& run, const std::vector<Run>& runs, const std::vector<std::string>& columns, std::size_t rows) {
  Json data = run.page.is_null() ? Json::object() : run.page["runs"][0];
  data["name"] = run.stored->name;
  data["note"] = fmt::format("{}, {}, step {:.4g} s", text(run.summary, "task"), text(run.summary, "method"), run.step);
  const Trajectory& motion = run.stored->trajectory;
  if (text(run.summary, "status") != "done")
    data["incomplete"] = text(run.page, "status") == "failed"
                             ? "failed"
                             : fmt::format("stopped at {:.4g} s", motion.row(motion.rows() - 1)[0]);
  if (!run.page.is_null()) return data;
  const std::vector<std::size_t> chosen = telling_rows(motion, places_of(motion, columns), rows);
  const Trajectory table = rows_of(motion, chosen);
  if (table.rows() < motion.rows()) data["rows"] = {{"shown", table.rows()}, {"of", motion.rows()}};
  data["time"] = numbers(table.column("t"));
  data["columns"] = Json::array();
  std::vector<bool> stepped(motion.columns.size());
  for (const std::string& name : columns)
    if (described(runs, name).contains("stepped")) stepped[motion.index(name)] = true;
  const std::vector<bool> lines = followed(motion, chosen, stepped);
  for (const std::string& name : columns) {
    Json column = described(runs, name);
    if (name == "t" || column.is_null()) continue;
    column["values"] = numbers(table.column(name));
    if (!lines[motion.index(name)]) column["dotted"] = true;
    data["columns"].push_back(std::move(column));
  }
  return data;
}

// Only columns that all runs show, each in the group that it has in the first: what is a coordinate in one formulation
// is a further quantity in another.
void keep_common(Json& runs) {
  std::map<std::string, std::size_t> uses;
  std::map<std::string, Json> group;
  for (const Json& run : runs)
    for (const Json& column : run["columns"]) {
      ++uses[text(column, "name")];
      group.try_emplace(text(column, "name"), part(column, "group"));
    }
  for (Json& run : runs) {
    Json kept = Json::array();
    for (Json& column : run["columns"])
      if (uses[text(column, "name")] == runs.size()) {
        column["group"] = group[text(column, "name")];
        kept.push_back(std::move(column));
      }
    run["columns"] = std::move(kept);
  }
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
  const std::vector<Property> settings = differing_settings(runs), parameters = differing_parameters(runs);
  std::vector<Property> differing = settings, shown = settings;
  differing.insert(differing.end(), parameters.begin(), parameters.end());
  constexpr std::size_t few = 4;  // more parameters stand behind the figures
  if (parameters.size() <= few) shown = differing;
  shown.push_back(differences(runs, columns));
  for (Property& figure : figures_of(runs)) shown.push_back(std::move(figure));
  if (parameters.size() > few) shown.insert(shown.end(), parameters.begin(), parameters.end());
  Json report = {{"format", 1},
                 {"name", headline(runs)},
                 {"task", "compare"},
                 {"verdict", verdict(runs.size(), differing, columns.size() - 1)},
                 {"status", "complete"},
                 {"warnings", warnings_of(runs)},
                 {"table", table_of(runs, shown)},
                 {"version", "invar " + program_version()}};
  report["runs"] = Json::array();
  constexpr std::size_t most_numbers = 400000, most_rows = 2000;
  const std::size_t rows = std::min(most_rows, most_numbers / (columns.size() * runs.size()) + 100);
  for (const Run& run : runs) report["runs"].push_back(part_of(run, runs, columns, rows));
  keep_common(report["runs"]);
  if (const Json c = convergence_of(runs, columns); !c.is_null()) report["convergence"] = c;
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
                 {"verdict", fmt::format("{} rows of {} quantities. The run wrote no report: run it again without "
                                         "--no-report for the motion, units and figures.",
                                         stored.trajectory.rows(), stored.trajectory.columns.size() - 1)},
                 {"status", complete ? "complete" : "incomplete"},
                 {"warnings", part(run.summary, "warnings")},
                 {"details", Json::array({{{"title", "summary.json"}, {"text", stored.summary}}})},
                 {"version", "invar " + program_version()}};
  if (!report["warnings"].is_array()) report["warnings"] = Json::array();
  if (!complete) report["message"] = text(run.summary, "message");
  constexpr std::size_t most_rows = 2000;
  report["runs"] = Json::array({part_of(run, {}, stored.trajectory.columns, most_rows)});
  report["runs"][0]["note"] = text(run.summary, "method");
  return filled_template(report.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace invar
