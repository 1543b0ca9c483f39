// See page.h. The data as viewer/README.md describes it.
#include "invar/report/page/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "invar/base/error.h"
#include "invar/model/columns/column_groups.h"
#include "invar/record/telling_rows.h"
#include "invar/report/page/even_data.h"
#include "invar/report/page/packing.h"
#include "invar/report/page/run_words.h"
#include "invar/report/page/template.h"
#include "invar/report/page/verdict_words.h"
#include "invar/report/rows/energy_balance.h"
#include "invar/report/scene/make_scene.h"
#include "invar/report/scene/scene.h"

namespace invar {

namespace {

using Json = nlohmann::ordered_json;

// Some rows of a table.
struct Shown {
  const Trajectory& all;
  std::vector<std::size_t> rows;
  std::size_t recorded;  // of which `all` may be a sample

  bool some() const { return rows.size() < recorded; }
};

Json columns_of(const ReportedRun& run, const Shown& shown) {
  const Trajectory table = rows_of(shown.all, shown.rows);
  Json columns = Json::array();
  const std::vector<double> time = table.column("t");
  const ColumnGroups groups(run.problem);
  std::vector<bool> stepped;
  for (const std::string& name : table.columns) {
    const std::string group = groups.shown(name).value_or("");
    stepped.push_back(group == "hamiltonian" || (group == "inputs" && holds_inputs(run.summary)));
  }
  const std::vector<bool> lines =
      shown.some() ? followed(shown.all, shown.rows, stepped) : std::vector<bool>(stepped.size(), true);
  for (std::size_t place = 0; place < table.columns.size(); ++place) {
    const std::string& name = table.columns[place];
    const std::optional<std::string> group = groups.shown(name);
    if (!group) continue;
    const std::vector<double> values = table.column(place);
    if (std::none_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) continue;
    Json column = {{"name", name}, {"group", *group}};
    if (const std::string unit = groups.unit_of(name); !unit.empty()) column["unit"] = unit;
    if (*group == "drift" && std::all_of(values.begin(), values.end(), [](double x) { return x == 0.0; })) continue;
    column["values"] = written<Json>(packed_double(values));
    if (*group == "drift") column["log"] = true;
    if (stepped[place]) column["stepped"] = true;
    if (!lines[place]) column["dotted"] = true;
    if (name == "energy.balance") column["panel"] = "Energy change minus work";
    if (const TimeFunction* path = path_of(run.problem, name); path != nullptr && *group == "outputs")
      column["reference"] = written<Json>(packed_double(values_at(*path, time)));
    columns.push_back(std::move(column));
  }
  return columns;
}

constexpr double fine = 0x1p-21;  // of the room that a motion takes, and of the size of what else is drawn

double size_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double x : values)
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  return largest;
}

// How finely numbers are told.
struct Scales {
  std::size_t frames;
  double place;

  explicit Scales(const Scene& scene) : frames(scene.time.size()) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const SceneItem& item : scene.items)
      for (const double x : item.places)
        if (std::isfinite(x)) least = std::min(least, x), most = std::max(most, x);
    place = most > least ? fine * (most - least) : 0.0;
  }

  // As differences if that is shorter; nothing is lost that could be seen.
  Json packed(const std::vector<double>& values, double quantum) const {
    const Packed plain = packed_float(values);
    if (frames < 2 || values.empty() || values.size() % frames != 0) return written<Json>(plain);
    const auto small = packed_smooth(values, values.size() / frames, quantum);
    return written<Json>(small && small->text.size() < plain.text.size() ? *small : plain);
  }
};

template <class Number>
std::vector<double> as_doubles(const std::vector<Number>& values) {
  return {values.begin(), values.end()};
}

Json json_of(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::box: return {{"box", shape.size}};
    case Shape::Kind::cylinder: return {{"cylinder", shape.size}};
    case Shape::Kind::sphere: return {{"sphere", shape.size.front()}};
    case Shape::Kind::mesh:
      return {{"mesh",
               {{"vertices", written<Json>(packed_float(as_doubles(shape.mesh->vertices)))},
                {"triangles", written<Json>(packed_float(as_doubles(shape.mesh->triangles)))}}}};
    default: return {};
  }
}

void add_member(const SceneMember& member, Json& json) {
  json["nodes"] = member.nodes;
  if (!member.radii.empty()) json["radii"] = member.radii;
  if (!member.sides.empty()) json["sides"] = member.sides;
  if (member.is_string) json["role"] = "string";
  if (member.forces.empty()) return;
  json["at"] = member.points;
  for (const SceneForce& force : member.forces)
    json["forces"].push_back({{"name", force.name},
                              {"unit", force.unit},
                              {"values", written<Json>(packed_float(force.values))},
                              {"low", written<Json>(packed_float(force.low))},
                              {"high", written<Json>(packed_float(force.high))}});
  if (const auto& colour = member.colour)
    json["colour"] = {{"title", colour->title},
                      {"unit", colour->unit},
                      {"forces", colour->forces},
                      {"signless", colour->signless},
                      {"range", {colour->low, colour->high}}};
}

