// See mechanism_problem.h.
#include "invar/model/problem/mechanism_problem.h"

#include <utility>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/model/mechanism/assemble.h"
#include "invar/model/mechanism/joint_form.h"
#include "invar/model/mechanism/minimal.h"
#include "invar/system/reduce.h"

namespace invar {

namespace {

// Decisions that were made with the values of the parameters in these formulas.
void note_decided(const Exprs& formulas, const char* what, Problem& problem) {
  for (const Expr& symbol : symbols(formulas))
    if (symbol.kind() == SymbolKind::parameter) problem.parameter_use.fixed.emplace(symbol.name(), what);
}

}  // namespace

void write_equations(Problem& problem) {
  if (problem.mechanism->is_flexible() && problem.formulation != Formulation::director)
    throw InputError(
        "beams and strings are described by the directors and places of their nodes: use the formulation "
        "\"director\"");
  const bool minimal_wanted = problem.formulation == Formulation::minimal;
  Assembly assembly = assemble(*problem.mechanism, minimal_wanted ? Friction::on_angles : Friction::between_bodies);
  note_decided(assembly.decided, "whether momenta are conserved", problem);
  if (minimal_wanted) {
    MinimalForm minimal = minimal_form(*problem.mechanism, assembly);
    Reduced reduced = reduce(assembly.system, minimal.mapping);
    note_decided(reduced.tried, "which constraints joint coordinates need", problem);
    problem.system = std::move(reduced.system);
    problem.satisfied = std::move(reduced.satisfied);
    problem.q0 = std::move(minimal.start);
    problem.v0 = std::move(minimal.rate);
    return;
  }
  problem.system = std::move(assembly.system);
  know_joints(problem.system, problem.mechanism);
  problem.q0 = std::move(assembly.q0);
  problem.v0 = std::move(assembly.v0);
}

Problem problem_of(const Mechanism& mechanism, Formulation formulation) {
  Problem problem;
  problem.name = "mechanism";
  problem.formulation = formulation;
  problem.mechanism = std::make_shared<const Mechanism>(mechanism);
  write_equations(problem);
  return problem;
}

}  // namespace invar
