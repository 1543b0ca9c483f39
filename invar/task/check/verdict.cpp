// See verdict.h.
#include "invar/task/check/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "invar/base/error.h"
#include "invar/expr/symbol_places.h"
#include "invar/system/start/finite_start.h"
#include "invar/task/check/diagnosis.h"
#include "invar/task/run/problem_scheme.h"
#include "invar/task/run/problem_start.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {

namespace {

std::string counted(std::size_t count, const char* noun, const char* plural = nullptr) {
  return fmt::format("{} {}", count, count == 1 ? noun : (plural ? plural : fmt::format("{}s", noun)));
}

std::string constraint_kinds(const System& system) {
  std::size_t quadratic = 0, other = 0, rolling = 0, acceleration = 0;
  const SymbolPlaces q(positions(system));
  for (const Constraint& c : system.constraints) {
    if (c.level == Level::velocity)
      ++rolling;
    else if (c.level == Level::acceleration)
      ++acceleration;
    else
      ++(degree(c.expr, q).value_or(3) <= 2 ? quadratic : other);
  }
  std::vector<std::string> kinds;
  if (quadratic > 0) kinds.push_back(fmt::format("{} at most quadratic", quadratic));
  if (other > 0) kinds.push_back(fmt::format("{} of higher degree", other));
  if (rolling > 0) kinds.push_back(fmt::format("{} at velocity level", rolling));
  if (acceleration > 0) kinds.push_back(fmt::format("{} at acceleration level", acceleration));
  return kinds.empty() ? std::string() : fmt::format(" ({})", fmt::join(kinds, ", "));
}

std::string because(const Redundancy& r, const PartNames& names) {
  if (r.follows_from.empty()) return fmt::format("\"{}\" has a vanishing gradient", r.constraint);
  constexpr std::size_t readable = 6;
  if (r.follows_from.size() <= readable)
    return fmt::format("\"{}\" follows from \"{}\"", r.constraint, fmt::join(r.follows_from, "\", \""));
  return fmt::format("\"{}\" follows from {} others, of {}", r.constraint, r.follows_from.size(),
                     names.in_words(names.connections(r.follows_from)));
}

std::string mass_matrix_kind(const Start& start, std::size_t coordinates) {
  const std::size_t missing = coordinates - static_cast<std::size_t>(start.mass_rank);
  const char* kind = start.mass_kind == MassKind::constant ? "constant" : "configuration-dependent";
  return missing == 0 ? kind : fmt::format("{}, singular (rank {} of {})", kind, start.mass_rank, coordinates);
}

std::vector<std::string> mass_warnings(const Problem& problem, const Start& start,
                                       const std::optional<Diagnosis>& diagnosis) {
  std::vector<std::string> list;
  for (const std::string& name : start.negative_masses)
    list.push_back(fmt::format(
        "negative mass at the start: motions of {} have a negative kinetic energy; is a sign wrong?", name));
  if (diagnosis)
    for (std::string& w : diagnosis->inertia_warnings(problem, start)) list.push_back(std::move(w));
  return list;
}

std::optional<Diagnosis> diagnosis_of(const Problem& problem) {
  return problem.mechanism ? std::optional<Diagnosis>(problem) : std::nullopt;
}

std::vector<std::string> warnings(const Problem& problem, const Start& start,
                                  const std::optional<Diagnosis>& diagnosis) {
  const PartNames names(problem);
  std::vector<std::string> list;
  for (const Redundancy& r : start.redundant)
    list.push_back(
        fmt::format("redundant constraint left out: {}; its multiplier is reported as zero", because(r, names)));
  for (const Redundancy& r : start.singular)
    list.push_back(fmt::format("singular start configuration: {} here, though not nearby", because(r, names)));
  for (std::string& w : mass_warnings(problem, start, diagnosis)) list.push_back(std::move(w));
  return list;
}

const Start& start_of(const Prepared& prepared) {
  const Problem& problem = prepared.problem();
  const bool finds_inputs = !problem.targets.empty() || problem.settings.find_inputs();
  return finds_inputs && problem.settings.of<SimulateSettings>().inputs.empty()
             ? prepared.part<OpenStart>().point().report
             : prepared.part<GivenStart>().point().report;
}

}  // namespace

Verdict check(const Problem& problem) { return check(Prepared(problem)); }