Json json_of(const SceneItem& item, const Scales& scales) {
  static constexpr const char* kinds[] = {"body",  "point", "line",  "spring", "circle",
                                          "joint", "arrow", "trace", "member"};
  using enum SceneItem::Kind;
  Json json = {{"kind", kinds[static_cast<std::size_t>(item.kind)]}, {"name", item.name}};
  const bool route = item.kind == line || item.kind == spring || item.kind == trace || item.kind == member;
  json[route ? "points" : "position"] = scales.packed(item.places, scales.place);
  if (item.kind == line || item.kind == member) json["count"] = item.count;
  if (item.kind == member) add_member(item.member, json);
  if (item.kind == joint) json["type"] = item.role;
  if ((item.kind == line || item.kind == arrow) && !item.role.empty()) json["role"] = item.role;
  static constexpr const char* details[] = {"rotation", "", "", "", "radius", "axis", "vector", "reference", "normals"};
  if (!item.details.empty()) {
    const bool places = item.kind == trace;
    json[details[static_cast<std::size_t>(item.kind)]] =
        scales.packed(item.details, places ? scales.place : fine * size_of(item.details));
  }
  if (const Json shape = json_of(item.shape); !shape.is_null()) json["shape"] = shape;
  return json;
}

Json scene_data(const Scene& scene, const std::vector<double>& snapshots) {
  Json json = {{"dimension", scene.dimension}, {"up", scene.up}, {"time", written<Json>(packed_double(scene.time))}};
  if (scene.held) json["held"] = true;
  if (!snapshots.empty()) json["ghosts"] = snapshots;
  if (!scene.note.empty()) json["note"] = scene.note;
  for (const char letter : scene.axes) json["axes"].push_back(std::string(1, letter));
  json["items"] = Json::array();
  const Scales scales(scene);
  for (const SceneItem& item : scene.items) json["items"].push_back(json_of(item, scales));
  return json;
}

Json json_of(const ConvergencePlot& plot) {
  Json series = {{"name", plot.value_label}, {"x", plot.sizes}, {"y", plot.values}};
  if (plot.order) series["order"] = std::round(*plot.order);
  return {{"x", plot.size_label}, {"y", plot.value_label}, {"series", Json::array({series})}};
}

// Instants that all plots mark.
Json events_of(const Summary& s) {
  Json events = Json::array();
  const auto mark = [&](double t) { events.push_back({{"t", t}, {"label", "singular"}}); };
  for (const auto& c : s.structure.singular_configurations) mark(c.t);
  for (const auto& part : s.parts)
    for (const double t : part->marked_times()) mark(t);
  return events;
}

Json details_of(const ReportedRun& run) {
  const Summary& s = run.summary;
  Json rows = Json::array();
  const auto add = [&](const std::string& label, const std::string& value) {
    rows.push_back(Json::array({label, value}));
  };
  add("task", s.task);
  add("method", s.method);
  add("formulation", s.formulation);
  add("step", fmt::format("{:.6g} s", s.step));
  add("until", fmt::format("{:.6g} s", s.until));
  add("coordinates", std::to_string(s.counts.coordinates));
  add("constraints", std::to_string(s.counts.constraints));
  add("inputs", std::to_string(s.counts.inputs));
  add("mass matrix", s.structure.mass_matrix);
  for (const Summary::Change& c : s.initial_changes)
    add("start made consistent", fmt::format("{} = {:.9g} instead of {:.9g}", c.name, c.used, c.given));
  Json parameters = Json::array();
  for (const auto& [name, value] : s.parameters)
    parameters.push_back(Json::array({name, fmt::format("{:.10g}", value)}));
  Json details = Json::array({{{"title", "Settings"}, {"rows", rows}}});
  if (!parameters.empty()) details.push_back({{"title", "Parameters"}, {"rows", parameters}});
  for (const auto& part : s.parts)
    if (const auto chapter = part->chapter()) details.push_back({{"title", chapter->title}, {"text", chapter->text}});
  if (!run.model_text.empty()) details.push_back({{"title", "Model file"}, {"text", run.model_text}});
  details.push_back({{"title", "summary.json"}, {"text", to_json(s)}});
  return details;
}

// A run may come to its end and fail: its result is all there, and judged wrong.
std::string status_of(const Summary& s, const Trajectory& t) {
  if (s.status == RunStatus::done) return "complete";
  return s.status == RunStatus::failed && t.rows() > 0 && t.row(t.rows() - 1)[0] >= s.until ? "failed" : "incomplete";
}

