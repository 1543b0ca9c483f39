// [control] and [plant]: the controller, and how the plant differs from the model it knows.
#include <cmath>
#include <limits>

#include "invar/base/message.h"
#include "invar/model/file/reading.h"
#include "invar/task/control/control_settings.h"
#include "invar/task/control/controllers.h"
#include "invar/task/run/baumgarte_setting.h"
#include "invar/task/run/read_scheme.h"

namespace invar::model {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// One number for each of `names`, zero where none is given.
std::vector<double> read_named(const Reading& reading, Section& section, const std::string& key,
                               const std::vector<std::string>& names, const std::string& noun) {
  std::vector<double> values;
  auto table = section.table(key, section.title() + ": " + key);
  if (!table) return values;
  for (const std::string& name : names) {
    const Entry* entry = table->find_name(name);
    values.push_back(entry ? read_number(reading, entry->value, table->title() + ": " + in_quotes(name)) : 0.0);
  }
  table->finish(noun);
  return values;
}

std::vector<std::string> coordinate_names(const System& system) {
  std::vector<std::string> names;
  for (const Variable& x : system.coordinates) names.push_back(x.name());
  return names;
}

std::vector<std::string> state_names(const System& system) {
  std::vector<std::string> names = coordinate_names(system);
  const std::size_t n = names.size();
  for (std::size_t i = 0; i < n; ++i) names.push_back(names[i] + "'");
  return names;
}

std::vector<InputLimits> read_limits(const Reading& reading, Section& section) {
  const System& system = reading.problem.system;
  std::vector<InputLimits> limits(system.inputs.size(), InputLimits{-infinity, infinity, infinity});
  if (auto table = section.table("limits", "[control]: limits")) {
    for (std::size_t i = 0; i < limits.size(); ++i) {
      const Entry* entry = table->find_name(system.inputs[i].name);
      if (!entry) continue;
      const std::string where = "[control]: limits: " + in_quotes(system.inputs[i].name);
      const Array* pair = entry->value.as<Array>();
      if (pair == nullptr || pair->size() != 2)
        table->fail(entry->value.position, in_quotes(system.inputs[i].name) + " must be [least, most]");
      limits[i].lower = read_number(reading, (*pair)[0], where);
      limits[i].upper = read_number(reading, (*pair)[1], where);
      if (!(limits[i].lower < limits[i].upper))
        table->fail(entry->value.position,
                    in_quotes(system.inputs[i].name) + ": the lower limit is not below the upper one");
    }
    table->finish("input");
  }
  if (auto table = section.table("rates", "[control]: rates")) {
    for (std::size_t i = 0; i < limits.size(); ++i) {
      const Entry* entry = table->find_name(system.inputs[i].name);
      if (!entry) continue;
      const std::string where = "[control]: rates: " + in_quotes(system.inputs[i].name);
      limits[i].rate = read_number(reading, entry->value, where);
      if (!(limits[i].rate > 0.0))
        table->fail(entry->value.position, in_quotes(system.inputs[i].name) + " must be positive");
    }
    table->finish("input");
  }
  return limits;
}

}  // namespace

void read_control(Reading& reading, Section& top) {
  auto section = top.table("control", "[control]");
  if (!section) return;
  const System& system = reading.problem.system;
  ControlSettings& c = reading.problem.settings.of<ControlSettings>();
  const auto number = [&](const char* key, double otherwise) {
    const Entry* entry = section->find(key);
    return entry ? read_number(reading, entry->value, std::string("[control]: ") + in_quotes(key)) : otherwise;
  };
  c.until = number("until", reading.end_of_motion > 0.0 ? reading.end_of_motion : c.until);
  c.period = number("period", c.period);
  c.substeps = read_count(reading, *section, "substeps", c.substeps);
  c.delay = read_count(reading, *section, "delay", c.delay);
  const int seed = read_count(reading, *section, "seed", 1);
  if (seed < 0) section->fail(section->find("seed")->value.position, "\"seed\" must not be negative");
  c.seed = static_cast<std::uint64_t>(seed);
  if (const Entry* entry = section->find("controller")) {
    offer(entry->value, controller_names());
    c.controller = section->string("controller");
  }
  read_scheme(*section, "scheme", c.scheme);
  c.baumgarte = read_baumgarte(reading, *section);
  c.bandwidth = number("bandwidth", c.bandwidth);
  if (section->find("integral")) c.integral = section->boolean("integral");
  const std::vector<std::string> names = coordinate_names(system);
  c.proportional = read_named(reading, *section, "proportional", names, "coordinate");
  c.derivative = read_named(reading, *section, "derivative", names, "coordinate");
  c.proportional.resize(names.size(), 0.0);
  c.derivative.resize(names.size(), 0.0);
  c.limits = read_limits(reading, *section);
  c.noise = read_named(reading, *section, "noise", state_names(system), "coordinate or velocity");
  finish_settings(*section, c);
}

Overrides read_plant_parameters(const Reading& reading, Section& top) {
  Overrides changed;
  auto plant = top.table("plant", "[plant]");
  if (!plant) return changed;
  if (auto table = plant->table("parameters", "[plant]: parameters")) {
    for (const Parameter& p : reading.problem.system.parameters)
      if (const Entry* entry = table->find_name(p.name))
        changed.emplace_back(p.name, read_number(reading, entry->value, "[plant]: parameters: " + in_quotes(p.name)));
    table->finish("parameter");
  }
  return changed;
}

void read_plant(Reading& reading, Section& top) {
  auto plant = top.table("plant", "[plant]");
  if (!plant) return;
  plant->find("parameters");
  Problem& problem = reading.problem;
  const std::size_t n = problem.system.coordinates.size();
  const std::vector<double> off =
      read_named(reading, *plant, "start", state_names(problem.system), "coordinate or velocity");
  for (std::size_t i = 0; i < off.size(); ++i) (i < n ? problem.q0[i] : problem.v0[i - n]) += off[i];
  if (auto table = plant->table("force", "[plant]: force")) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::string name = problem.system.coordinates[i].name();
      if (const Entry* entry = table->find_name(name))
        problem.system.forces[i] +=
            read_formula(reading, entry->value, "[plant]: force: " + in_quotes(name), {.order = 1});
    }
    table->finish("coordinate");
  }
  plant->finish();
}

}  // namespace invar::model
