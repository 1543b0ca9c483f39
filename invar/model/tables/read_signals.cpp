// [[signal]]: named functions of time for use in formulas.
//
// A signal given by a formula is that formula wherever its name stands; only the others become references of the
// system.
#include <set>

#include "invar/base/message.h"
#include "invar/expr/parse.h"
#include "invar/expr/token.h"
#include "invar/model/file/course.h"

namespace invar::model {
namespace {

constexpr std::size_t most_signals = 1000;  // each formula is read together with all that it contains

struct Formula {
  std::string name;
  const Entry* expr;
  std::set<std::string> contains;  // other signals that are formulas
  bool is_known = false;
};

// Names of signals without a value so far.
std::set<std::string> missing_names(const Reading& reading, const Value& formula) {
  std::set<std::string> result;
  const auto* text = formula.as<std::string>();
  if (text == nullptr) return result;
  try {
    for (Token token = next_token(*text, 0); token.kind != Token::Kind::end; token = next_token(*text, token.end)) {
      const auto name = token.kind == Token::Kind::name ? reading.names.find(token.text) : reading.names.end();
      if (name != reading.names.end() && !name->second.has_value) result.insert(name->first);
    }
  } catch (const FormulaError&) {
    return result;  // the mistake is reported when the formula is read
  }
  return result;
}

void read_signal_formula(Reading& reading, Formula& formula) {
  const std::string where = "signal " + in_quotes(formula.name);
  Name& name = reading.names.find(formula.name)->second;
  name.symbol = read_formula(reading, formula.expr->value, where, {.signal_order = 0});
  at_position(reading, formula.expr->value.position, where + ": ", [&] { refuse_kinks(name.symbol); });
  name.has_value = true;
  formula.is_known = true;
}

// Follows the formulas that are left from one to the next until one returns.
[[noreturn]] void refuse_circle(const Reading& reading, const std::vector<Formula>& formulas) {
  const auto find = [&](const std::string& name) {
    const Formula* found = nullptr;
    for (const Formula& f : formulas)
      if (f.name == name) found = &f;
    return found;
  };
  const auto next = [&](const Formula& f) {
    for (const std::string& name : f.contains)
      if (!find(name)->is_known) return find(name);
    return find(f.name);
  };
  const Formula* f = nullptr;
  for (const Formula& candidate : formulas)
    if (!candidate.is_known && f == nullptr) f = &candidate;
  std::set<std::string> seen;
  while (seen.insert(f->name).second) f = next(*f);
  const std::string through = next(*f)->name;
  fail(reading.document, f->expr->value.position,
       "signal " + in_quotes(f->name) + ": its formula " +
           (through == f->name ? "contains itself" : "leads back to itself through " + in_quotes(through)));
}

// In any order that works; the order in the file does not matter.
void read_formulas(Reading& reading, std::vector<Formula> formulas) {
  for (Formula& f : formulas) f.contains = missing_names(reading, f.expr->value);
  std::size_t left = formulas.size();
  while (left > 0) {
    const std::size_t before = left;
    for (Formula& f : formulas) {
      bool ready = !f.is_known;
      for (const std::string& name : f.contains) ready = ready && reading.names.find(name)->second.has_value;
      if (!ready) continue;
      read_signal_formula(reading, f);
      --left;
    }
    if (left == before) refuse_circle(reading, formulas);
  }
}

void add_signal(Reading& reading, const std::string& name, const Course& course) {
  Name& entry = reading.names.find(name)->second;
  entry.has_value = true;
  if (course.constant) {
    entry.symbol = *course.constant;
    return;
  }
  const Variable reference = reading.problem.system.graph.reference(name);
  entry.symbol = at(reference);
  reading.problem.signals.push_back({name, reference, course.function});
}

}  // namespace

void read_signals(Reading& reading, Section& top) {
  std::vector<Section> sections = top.tables("signal", "[[signal]]");
  if (sections.size() > most_signals)
    top.fail(top.require("signal").value.position, "more than " + std::to_string(most_signals) + " signals");
  reading.has_signals = !sections.empty();
  for (Section& section : sections) {
    const std::string& name = section.string("name");
    add_name(reading.names, reading.document, section.require("name").value.position, name, NameKind::signal)
        .has_value = false;
    section.set_title("signal " + in_quotes(name));
  }
  std::vector<Formula> formulas;
  for (Section& section : sections) {
    const std::string& name = section.string("name");
    const Entry* form = find_form(section);
    if (form && form->key == "expr") {
      refuse_details(section, "\"expr\"");
      formulas.push_back({name, form, {}});
    } else {
      add_signal(reading, name, read_courses(reading, section, form, {{name}, false})[0]);
    }
  }
  read_formulas(reading, std::move(formulas));
}

}  // namespace invar::model
