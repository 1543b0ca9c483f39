// Reading model files: the top level.
#include "invar/read/read_problem.h"

#include <algorithm>
#include <utility>

#include "invar/base/characters.h"
#include "invar/base/error.h"
#include "invar/base/message.h"
#include "invar/model/file/format_version.h"
#include "invar/model/file/places.h"
#include "invar/model/file/reading.h"
#include "invar/model/flexible/read_members.h"
#include "invar/model/forces/force_kinds.h"
#include "invar/task/control/control_settings.h"
#include "invar/task/sweep/sweep_settings.h"
#include "invar/task/table/tasks.h"

namespace invar {
namespace model {
namespace {

struct FilePart {
  std::string_view key;
  void (*read)(Reading&, Section&);
};
// In the order in which they need each other; the tasks follow, and then what may speak of inputs and outputs. To teach
// Invar a new part of the model is to add a line.
constexpr FilePart model_parts[] = {
    {"parameters", read_parameters},
    {"signal", read_signals},
    {"world", read_world},
    {"body", read_bodies},
    {"point", read_points},
    {"beam", read_beams},
    {"string", read_strings},
    {"joint", read_joints},
    {"cable", read_cables},
    {"joint", read_motions},
    {"force", read_force_elements},
    {"spin", read_spins},
    {"actuator", read_actuators},
    {"output", read_outputs},
    {"body", read_mechanism},
    {"system", read_formula_system},
    {"reduce", read_reduce},
    {"initial", read_initial},
    {"trajectory", read_trajectories},
};
constexpr FilePart last_parts[] = {{"draw", read_draw}, {"units", read_units}, {"sweep", read_sweep}};

std::vector<FilePart> all_parts() {
  std::vector<FilePart> parts(std::begin(model_parts), std::end(model_parts));
  for (const Task* task : tasks())
    if (task->read != nullptr) parts.push_back({task->verb, task->read});
  parts.insert(parts.end(), std::begin(last_parts), std::end(last_parts));
  return parts;
}

std::vector<std::string> tables_of_tasks() {
  std::vector<std::string> keys;
  for (const Task* task : tasks())
    if (task->read != nullptr) keys.emplace_back(task->verb);
  return keys;
}

// "[simulate], [invert] or [control]"
std::string in_words(const std::vector<std::string>& tables) {
  std::string list;
  for (std::size_t i = 0; i < tables.size(); ++i)
    list += (i == 0 ? "[" : i + 1 == tables.size() ? " or [" : ", [") + tables[i] + "]";
  return list;
}

// Parts of a model file that are known but have no reader yet.
constexpr std::string_view unsupported[] = {"urdf"};

void refuse_unsupported(Section& top) {
  for (const std::string_view key : unsupported)
    if (const Entry* entry = top.find(key)) top.fail(place(*entry), shown(*entry) + ": not supported by this version");
  if (const Entry* entry = top.find("formulation"))
    top.fail(entry->position, "\"formulation\" belongs under " + in_words(tables_of_tasks()));
}

// The name also names the folder of the results.
std::string read_name(Section& top) {
  constexpr std::size_t longest = 200;  // bytes; file systems stop at 255
  const std::string& name = top.string("name");
  const Position position = top.require("name").value.position;
  if (name.find_first_not_of(" .") == std::string::npos) top.fail(position, "\"name\" must not be empty or only dots");
  if (name.find('/') != std::string::npos) top.fail(position, "\"name\" must not contain /, since it names a folder");
  if (name.size() > longest) top.fail(position, "\"name\" must not have more than 200 bytes, since it names a folder");
  if (excerpt(name, longest) != name) top.fail(position, "\"name\" must not contain control characters");
  return name;
}

enum class Role { model, plant };

Problem read(const Document& document, const Overrides& overrides, const std::optional<std::string>& formulation,
             Role role = Role::model) {
  Reading reading{document, overrides, formulation, tables_of_tasks(), {}, {}, {}};
  const std::vector<FilePart> parts = all_parts();
  Section top(document, document.root, {}, "");
  check_format(top);
  refuse_unsupported(top);
  top.find("name");
  const Entry* plant = top.find("plant");
  for (const FilePart& part : parts) top.find(part.key);
  for (const ForceKind& kind : force_kinds) top.find(kind.name);
  top.finish();  // before all else: a part with a mistyped name would seem to be missing
  reading.problem.name = read_name(top);
  reading.problem.file = document.file;
  reading.problem.text = document.text;
  for (const FilePart& part : parts) part.read(reading, top);
  if (plant && role == Role::plant) {
    read_plant(reading, top);
  } else if (plant) {
    const Overrides of_plant = read_plant_parameters(reading, top);
    Overrides changed = overrides;
    changed.insert(changed.end(), of_plant.begin(), of_plant.end());
    Problem other = read(document, changed, formulation, Role::plant);
    other.parameter_use.of_plant = of_plant;
    reading.problem.plant = std::make_shared<Problem>(std::move(other));
  }
  reading.problem.parameter_use.fixed.merge(reading.used_up);
  return std::move(reading.problem);
}

// Values with a place of the file go there, the others are those of parameters.
Problem read_with_places(const Document& document, const Overrides& overrides,
                         const std::optional<std::string>& formulation) {
  if (std::ranges::none_of(overrides, [&](const auto& given) { return is_place(document, given.first); }))
    return read(document, overrides, formulation);
  Document changed = document;
  Overrides parameters;
  for (const auto& [name, value] : overrides) {
    if (!is_place(document, name))
      parameters.emplace_back(name, value);
    else
      set_value(changed, name, number_value(value));
  }
  return read(changed, parameters, formulation);
}

}  // namespace
}  // namespace model

namespace {

Problem read_with(model::Document document, DataFiles data, const Overrides& overrides,
                  const std::optional<std::string>& formulation) {
  document.may_read_outside = data == DataFiles::anywhere;
  return model::read_with_places(document, overrides, formulation);
}

}  // namespace

Problem read_problem(const std::string& path, const Overrides& overrides, const std::optional<std::string>& formulation,
                     DataFiles data) {
  return read_with(model::read_document(path), data, overrides, formulation);
}

Problem read_problem(const model::Document& document, const Overrides& overrides,
                     const std::optional<std::string>& formulation) {
  return model::read_with_places(document, overrides, formulation);
}

Problem read_problem_text(const std::string& text, const std::string& file_name, const Overrides& overrides,
                          const std::optional<std::string>& formulation, DataFiles data) {
  return read_with(model::parse_document(text, file_name), data, overrides, formulation);
}

}  // namespace invar
