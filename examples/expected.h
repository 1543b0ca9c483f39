// What an example's expected.toml says: runs of its model and the figures that each must meet, with reasons.
//
//   [[run]]                  optional: model, method, step, until, every, set = { m = 2 }; the rest is as in the model
//   degrees_of_freedom = 1   optional
//   warnings = ["text"]      a part of every warning of the run, none if missing
//   [[run.value]]            column, t, value, tolerance
//   [[run.constant]]         column, tolerance: largest change since the start
//   [[run.reference]]        file, columns (all if missing), tolerance: at every time of the file
//   [[order]]                method, step, file, columns, order, tolerance: observed from the errors against the file
//                            at this step and half of it
//
// A tolerance is `absolute`, `relative` or both, and comes with a `reason`; `relative` refers to the value, or to the
// largest one of the column.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "invar/model/document.h"
#include "invar/model/read.h"
#include "invar/model/section.h"

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
  Tolerance tolerance;
};

struct Setup {
  std::string model = "model.toml";
  std::optional<std::string> method;
  std::optional<double> step, until, every;
  Overrides set;
};

struct ExpectedRun {
  Setup setup;
  std::optional<double> degrees_of_freedom;
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

struct Expected {
  std::vector<ExpectedRun> runs;
  std::vector<ExpectedOrder> orders;
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
  if (section.find("method")) s.method = section.string("method");
  s.step = optional_number(section, "step");
  s.until = optional_number(section, "until");
  s.every = optional_number(section, "every");
  if (auto set = section.table("set", "set"))
    for (const Entry& entry : set->entries()) s.set.emplace_back(entry.key, number(*set, entry));
  return s;
}

inline Reference read_reference(Section& section) {
  return {section.string("file"), strings(section, "columns"), read_tolerance(section)};
}

inline ExpectedRun read_run(Section& section) {
  ExpectedRun run;
  run.setup = read_setup(section);
  run.degrees_of_freedom = optional_number(section, "degrees_of_freedom");
  run.warnings = strings(section, "warnings");
  for (Section& s : section.tables("value", "[[run.value]]")) {
    run.values.push_back({s.string("column"), number(s, "t"), number(s, "value"), read_tolerance(s)});
    s.finish();
  }
  for (Section& s : section.tables("constant", "[[run.constant]]")) {
    run.constants.push_back({s.string("column"), read_tolerance(s)});
    s.finish();
  }
  for (Section& s : section.tables("reference", "[[run.reference]]")) {
    run.references.push_back(read_reference(s));
    s.finish();
  }
  section.finish();
  if (run.values.empty() && run.constants.empty() && run.references.empty())
    section.fail(section.position(), "a run without a figure to meet");
  return run;
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
  top.finish();
  if (expected.runs.empty()) fail(document, {}, "no [[run]]");
  return expected;
}

}  // namespace invar::examples
