// What is known while a model file is read, and how its formulas are read. Only readers of parts of the file include
// it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "invar/base/error.h"
#include "invar/model/file/document.h"
#include "invar/model/file/names.h"
#include "invar/model/file/section.h"
#include "invar/model/problem/overrides.h"
#include "invar/model/problem/problem.h"
#include "invar/record/file.h"

namespace invar::model {

// The nodes of a beam or string: arc length, place and axes.
struct Member {
  struct Node {
    double s;
    Attachment at;
    Matrix3 axes;  // in those of the body
  };
  std::vector<Node> nodes = {};
};

// A model of bodies while it is read, and what its parts refer to.
struct Parts {
  Mechanism mechanism;
  std::map<std::string, int, std::less<>> bodies;            // also points; places in the mechanism
  std::map<std::string, Member, std::less<>> members;        // beams and strings
  std::map<std::string, Variable, std::less<>> coordinates;  // those with a name of their own
};

struct Reading {
  const Document& document;
  const Overrides& overrides;
  std::optional<std::string> formulation;  // in place of the one in the file
  std::vector<std::string> tasks;          // keys of the tables in which tasks have their settings
  Names names;
  Problem problem;
  std::optional<Parts> parts;  // none if the system is given by formulas
  bool has_signals = false;
  double end_of_motion = 0.0;  // when the last trajectory comes to rest
  mutable std::map<std::string, std::string> used_up =
      {};  // parameters whose values became numbers, and where; noted by whoever reads
};

// What a formula may contain besides parameters.
struct Allowed {
  int order = -1;           // coordinates and their derivatives up to this order; -1: none
  bool time = true;         // t and signals
  std::string advice = {};  // ends the message about a derivative that is not allowed; a list of what is, if empty
  int signal_order = 2;     // most primes of a signal
  bool inputs = false;
  bool multipliers = false;
  // Coordinates of bodies, if it is given: stand for those that the mechanism will have, and are gathered there.
  std::vector<Variable>* places = nullptr;
};

// A number or the text of a formula. `where` opens the messages: `constraint "cable"`, `[simulate]: "until"`.
Expr read_formula(const Reading& reading, const Value& value, const std::string& where, const Allowed& allowed);
// A number or a formula of the parameters, whose values are then used up: they cannot be changed afterwards.
double read_number(const Reading& reading, const Value& value, const std::string& where);
// A number that follows the parameters if it is given by a formula of them; that formula is then kept.
double read_number(const Reading& reading, const Value& value, const std::string& where, std::string& formula);
// The values of the parameters in a formula are used up at this place.
void use_up(const Reading& reading, std::span<const Expr> formulas, const std::string& where);

// A whole number, or a formula of the parameters that gives one; `otherwise` if the key is missing.
int read_count(const Reading& reading, Section& section, std::string_view key, int otherwise);

// The end of a section of settings: no unknown keys, no value that breaks a rule. Those of tasks have a formulation.
template <class Settings>
void finish_settings(Section& section, const Settings& settings, bool of_task = true) {
  if (of_task) section.find("formulation");  // see read_mechanism
  section.finish();
  if (const auto error = find_error(settings)) {
    const Entry* entry = section.find(error->setting);
    section.fail(entry ? entry->value.position : section.position(), '"' + error->setting + "\" " + error->rule);
  }
}

// Reads the name of an item and enters it; from here on the name opens the messages of the section.
std::string read_item_name(Reading& reading, Section& item, NameKind kind, std::string_view word = {});

// Runs a check of the system and gives its complaint a place in the file.
template <class Check>
void at_position(const Reading& reading, Position position, const std::string& opening, const Check& check_system) {
  try {
    check_system();
  } catch (const FileError&) {
    throw;
  } catch (const InputError& error) {
    fail(reading.document, position, opening + error.what());
  }
}

// One reader per part of the file that describes the model, called in this order; each takes what is its own from the
// top level. Those of the tasks stand with their settings.
void read_parameters(Reading& reading, Section& top);
void read_signals(Reading& reading, Section& top);
void read_world(Reading& reading, Section& top);  // also decides between bodies and formulas
void read_bodies(Reading& reading, Section& top);
void read_points(Reading& reading, Section& top);
void read_joints(Reading& reading, Section& top);
void read_cables(Reading& reading, Section& top);
void read_motions(Reading& reading, Section& top);         // of joints, and gears: what refers to coordinates
void read_force_elements(Reading& reading, Section& top);  // [[spring]], [[force]] and their like
void read_spins(Reading& reading, Section& top);
void read_actuators(Reading& reading, Section& top);
void read_outputs(Reading& reading, Section& top);
void read_mechanism(Reading& reading, Section& top);  // from the parts to the system
void read_formula_system(Reading& reading, Section& top);
void read_reduce(Reading& reading, Section& top);
void read_initial(Reading& reading, Section& top);
void read_trajectories(Reading& reading, Section& top);
void read_draw(Reading& reading, Section& top);
void read_units(Reading& reading, Section& top);

}  // namespace invar::model
