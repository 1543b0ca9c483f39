// From the parts of a mechanism to its equations, in the formulation that the file or the command line asks for.
#include "invar/base/message.h"
#include "invar/model/file/mechanism_reading.h"
#include "invar/model/problem/mechanism_problem.h"

namespace invar::model {
namespace {

std::string advice(const std::string& given) {
  const std::string meant = suggestion(given, {"director", "minimal", "lie"});
  return "unknown formulation " + in_quotes(given) +
         (meant.empty() ? "; use \"director\", \"minimal\" or \"lie\"" : meant);
}

// Where the file speaks of it; the tasks must agree, since one checks the other.
std::optional<Text> find_formulation(const Reading& reading, Section& top) {
  std::optional<Text> found;
  for (const std::string& key : reading.tasks) {
    auto section = top.table(key, "[" + key + "]");
    if (!section || !section->find("formulation")) continue;
    const Text given = read_text(*section, "formulation");
    const std::vector<std::string> words = {"director", "minimal", "lie"};
    offer(section->require("formulation").value, words);
    if (!reading.parts) section->fail(given.position, "\"formulation\" is for models of bodies; [system] has its own");
    if (!formulation_of_bodies(given.text)) section->fail(given.position, advice(given.text));
    if (found && found->text != given.text && !reading.formulation)
      section->fail(given.position, "\"formulation\" differs from that of [simulate]");
    found = given;
  }
  return found;
}

Formulation read_formulation(const Reading& reading, Section& top) {
  const std::optional<Text> in_file = find_formulation(reading, top);
  if (!reading.formulation) return in_file ? *formulation_of_bodies(in_file->text) : Formulation::director;
  const std::string opening = display(reading.document.file) + ": ";
  if (!reading.parts) throw InputError(opening + "a formulation can be chosen for models of bodies, not for [system]");
  const std::optional<Formulation> given = formulation_of_bodies(*reading.formulation);
  if (!given) throw InputError(opening + advice(*reading.formulation));
  return *given;
}

bool appears(const System& system, std::size_t coordinate) {
  try {
    check_coordinate(system, coordinate);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

// A point without mass must at least be held or pulled by something.
void check_massless_points(const Reading& reading, Section& top) {
  const System& system = reading.problem.system;
  for (Section& item : top.tables("point", "[[point]]"))
    for (const RigidBody& body : system.bodies) {
      if (body.name != item.string("name") || body.mass > 0.0) continue;
      for (std::size_t i = body.first; i < body.first + body.size(); ++i)
        if (!appears(system, i)) {
          item.set_title("point " + in_quotes(body.name));
          item.fail(item.require("mass").value.position, "has no mass, and nothing acts on it");
        }
    }
}

void check_motions(const Reading& reading, Section& top) {
  const System& system = reading.problem.system;
  for (Section& item : top.tables("joint", "[[joint]]")) {
    if (!item.find("motion")) continue;
    for (const Constraint& c : system.constraints)
      if (c.name == item.string("name") + ".motion")
        at_position(reading, item.require("motion").value.position, "", [&] { check_constraint(system, c); });
  }
}

}  // namespace

void read_mechanism(Reading& reading, Section& top) {
  const Formulation formulation = read_formulation(reading, top);
  if (!reading.parts) return;
  if (reading.parts->mechanism.bodies.empty()) top.fail({}, "the model has no bodies");
  Problem& problem = reading.problem;
  problem.formulation = formulation;
  problem.mechanism = std::make_shared<const Mechanism>(reading.parts->mechanism);
  const Entry* first = nullptr;
  for (const std::string_view key : {"string", "beam", "point", "body"})
    if (const Entry* entry = top.find(key)) first = entry;
  at_position(reading, place(*first), "", [&] { write_equations(problem); });
  check_massless_points(reading, top);
  check_motions(reading, top);
}

}  // namespace invar::model
