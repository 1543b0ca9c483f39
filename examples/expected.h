// What an example's expected.toml says: runs of its model and the figures that each must meet, with reasons.
//
//   [[run]]                  optional: model, formulation, method, step, until, every, set = { m = 2 }; the rest is as
//                            in the model
//   coordinates = 42         optional, as constraints and degrees_of_freedom
//   warnings = ["text"]      a part of every warning of the run, none if missing
//   [[run.value]]            column, t, value, tolerance
//   [[run.constant]]         column, tolerance: largest change since the start
//   [[run.reference]]        file, columns (all if missing), tolerance: at every time of the file
//   [[order]]                method, step, file, columns, order, tolerance: observed from the errors against the file
//                            at this step and half of it
//   [[invert]]               an inversion, with the keys of [[run]] up to warnings and [[run.value]], [[run.reference]]
//   unknowns, index, flat, hidden_structure    optional; degrees_of_freedom are those of the internal dynamics
//   derivatives = { y = 4 }  how many each output needs
//   refused = "text"         part of the message with which the model is refused; nothing else can be expected then
//   fails = "text"           part of the message with which the inversion ends before its time
//   [invert.eigenvalues]     values = [[real, imaginary], …] of the internal dynamics at rest, in any order, tolerance
//   [invert.round_trip]      tolerance: error of the outputs in a simulation with the computed inputs
//
//   [[optimize]]             a least costly motion, with model, formulation, method, set, intervals, guess and warnings
//   cost, limit              either or both: of this mesh, with a tolerance; and of all ever finer ones, which it must
//                            approach with order 2 when the intervals are halved
//   unbalanced = true        energy and work differ visibly, as they do where the scheme does not care for energy
//   at_bounds = { F = 3 }    the input is at one of its bounds in all intervals but at most so many
//   [optimize.hamiltonian]   value, tolerance: of the mean over the intervals; and [optimize.horizon], where it is free
//   [[optimize.constant]]    as [[run.constant]]
//
//   [[control]]              a closed loop, with model, formulation, set, until, warnings, [[….value]], [[….reference]]
//   controller, period       as in [control], if they differ from the model
//   may_break_down = true    of an unstable loop: round-off decides whether it can be simulated to its end
//   [control.spectral_radius]  value, tolerance
//   decay = true             small errors at rest grow or decay as the spectral radius says
//   [[control.at_rest]]      input, value, tolerance: what holds the model where its trajectories begin
//   [[control.error]]        output; largest, rms, last: at most this, last_at_least: at least; reason
//
// A [[run.reference]] or [[invert.reference]] with `from` begins at this time.
// A tolerance is `absolute`, `relative` or both, and comes with a `reason`; `relative` refers to the value, or to the
// largest one of the column.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "invar/model/file/document.h"
#include "invar/model/file/section.h"
#include "invar/read/read_problem.h"

namespace invar::examples {

using model::Document;
using model::Entry;
using model::Section;

struct Tolerance {
  double absolute = 0.0, relative = 0.0;
  std::string reason;

