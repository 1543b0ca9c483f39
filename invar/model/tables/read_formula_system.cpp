// [system]: a mechanical system given by formulas: coordinates, energies, forces, constraints, inputs and outputs.
#include <array>

#include "invar/base/message.h"
#include "invar/model/file/reading.h"

namespace invar::model {
namespace {

constexpr std::size_t most_coordinates = 10000;  // inputs and checks take time and memory for each

void read_coordinates(Reading& reading, Section& section) {
  System& system = reading.problem.system;
  const std::vector<Text> names = section.strings("coordinates");
  if (names.size() > most_coordinates)
    section.fail(section.require("coordinates").value.position,
                 "more than " + std::to_string(most_coordinates) + " coordinates");
  for (const auto& [name, position] : names) {
    Name& entry = add_name(reading.names, reading.document, position, name, NameKind::coordinate);
    system.add_coordinate(name);
    entry.symbol = at(system.coordinates.back());
  }
}

// A table from coordinates to formulas, such as { s = "1" }; zero where nothing is said.
Exprs read_per_coordinate(const Reading& reading, Section& table, const std::string& where, const Allowed& allowed) {
  Exprs result;
  for (const Variable& x : reading.problem.system.coordinates) {
    const Entry* entry = table.find_name(x.name());
    result.push_back(entry ? read_formula(reading, entry->value, where + " on " + in_quotes(x.name()), allowed) : 0.0);
  }
  table.finish("coordinate");
  return result;
}

void read_energies(Reading& reading, Section& section) {
  System& system = reading.problem.system;
  const Value& kinetic = section.require("kinetic").value;
  system.kinetic = read_formula(reading, kinetic, "kinetic energy", {.order = 1});
  at_position(reading, kinetic.position, "", [&] { check_kinetic(system); });
  if (const Entry* potential = section.find("potential")) {
    system.potential = read_formula(reading, potential->value, "potential energy", {.order = 0});
    at_position(reading, potential->value.position, "", [&] { check_potential(system); });
  }
  if (auto table = section.table("force", "[system]: force"))
    system.forces = read_per_coordinate(reading, *table, "force", {.order = 1});
}

Level read_level(Section& item) {
  const Entry* entry = item.find("level");
  if (entry == nullptr) return Level::position;
  const std::array<std::string, 3> levels = {"position", "velocity", "acceleration"};
  offer(entry->value, levels);
  const std::string& level = item.string("level");
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (level == levels[i]) return static_cast<Level>(i);
  item.fail(item.require("level").value.position,
            "unknown level " + in_quotes(level) + "; use \"position\", \"velocity\" or \"acceleration\"");
}

void read_constraint(Reading& reading, Section& item) {
  System& system = reading.problem.system;
  const std::string name = read_item_name(reading, item, NameKind::constraint);
  const Level level = read_level(item);
  const Value& formula = item.require("expr").value;
  const Allowed allowed{.order = static_cast<int>(level),
                        .advice = level == Level::position   ? "say level = \"velocity\" or level = \"acceleration\""
                                  : level == Level::velocity ? "say level = \"acceleration\""
                                                             : ""};
  system.add_constraint(name, read_formula(reading, formula, "constraint " + in_quotes(name), allowed), level);
  reading.names.emplace("lambda." + name, Name{NameKind::multiplier});
  at_position(reading, formula.position, "", [&] { check_constraint(system, system.constraints.back()); });
  if (const Entry* tension = item.find("tension"))
    system.constraints.back().tension = read_formula(
        reading, tension->value, "constraint " + in_quotes(name) + ": tension", {.order = 0, .advice = ""});
}

void read_input(Reading& reading, Section& item) {
  const std::string name = read_item_name(reading, item, NameKind::input);
  const Entry& force = item.require("force");
  Section table = *item.table("force", "input " + in_quotes(name) + ": force");
  Exprs direction = read_per_coordinate(reading, table, "input " + in_quotes(name) + ": force", {.order = 0});
  bool acts = false;
  for (const Expr& entry : direction) acts = acts || !entry.is_constant(0.0);
  if (!acts) item.fail(force.value.position, "acts on no coordinate");
  reading.problem.system.add_input(name, std::move(direction));
}

// An output may have the name of the coordinate that it shows: it is the same column then.
void read_output(Reading& reading, Section& item) {
  std::string name = item.string("name");
  item.set_title("output " + in_quotes(name));
  const Expr formula = read_formula(reading, item.require("expr").value, item.title(), {.order = 1});
  const auto same = reading.names.find(name);
  const bool shows_it =
      same != reading.names.end() && same->second.kind == NameKind::coordinate && same->second.symbol == formula;
  if (!shows_it) read_item_name(reading, item, NameKind::output);
  reading.problem.system.outputs.push_back({std::move(name), formula});
}

void read_invariant(Reading& reading, Section& item) {
  const std::string name = read_item_name(reading, item, NameKind::invariant);
  reading.problem.system.invariants.push_back(
      {name, read_formula(reading, item.require("expr").value, "invariant " + in_quotes(name), {.order = 1})});
}

void read_items(Reading& reading, Section& section, const std::string& key, void (*read_item)(Reading&, Section&)) {
  for (Section& item : section.tables(key, "[[system." + key + "]]")) {
    read_item(reading, item);
    item.finish();
  }
}

}  // namespace

void read_formula_system(Reading& reading, Section& top) {
  if (reading.parts) return;
  Section section = *top.table("system", "[system]");
  read_coordinates(reading, section);
  read_energies(reading, section);
  read_items(reading, section, "constraint", read_constraint);
  read_items(reading, section, "input", read_input);
  read_items(reading, section, "output", read_output);
  read_items(reading, section, "invariant", read_invariant);
  section.finish();
  const std::vector<Text> names = section.strings("coordinates");
  for (std::size_t i = 0; i < names.size(); ++i)
    at_position(reading, names[i].position, "", [&] { check_coordinate(reading.problem.system, i); });
}

}  // namespace invar::model