std::vector<std::size_t> shown_places(const Problem& problem, const Trajectory& table) {
  std::vector<std::size_t> places;
  const ColumnGroups groups(problem);
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (groups.shown(table.columns[i])) places.push_back(i);
  return places;
}

// So many rows of the result that the page stays small enough to be sent to somebody.
Shown rows_shown(const ReportedRun& run, const Trajectory& table) {
  constexpr std::size_t numbers = 200000, most = 10000, least = 400;
  const std::vector<std::size_t> places = shown_places(run.problem, table);
  const std::size_t rows = std::clamp(numbers / std::max<std::size_t>(1, places.size()), least, most);
  std::vector<std::size_t> chosen = telling_rows(table, places, rows);
  const std::size_t recorded = std::max<std::size_t>(table.rows(), run.summary.rows);
  return {table, std::move(chosen), recorded};
}

// What the zoom shows of a long result: more rows than the plots of all of it have.
Json even_of(const ReportedRun& run, const Shown& shown) {
  const bool whole = run.trajectory.rows() == shown.recorded;
  if (!shown.some() || (run.even == nullptr && !whole)) return {};
  const auto even = even_data(run.problem, run.even ? *run.even : run.trajectory, 2 * shown.rows.size());
  if (!even) return {};
  Json columns = Json::array();
  for (const EvenData::Column& column : even->columns) {
    columns.push_back({{"name", column.name}, {"values", written<Json>(column.values)}});
    if (column.reference) columns.back()["reference"] = written<Json>(*column.reference);
  }
  return {{"time", written<Json>(even->time)}, {"columns", std::move(columns)}};
}

}  // namespace

std::string filled_template(const std::string& json) {
  const std::string_view page = page_template();
  constexpr std::string_view mark = "__INVAR_DATA__";
  const std::size_t place = page.find(mark);
  expects(place != std::string_view::npos, "the page has a place for the data");
  std::string text(page.substr(0, place));
  text.reserve(page.size() + json.size());
  for (std::size_t from = 0; from < json.size();) {
    const std::size_t next = std::min(json.find('<', from), json.size());
    text.append(json, from, next - from);
    if (next < json.size()) text += "\\u003c";
    from = next + 1;
  }
  return text.append(page.substr(place + mark.size()));
}

std::string_view data_of_page(std::string_view page) {
  constexpr std::string_view opening = "<script id=\"invar-data\" type=\"application/json\">";
  const std::size_t place = page.find(opening);
  if (place == std::string_view::npos) return {};
  const std::string_view data = page.substr(place + opening.size());
  return data.substr(0, data.find('<'));
}

std::string report_page(const ReportedRun& run) {
  Summary s = run.summary;
  if (s.units.empty()) s.units = named_units(run.problem);
  const Trajectory made =
      run.table ? Trajectory() : report_table(run.problem, run.summary, run.trajectory, run.costates);
  const Shown shown = rows_shown(run, run.table ? *run.table : made);
  Json report = {{"format", 1},
                 {"name", s.name},
                 {"task", s.task},
                 {"verdict", verdict_sentence(s, run.trajectory)},
                 {"status", status_of(s, run.trajectory)}};
  if (s.status != RunStatus::done) report["message"] = s.message;
  if (!run.documentation.empty()) report["documentation"] = run.documentation;
  report["said"] = run_in_words(s);
  report["warnings"] = s.warnings;
  report["figures"] = Json::array();
  for (const KeyFigure& f : key_figures(s))
    report["figures"].push_back({{"label", f.label}, {"value", f.value}, {"unit", f.unit}});
  Json data = {{"name", s.name}, {"note", s.method}};
  if (!shown.rows.empty()) {
    data["time"] = written<Json>(packed_double(rows_of(shown.all, shown.rows).column("t")));
    if (shown.some()) data["rows"] = {{"shown", shown.rows.size()}, {"of", shown.recorded}};
    data["columns"] = columns_of(run, shown);
    if (Json even = even_of(run, shown); !even.is_null()) data["even"] = std::move(even);
    if (const Scene scene =
            make_scene(run.problem, run.trajectory, {.times = run.snapshots, .recorded = shown.recorded});
        !scene.items.empty())
      data["scene"] = scene_data(scene, run.snapshots);
  }
  if (const Json events = events_of(s); !events.empty()) data["events"] = events;
  report["runs"] = Json::array({std::move(data)});
  for (const auto& part : s.parts)
    if (const auto plot = part->convergence()) report["convergence"] = json_of(*plot);
  report["details"] = details_of(run);
  report["version"] = "invar " + s.version;
  return filled_template(report.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace invar