  double bound(double size) const { return absolute + relative * size; }
};

struct ExpectedValue {
  std::string column;
  double t = 0.0, value = 0.0;
  Tolerance tolerance;
};

struct ExpectedConstant {
  std::string column;
  Tolerance tolerance;
};

struct Reference {
  std::string file;
  std::vector<std::string> columns;
  double from = 0.0;
  Tolerance tolerance;
};

struct Setup {
  std::string model = "model.toml";
  std::optional<std::string> formulation, method;
  std::optional<double> step, until, every;
  Overrides set;
};

struct ExpectedRun {
  Setup setup;
  std::optional<double> coordinates, constraints, degrees_of_freedom;
  std::vector<std::string> warnings;
  std::vector<ExpectedValue> values;
  std::vector<ExpectedConstant> constants;
  std::vector<Reference> references;
};

struct ExpectedOrder {
  Setup setup;
  double order = 0.0;
  Reference reference;  // its tolerance is that of the order
};

struct ExpectedEigenvalues {
  std::vector<std::complex<double>> values;
  Tolerance tolerance;
};

struct ExpectedInversion {
  Setup setup;
  std::optional<double> unknowns, index, degrees_of_freedom;
  std::optional<bool> flat, hidden_structure;
  std::vector<std::pair<std::string, double>> derivatives;
  std::vector<std::string> warnings;
  std::string refused, fails;
  std::optional<ExpectedEigenvalues> eigenvalues;
  std::optional<Tolerance> round_trip;
  std::vector<ExpectedValue> values;
  std::vector<Reference> references;
};

struct ExpectedFigure {
  double value = 0.0;
  Tolerance tolerance;
};

struct ExpectedOptimum {
  Setup setup;
  std::optional<double> intervals, limit;
  std::optional<std::string> guess;
  std::optional<ExpectedFigure> cost, hamiltonian, horizon;
  bool unbalanced = false;
  std::vector<std::pair<std::string, double>> at_bounds;  // inputs, and how many intervals are excepted
  std::vector<std::string> warnings;
  std::vector<ExpectedConstant> constants;
};

struct ExpectedInput {
  std::string input;
  ExpectedFigure figure;
};

struct ExpectedError {
  std::string output;
  std::optional<double> largest, rms, last, last_at_least;
  std::string reason;
};

struct ExpectedLoop {
  Setup setup;
  std::optional<std::string> controller;
  std::optional<double> period;
  bool may_break_down = false, decay = false;
  std::optional<ExpectedFigure> spectral_radius;
  std::vector<ExpectedInput> at_rest;
  std::vector<ExpectedError> errors;
  std::vector<std::string> warnings;
  std::vector<ExpectedValue> values;
  std::vector<Reference> references;
};

struct Expected {
  std::vector<ExpectedRun> runs;
  std::vector<ExpectedOrder> orders;
  std::vector<ExpectedInversion> inversions;
  std::vector<ExpectedOptimum> optima;
  std::vector<ExpectedLoop> loops;
};

inline double number(Section& section, const Entry& entry) {
  if (const auto* x = entry.value.as<double>()) return *x;
  if (const auto* i = entry.value.as<std::int64_t>()) return static_cast<double>(*i);
  section.fail(entry.value.position, "a number is wanted for \"" + entry.key + "\"");
}

inline double number(Section& section, std::string_view key) { return number(section, section.require(key)); }

inline std::optional<double> optional_number(Section& section, std::string_view key) {
  const Entry* entry = section.find(key);
  return entry ? std::optional(number(section, *entry)) : std::nullopt;
}

inline std::optional<bool> optional_flag(Section& section, std::string_view key) {
  const Entry* entry = section.find(key);
  if (!entry) return std::nullopt;
  if (const auto* x = entry->value.as<bool>()) return *x;
  section.fail(entry->value.position, "true or false is wanted for \"" + entry->key + "\"");
}

inline std::vector<std::string> strings(Section& section, std::string_view key) {
  std::vector<std::string> list;
  if (section.find(key))
    for (const model::Text& item : section.strings(key)) list.push_back(item.text);
  return list;
}

inline Tolerance read_tolerance(Section& section) {
  Tolerance t{optional_number(section, "absolute").value_or(0.0), optional_number(section, "relative").value_or(0.0),
              section.string("reason")};
  if (t.reason.empty() || t.absolute < 0.0 || t.relative < 0.0)
    section.fail(section.position(), "a tolerance is positive and has a reason");
  return t;
}

inline Setup read_setup(Section& section) {
  Setup s;
  if (section.find("model")) s.model = section.string("model");
  if (section.find("formulation")) s.formulation = section.string("formulation");
  if (section.find("method")) s.method = section.string("method");
  s.step = optional_number(section, "step");
  s.until = optional_number(section, "until");
  s.every = optional_number(section, "every");
  if (auto set = section.table("set", "set"))
    for (const Entry& entry : set->entries()) s.set.emplace_back(entry.key, number(*set, entry));
  return s;
}

inline Reference read_reference(Section& section) {
  return {section.string("file"), strings(section, "columns"), optional_number(section, "from").value_or(0.0),
          read_tolerance(section)};
}

inline std::vector<ExpectedValue> read_values(Section& section) {
  std::vector<ExpectedValue> values;
  for (Section& s : section.tables("value", "[[….value]]")) {
    values.push_back({s.string("column"), number(s, "t"), number(s, "value"), read_tolerance(s)});
    s.finish();
  }
  return values;
}

inline std::vector<Reference> read_references(Section& section) {
  std::vector<Reference> references;
  for (Section& s : section.tables("reference", "[[….reference]]")) {
    references.push_back(read_reference(s));
    s.finish();
  }
  return references;
}

inline std::vector<ExpectedConstant> read_constants(Section& section) {
  std::vector<ExpectedConstant> constants;
  for (Section& s : section.tables("constant", "[[….constant]]")) {
    constants.push_back({s.string("column"), read_tolerance(s)});
    s.finish();
  }
  return constants;
}

inline std::optional<ExpectedFigure> read_figure(Section& section, const std::string& key) {
  auto table = section.table(key, "[…." + key + "]");
  if (!table) return std::nullopt;
  const double value = number(*table, "value");
  const ExpectedFigure figure{value, read_tolerance(*table)};
  table->finish();
  return figure;
}

inline ExpectedRun read_run(Section& section) {
  ExpectedRun run;
  run.setup = read_setup(section);
  run.coordinates = optional_number(section, "coordinates");
  run.constraints = optional_number(section, "constraints");
  run.degrees_of_freedom = optional_number(section, "degrees_of_freedom");
  run.warnings = strings(section, "warnings");
  run.values = read_values(section);
  run.constants = read_constants(section);
  run.references = read_references(section);
  section.finish();
  if (run.values.empty() && run.constants.empty() && run.references.empty())
    section.fail(section.position(), "a run without a figure to meet");
  return run;
}

// Pairs of a real and an imaginary part.
inline ExpectedEigenvalues read_eigenvalues(Section& section) {
  ExpectedEigenvalues eigenvalues;
  const Entry& list = section.require("values");
  const auto part = [&](const model::Value& value) { return number(section, Entry{list.key, value.position, value}); };
  if (const auto* pairs = list.value.as<model::Array>())
    for (const model::Value& pair : *pairs)
      if (const auto* parts = pair.as<model::Array>(); parts && parts->size() == 2)
        eigenvalues.values.emplace_back(part((*parts)[0]), part((*parts)[1]));
  if (eigenvalues.values.empty()) section.fail(list.value.position, "pairs of numbers are wanted");
  eigenvalues.tolerance = read_tolerance(section);
  section.finish();
  return eigenvalues;
}

inline ExpectedInversion read_inversion(Section& section) {
  ExpectedInversion e;
  e.setup = read_setup(section);
  e.unknowns = optional_number(section, "unknowns");
  e.index = optional_number(section, "index");
  e.degrees_of_freedom = optional_number(section, "degrees_of_freedom");
  e.flat = optional_flag(section, "flat");
  e.hidden_structure = optional_flag(section, "hidden_structure");
  e.warnings = strings(section, "warnings");
  if (auto table = section.table("derivatives", "derivatives"))
    for (const Entry& entry : table->entries()) e.derivatives.emplace_back(entry.key, number(*table, entry));
  if (section.find("refused")) e.refused = section.string("refused");
  if (section.find("fails")) e.fails = section.string("fails");
  if (auto table = section.table("eigenvalues", "[invert.eigenvalues]")) e.eigenvalues = read_eigenvalues(*table);
  if (auto table = section.table("round_trip", "[invert.round_trip]")) {
    e.round_trip = read_tolerance(*table);
    table->finish();
  }
  e.values = read_values(section);
  e.references = read_references(section);
  section.finish();
  const bool expects_result = e.index || e.eigenvalues || e.round_trip || !e.values.empty() || !e.references.empty();
  if (expects_result == !e.refused.empty())
    section.fail(section.position(), "an inversion is either refused or has a figure to meet");
  return e;
}

inline ExpectedOptimum read_optimum(Section& section) {
  ExpectedOptimum e;
  e.setup = read_setup(section);
  e.intervals = optional_number(section, "intervals");
  if (section.find("guess")) e.guess = section.string("guess");
  if (const auto cost = optional_number(section, "cost")) e.cost = {*cost, read_tolerance(section)};
  e.limit = optional_number(section, "limit");
  e.unbalanced = optional_flag(section, "unbalanced").value_or(false);
  if (auto table = section.table("at_bounds", "at_bounds"))
    for (const Entry& entry : table->entries()) e.at_bounds.emplace_back(entry.key, number(*table, entry));
  e.warnings = strings(section, "warnings");
  e.hamiltonian = read_figure(section, "hamiltonian");
  e.horizon = read_figure(section, "horizon");
  e.constants = read_constants(section);
  section.finish();
  if (!e.cost && !e.limit && !e.horizon) section.fail(section.position(), "an optimum without a figure to meet");
  return e;
}

inline ExpectedError read_error(Section& section) {
  ExpectedError e{
      section.string("output"),         optional_number(section, "largest"),       optional_number(section, "rms"),
      optional_number(section, "last"), optional_number(section, "last_at_least"), section.string("reason")};
  section.finish();
  if (!e.largest && !e.rms && !e.last && !e.last_at_least) section.fail(section.position(), "an error without a bound");
  return e;
}

inline ExpectedLoop read_loop(Section& section) {
  ExpectedLoop e;
  e.setup = read_setup(section);
  if (section.find("controller")) e.controller = section.string("controller");
  e.period = optional_number(section, "period");
  e.may_break_down = optional_flag(section, "may_break_down").value_or(false);
  e.decay = optional_flag(section, "decay").value_or(false);
  e.spectral_radius = read_figure(section, "spectral_radius");
  for (Section& s : section.tables("at_rest", "[[control.at_rest]]")) {
    const std::string input = s.string("input");
    const double value = number(s, "value");
    e.at_rest.push_back({input, {value, read_tolerance(s)}});
    s.finish();
  }
  for (Section& s : section.tables("error", "[[control.error]]")) e.errors.push_back(read_error(s));
  e.warnings = strings(section, "warnings");
  e.values = read_values(section);
  e.references = read_references(section);
  section.finish();
  if (!e.spectral_radius && e.at_rest.empty() && e.errors.empty() && e.values.empty() && e.references.empty())
    section.fail(section.position(), "a loop without a figure to meet");
  return e;
}

inline Expected read_expected(const std::string& path) {
  const Document document = model::read_document(path);
  Section top(document, document.root, {}, "");
  Expected expected;
  for (Section& s : top.tables("run", "[[run]]")) expected.runs.push_back(read_run(s));
  for (Section& s : top.tables("order", "[[order]]")) {
    Setup setup = read_setup(s);
    const double order = number(s, "order");
    expected.orders.push_back({std::move(setup), order, read_reference(s)});
    s.finish();
  }
  for (Section& s : top.tables("invert", "[[invert]]")) expected.inversions.push_back(read_inversion(s));
  for (Section& s : top.tables("optimize", "[[optimize]]")) expected.optima.push_back(read_optimum(s));
  for (Section& s : top.tables("control", "[[control]]")) expected.loops.push_back(read_loop(s));
  top.finish();
  if (expected.runs.empty() && expected.inversions.empty() && expected.optima.empty() && expected.loops.empty())
    fail(document, {}, "no [[run]], [[invert]], [[optimize]] or [[control]]");
  return expected;
}

}  // namespace invar::examples