Verdict check(const Prepared& prepared) {
  const Problem& problem = prepared.problem();
  const System& system = problem.system;
  Verdict v;
  v.start = start_of(prepared);
  v.conserved = conserved_quantities(system);
  Summary& s = v.summary;
  describe_start(problem, v.start, s);
  describe_conserved(problem, v.conserved, s);
  s.task = "check";
  s.method = simulation_scheme(problem).info.name;
  return v;
}

void describe_model(const Problem& problem, Summary& s) {
  const System& system = problem.system;
  s.name = problem.name;
  s.formulation = name_of(problem.formulation);
  for (const Parameter& p : system.parameters) s.parameters.emplace_back(p.name, p.value);
  s.counts = {system.coordinates.size(), system.constraints.size(), system.inputs.size(), system.outputs.size(), 0};
}

struct StartReport::Formulas {
  FiniteFormulas finite;
  std::optional<Diagnosis> diagnosis;  // of a mechanism
};

StartReport::StartReport(const Problem& problem)
    : formulas_(std::make_shared<const Formulas>(Formulas{
          FiniteFormulas(problem.system, formulas_of_model(problem.system), problem.signals), diagnosis_of(problem)})) {
}

void StartReport::expect_finite(const Problem& problem, const Start& start) const {
  formulas_->finite.expect_finite(problem.system, {start.state.t, start.state.q, start.state.v, {}, {}});
}

void StartReport::describe(const Problem& problem, const Start& start, Summary& s) const {
  const System& system = problem.system;
  expect_finite(problem, start);
  describe_model(problem, s);
  const SimulateSettings& settings = problem.settings.of<SimulateSettings>();
  s.step = settings.step;
  s.until = settings.until;
  s.counts.degrees_of_freedom = static_cast<std::size_t>(start.degrees_of_freedom);
  s.structure.mass_matrix = mass_matrix_kind(start, system.coordinates.size());
  for (const Redundancy& r : start.redundant)
    s.structure.redundant_constraints.push_back({r.constraint, r.follows_from});
  for (const Change& c : start.changes) s.initial_changes.push_back({c.name, c.given, c.used});
  const std::optional<Diagnosis>& diagnosis = formulas_->diagnosis;
  if (diagnosis) s.structure.mechanism = diagnosis->mechanism(problem, start);
  s.warnings = warnings(problem, start, diagnosis);
}

void describe_start(const Problem& problem, const Start& start, Summary& s) {
  StartReport(problem).describe(problem, start, s);
}

std::vector<std::string> model_warnings(const Prepared& prepared) {
  try {
    return mass_warnings(prepared.problem(), start_of(prepared), diagnosis_of(prepared.problem()));
  } catch (const InputError&) {
    return {};  // a start that cannot be is for those tasks to refuse that begin there
  }
}

void describe_conserved(const Problem& problem, const std::vector<Conserved>& conserved, Summary& s) {
  for (const Conserved& c : conserved) {
    const bool declared =
        std::ranges::find(problem.system.invariants, c.column, &Quantity::name) != problem.system.invariants.end();
    s.structure.conserved.push_back({c.column, c.expected, declared, c.why_not});
  }
}

std::string in_words(const Problem& problem, const Verdict& v) {
  const System& system = problem.system;
  std::string text =
      fmt::format("{}: {}, {}{}, {}, {}\n", problem.name, counted(system.coordinates.size(), "coordinate"),
                  counted(system.constraints.size(), "constraint"), constraint_kinds(system),
                  counted(system.inputs.size(), "input"), counted(system.outputs.size(), "output"));
  text += fmt::format("  {}; mass matrix {}\n",
                      counted(v.summary.counts.degrees_of_freedom, "degree of freedom", "degrees of freedom"),
                      v.summary.structure.mass_matrix);
  const PartNames names(problem);
  const Summary::Structure& structure = v.summary.structure;
  if (structure.mechanism)
    text += in_words(*structure.mechanism) + in_words(structure.conserved, names);
  else
    for (const Summary::Kept& k : structure.conserved)
      text += k.declared    ? fmt::format("  {} is declared constant\n", k.name)
              : k.conserved ? fmt::format("  {} is conserved\n", k.name)
                            : fmt::format("  {} is not conserved: {}\n", k.name, k.why_not);
  if (v.start.changes.empty()) text += "  the start is consistent\n";
  for (const Change& c : v.start.changes)
    text += fmt::format("  the start was made consistent: {} = {:.9g} instead of {:.9g}\n", c.name, c.used, c.given);
  text += fmt::format("  invar simulate will use {}, step {:.6g} s, until {:.6g} s\n", v.summary.method, v.summary.step,
                      v.summary.until);
  return text;
}

}  // namespace invar
