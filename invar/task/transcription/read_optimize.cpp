// [optimize]: where to, at what cost, within which limits.
#include <cmath>
#include <limits>

#include "invar/base/message.h"
#include "invar/model/file/read_kind.h"
#include "invar/model/file/reading.h"
#include "invar/task/run/read_scheme.h"
#include "invar/task/transcription/optimize_settings.h"

namespace invar::model {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string title(std::string_view key) { return "[optimize]: " + in_quotes(key); }

struct Bounds {
  double lower = -infinity, upper = infinity;
};

// { min = 0.5, max = 2 }, of which one may be missing.
Bounds read_min_max(const Reading& reading, const Value& value, const std::string& where) {
  Section section(reading.document, *value.as<Table>(), value.position, where);
  Bounds bounds;
  if (const Entry* min = section.find("min")) bounds.lower = read_number(reading, min->value, where + ": min");
  if (const Entry* max = section.find("max")) bounds.upper = read_number(reading, max->value, where + ": max");
  section.finish();
  if (bounds.lower == -infinity && bounds.upper == infinity) section.fail(value.position, "give min, max or both");
  return bounds;
}

// A pair [-1, 1], a table { min, max } or, where that makes sense, one number.
Bounds read_bounds(const Reading& reading, const Value& value, const std::string& where, bool number) {
  Bounds bounds;
  if (value.as<Table>() != nullptr) {
    bounds = read_min_max(reading, value, where);
  } else if (const Array* pair = value.as<Array>()) {
    if (pair->size() != 2) fail(reading.document, value.position, where + " must have two numbers: [least, most]");
    bounds = {read_number(reading, (*pair)[0], where), read_number(reading, (*pair)[1], where)};
  } else if (number) {
    bounds.lower = bounds.upper = read_number(reading, value, where);
  } else {
    fail(reading.document, value.position, where + " must be [least, most] or { min, max }");
  }
  if (bounds.lower > bounds.upper)
    fail(reading.document, value.position, where + ": the lower limit is above the upper one");
  return bounds;
}

// Coordinates, velocities (with a prime), outputs and, on the way, inputs, by name.
std::vector<Limit> read_limits(const Reading& reading, Section& top, const std::string& key, bool at_end) {
  std::vector<Limit> limits;
  auto table = top.table(key, "[optimize]: " + key);
  if (!table) return limits;
  const auto look_for = [&](const std::string& name, const Expr& formula) {
    const Entry* entry = table->find_name(name);
    if (!entry) return;
    const Bounds b = read_bounds(reading, entry->value, "[optimize]: " + key + ": " + in_quotes(name), at_end);
    limits.push_back({name, formula, b.lower, b.upper});
  };
  const System& system = reading.problem.system;
  for (const Variable& x : system.coordinates) look_for(x.name(), at(x));
  for (const Variable& x : system.coordinates) look_for(x.name() + "'", at(x, 1));
  for (const Quantity& y : system.outputs) look_for(y.name, y.expr);
  if (!at_end)
    for (const Input& input : system.inputs) look_for(input.name, at(input.value));
  table->finish(at_end ? "coordinate, velocity or output" : "coordinate, velocity, output or input");
  return limits;
}

// Formulas with limits: [{ expr = "x^2 + y^2", min = 1 }]. At the end, one without limits must be zero.
std::vector<Limit> read_formula_limits(const Reading& reading, Section& top, const std::string& key, bool at_end) {
  std::vector<Limit> limits;
  const Entry* entry = top.find(key);
  if (!entry) return limits;
  const Array* list = entry->value.as<Array>();
  if (list == nullptr) top.fail(entry->value.position, in_quotes(key) + " must be a list of { expr, min, max }");
  for (const Value& value : *list) {
    const Table* table = value.as<Table>();
    if (table == nullptr) top.fail(value.position, in_quotes(key) + " must be a list of { expr, min, max }");
    Section item(reading.document, *table, value.position, title(key));
    const std::string text = item.string("expr");
    const Expr formula = read_formula(reading, item.require("expr").value, title(key),
                                      {.order = 1, .inputs = !at_end, .multipliers = !at_end});
    Bounds b = at_end ? Bounds{0.0, 0.0} : Bounds{};
    if (item.find("min") || item.find("max")) {
      b = {};
      if (const Entry* min = item.find("min")) b.lower = read_number(reading, min->value, title(key) + ": min");
      if (const Entry* max = item.find("max")) b.upper = read_number(reading, max->value, title(key) + ": max");
    } else if (!at_end) {
      item.fail(value.position, "give min, max or both");
    }
    item.finish();
    if (b.lower > b.upper) item.fail(value.position, "the lower limit is above the upper one");
    limits.push_back({text, formula, b.lower, b.upper});
  }
  return limits;
}

void read_horizon(const Reading& reading, Section& section, OptimizeSettings& settings) {
  const Value& value = section.require("horizon").value;
  if (value.as<Table>() != nullptr) {
    const Bounds b = read_min_max(reading, value, title("horizon"));
    settings.shortest = b.lower;
    settings.longest = b.upper;
    settings.horizon = 0.5 * (b.lower + b.upper);
    return;
  }
  settings.horizon = settings.shortest = settings.longest = read_number(reading, value, title("horizon"));
}

}  // namespace

void read_optimize(Reading& reading, Section& top) {
  auto section = top.table("optimize", "[optimize]");
  if (!section) return;
  OptimizeSettings& settings = reading.problem.settings.of<OptimizeSettings>();
  read_horizon(reading, *section, settings);
  settings.intervals = read_count(reading, *section, "intervals", settings.intervals);
  settings.iterations = read_count(reading, *section, "iterations", settings.iterations);
  settings.refine = read_count(reading, *section, "refine", settings.refine);
  read_scheme(*section, "scheme", settings.scheme);
  read_kind(*section, "guess", guess_kinds, settings.guess);
  if (section->find("rest")) settings.rest = section->boolean("rest");
  if (const Entry* entry = section->find("tolerance"))
    settings.tolerance = read_number(reading, entry->value, title("tolerance"));
  read_kind(*section, "method", optimal_methods, settings.method);
  const Allowed on_the_way{.order = 1, .inputs = true};
  if (const Entry* cost = section->find("cost")) {
    const std::string* text = cost->value.as<std::string>();
    if (text != nullptr && *text == "time")
      settings.cost = Expr(1.0);
    else if (text == nullptr || *text != "effort")
      settings.cost = read_formula(reading, cost->value, title("cost"), on_the_way);
  }
  if (const Entry* cost = section->find("end_cost"))
    settings.end_cost = read_formula(reading, cost->value, title("end_cost"), {.order = 1});
  settings.final = read_limits(reading, *section, "final", true);
  for (const Limit& limit : read_formula_limits(reading, *section, "conditions", true)) settings.final.push_back(limit);
  settings.bounds = read_limits(reading, *section, "bounds", false);
  for (const Limit& limit : read_formula_limits(reading, *section, "path", false)) settings.bounds.push_back(limit);
  finish_settings(*section, settings);
}

}  // namespace invar::model
