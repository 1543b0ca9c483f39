// See formula_scene.h.
#include "invar/report/scene/formula_scene.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"
#include "invar/model/columns/column_groups.h"
#include "invar/system/state_function.h"

namespace invar {

namespace {

// The letter x, y or z in a name that tells an axis, as in x1, load_z or p.x; nothing if there is none.
std::optional<std::size_t> axis_letter(const std::string& name) {
  const auto letter = [&](std::size_t i) {
    const bool alone_before = i == 0 || name[i - 1] == '_' || name[i - 1] == '.';
    const bool alone_after = i + 1 == name.size() || name[i + 1] == '_' || (name[i + 1] >= '0' && name[i + 1] <= '9');
    return (name[i] == 'x' || name[i] == 'y' || name[i] == 'z') && alone_before && alone_after;
  };
  for (std::size_t i = 0; i < name.size(); ++i)
    if (letter(i)) return i;
  return std::nullopt;
}

using Axes = std::map<char, Expr>;
struct Named {
  std::string name;
  Axes axes;
};

// Quantities that differ in an axis only are a place.
std::vector<Named> places_among(const std::vector<Quantity>& quantities) {
  std::vector<Named> places;
  for (const Quantity& q : quantities) {
    const auto i = axis_letter(q.name);
    if (!i) continue;
    std::string stem = q.name;
    stem.erase(*i, 1);
    auto found = std::find_if(places.begin(), places.end(), [&](const Named& p) { return p.name == stem; });
    if (found == places.end()) found = places.insert(places.end(), {stem, {}});
    found->axes.emplace(q.name[*i], q.expr);
  }
  std::erase_if(places, [](const Named& p) { return p.axes.size() < 2; });
  return places;
}

// What the names suggest; `schematic` if they suggest nothing.
std::vector<Drawn> suggested(const System& system, bool& schematic) {
  std::vector<Quantity> quantities;
  const Exprs q = positions(system);
  for (std::size_t i = 0; i < q.size(); ++i) quantities.push_back({system.coordinates[i].name(), q[i]});
  std::vector<Named> places = places_among(quantities);
  for (Named& p : places_among(system.outputs))
    if (std::none_of(places.begin(), places.end(), [&](const Named& other) { return other.axes == p.axes; }))
      places.push_back(std::move(p));
  std::map<char, int> used;
  for (const Named& p : places)
    for (const auto& [axis, expr] : p.axes) ++used[axis];
  const bool spatial = used.size() == 3;
  std::vector<Drawn> drawing;
  std::vector<Exprs> at;
  for (const Named& p : places) {
    Exprs place;
    for (const auto& [axis, count] : used) {
      const auto own = p.axes.find(axis);
      place.push_back(own == p.axes.end() ? Expr(0.0) : own->second);
    }
    if (place.size() != (spatial ? 3u : 2u)) continue;
    drawing.push_back({p.name, Drawn::Kind::point, {place}});
    drawing.push_back({p.name, Drawn::Kind::trace, {place}});
    at.push_back(place);
  }
  for (const Constraint& c : system.constraints) {
    std::vector<Exprs> ends;
    for (const Exprs& place : at)
      if (depends(c.expr, place)) ends.push_back(place);
    if (ends.size() == 1) ends.insert(ends.begin(), Exprs(ends.front().size(), 0.0));
    if (ends.size() == 2) drawing.push_back({c.name, Drawn::Kind::line, ends});
  }
  schematic = drawing.empty();
  if (!schematic) return drawing;
  // Nothing looks like a place: each coordinate moves on a line of its own.
  for (std::size_t i = 0; i < q.size(); ++i)
    drawing.push_back({system.coordinates[i].name(), Drawn::Kind::point, {{q[i], -static_cast<double>(i)}}});
  return drawing;
}

SceneItem item_for(const Drawn& drawn) {
  using enum Drawn::Kind;
  SceneItem item{.kind = SceneItem::Kind::line, .name = drawn.name, .role = {}, .count = drawn.places.size()};
  switch (drawn.kind) {
    case point: item.kind = SceneItem::Kind::point; break;
    case trace: item.kind = SceneItem::Kind::trace; break;
    case circle: item.kind = SceneItem::Kind::circle; break;
    case spring: item.kind = SceneItem::Kind::spring; break;
    case box:
      item.kind = SceneItem::Kind::body;
      item.shape = {.kind = Shape::Kind::box, .size = drawn.size};
      break;
    case arrow:
      item.kind = SceneItem::Kind::arrow;
      item.role = "force";
      break;
    case cable: item.role = "cable"; break;
    case link: item.role = "link"; break;
    case fixed: item.role = "ground"; break;
    case line: break;
  }
  return item;
}

// The letters of the plane in which a planar drawing lies: what is called z is up, unless y is there too.
std::string axes_of(const System& system) {
  bool y = false, z = false;
  const auto look = [&](const std::string& name) {
    if (const auto i = axis_letter(name)) (name[*i] == 'y' ? y : z) |= name[*i] != 'x';
  };
  for (const Variable& q : system.coordinates) look(q.name());
  for (const Quantity& output : system.outputs) look(output.name);
  return z && !y ? "xz" : "";
}

// What an output shall do, with the sign with which it is this formula.
struct Wanted {
  const TimeFunction* function = nullptr;
  double sign = 1.0;
};

Wanted wanted_of(const Problem& problem, const Expr& formula) {
  for (const Quantity& output : problem.system.outputs)
    for (const double sign : {1.0, -1.0})
      if (sign * output.expr == formula)
        if (const TimeFunction* function = path_of(problem, output.name)) return {function, sign};
  return {};
}

// The path that a place shall take; empty unless outputs that follow something make up all of it.
std::vector<double> wanted_path(const Problem& problem, const Exprs& place, const std::vector<double>& time) {
  std::vector<double> path(place.size() * time.size());
  for (std::size_t c = 0; c < place.size(); ++c) {
    const Wanted wanted = wanted_of(problem, place[c]);
    if (wanted.function == nullptr) return {};
    const std::vector<double> values = values_at(*wanted.function, time);
    for (std::size_t k = 0; k < time.size(); ++k) path[k * place.size() + c] = wanted.sign * values[k];
  }
  return path;
}

}  // namespace

void add_drawing(const Problem& problem, const Frames& frames, Scene& scene) {
  const System& system = problem.system;
  bool schematic = false;
  const std::vector<Drawn> drawing = problem.drawing.empty() ? suggested(system, schematic) : problem.drawing;
  if (drawing.empty()) return;
  if (schematic) scene.note = "Each coordinate on a line of its own: [[draw]] in the model says how it looks";
  scene.axes = axes_of(system);
  scene.dimension = static_cast<int>(drawing.front().places.front().size());
  Exprs formulas;
  for (const Drawn& drawn : drawing) {
    for (const Exprs& place : drawn.places) append(formulas, place);
    append(formulas, drawn.details);
    scene.items.push_back(item_for(drawn));
    if (drawn.kind == Drawn::Kind::trace)
      scene.items.back().details = wanted_path(problem, drawn.places.front(), scene.time);
  }
  const auto columns = [&](const auto& list, const auto& name_of) {
    std::vector<std::vector<double>> values;
    for (const auto& x : list) values.push_back(frames.column(name_of(x)));
    return values;
  };
  const auto q = columns(system.coordinates, [](const Variable& x) { return x.name(); });
  const auto v = columns(system.coordinates, [](const Variable& x) { return x.name() + "'"; });
  const auto u = columns(system.inputs, [](const Input& x) { return x.name; });
  const auto row = [](const std::vector<std::vector<double>>& list, std::size_t k) {
    std::vector<double> values;
    for (const std::vector<double>& x : list) values.push_back(x[k]);
    return values;
  };
  StateFunction values(system, formulas, problem.signals);
  for (std::size_t k = 0; k < frames.count(); ++k) {
    const std::vector<double> out =
        values({.t = scene.time[k], .q = row(q, k), .v = row(v, k), .a = {}, .lambda = {}}, row(u, k));
    auto next = out.begin();
    for (std::size_t i = 0; i < drawing.size(); ++i) {
      SceneItem& item = scene.items[i];
      const auto take = [&](std::size_t count, std::vector<double>& list) {
        const auto end = next + static_cast<std::ptrdiff_t>(count);
        list.insert(list.end(), next, end);
        next = end;
      };
      take(item.count * static_cast<std::size_t>(scene.dimension), item.places);
      take(drawing[i].details.size(), item.details);
      if (item.kind == SceneItem::Kind::circle) item.details.back() = std::abs(item.details.back());
    }
  }
}

}  // namespace invar
