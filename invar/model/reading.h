// What is known while a model file is read, and how its formulas are read. Only the readers of this folder include it.
#pragma once

#include <string>

#include "invar/expr/error.h"
#include "invar/model/document.h"
#include "invar/model/names.h"
#include "invar/model/read.h"
#include "invar/model/section.h"

namespace invar::model {

struct Reading {
  const Document& document;
  const Overrides& overrides;
  Names names;
  Problem problem;
  bool has_signals = false;
  double end_of_motion = 0.0;  // when the last trajectory comes to rest
};

// What a formula may contain besides parameters.
struct Allowed {
  int order = -1;           // coordinates and their derivatives up to this order; -1: none
  bool time = true;         // t and signals
  std::string advice = {};  // ends the message about a derivative that is not allowed; a list of what is, if empty
  int signal_order = 2;     // most primes of a signal
};

// A number or the text of a formula. `where` opens the messages: `constraint "cable"`, `[simulate]: "until"`.
Expr read_formula(const Reading& reading, const Value& value, const std::string& where, const Allowed& allowed);
// A number or a formula of the parameters.
double read_number(const Reading& reading, const Value& value, const std::string& where);

// Runs a check of the system and gives its complaint a place in the file.
template <class Check>
void at_position(const Reading& reading, Position position, const std::string& opening, const Check& check_system) {
  try {
    check_system();
  } catch (const InputError& error) {
    fail(reading.document, position, opening + error.what());
  }
}

// One reader per part of the file, called in this order; each takes what is its own from the top level.
void read_parameters(Reading& reading, Section& top);
void read_signals(Reading& reading, Section& top);
void read_formula_system(Reading& reading, Section& top);
void read_reduce(Reading& reading, Section& top);
void read_initial(Reading& reading, Section& top);
void read_trajectories(Reading& reading, Section& top);
void read_invert(Reading& reading, Section& top);
void read_simulate(Reading& reading, Section& top);

}  // namespace invar::model
