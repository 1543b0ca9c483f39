// See project.h.
#include "invar/dae/project.h"

#include <fmt/format.h>

#include <algorithm>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/math/rank.h"

namespace invar {

namespace {

// An output or constraint whose direction is taken out of the dynamics.
struct Prescribed {
  std::size_t equation;
  int derivatives;    // that bring it to the level of accelerations
  Expr acceleration;  // there
};

struct Replacement {
  Exprs from, to;
  Expr operator()(const Expr& f) const { return substitute(f, from, to); }
};

std::vector<std::size_t> equations_of(const Dae& dae, EquationKind kind) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < dae.equations.size(); ++i)
    if (dae.equations[i].kind == kind) list.push_back(i);
  return list;
}

std::vector<std::size_t> coordinates_of(const Dae& dae) {
  std::vector<std::size_t> list;
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j)
    if (dae.unknowns[j].kind == UnknownKind::coordinate) list.push_back(j);
  return list;
}

Prescribed prescribed(const Dae& dae, const Signature& s, std::size_t i) {
  int order = Signature::absent;
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j) {
    if (s.order[i][j] == Signature::absent) continue;
    if (dae.unknowns[j].kind != UnknownKind::coordinate)
      throw InputError(
          fmt::format("the projection method takes outputs of coordinates and their rates, but {} contains \"{}\"",
                      dae.equations[i].name, dae.unknowns[j].name));
    order = std::max(order, s.order[i][j]);
  }
  if (order == Signature::absent || order > 2)
    throw InputError(
        fmt::format("the projection method takes outputs of coordinates and their rates up to the second, but {} {}",
                    dae.equations[i].name, order > 2 ? "contains higher ones" : "contains none"));
  Prescribed p{i, 2 - order, dae.equations[i].expr};
  for (int n = 0; n < p.derivatives; ++n) p.acceleration = ddt(p.acceleration);
  return p;
}

std::vector<Prescribed> all_prescribed(const Dae& dae, ProjectionForm form) {
  const Signature s = signature(dae);
  std::vector<Prescribed> all;
  for (const std::size_t i : equations_of(dae, EquationKind::servo)) all.push_back(prescribed(dae, s, i));
  if (form == ProjectionForm::dependent)
    for (const std::size_t i : equations_of(dae, EquationKind::constraint)) all.push_back(prescribed(dae, s, i));
  return all;
}

// Places among the coordinates that the prescribed accelerations contain, and those joined to them by the mass matrix.
// Row i of the dynamics belongs to coordinate i.
std::vector<std::size_t> met_by(const Dae& dae, const std::vector<Prescribed>& all) {
  const std::vector<std::size_t> q = coordinates_of(dae), dynamics = equations_of(dae, EquationKind::dynamics);
  const Signature s = signature(dae);
  std::vector<bool> met(q.size(), false);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const Expr a = at(dae.unknowns[q[i]].variable, 2);
    met[i] = std::any_of(all.begin(), all.end(), [&](const Prescribed& p) { return depends(p.acceleration, {&a, 1}); });
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t i = 0; i < q.size(); ++i)
      for (std::size_t j = 0; j < q.size(); ++j)
        if (s.order[dynamics[i]][q[j]] == 2 && met[i] != met[j]) met[i] = met[j] = grown = true;
  }
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < q.size(); ++i)
    if (met[i]) places.push_back(i);
  return places;
}

std::vector<std::size_t> accelerations_of(const Dae& dae, const std::vector<Prescribed>& all, ProjectionForm form) {
  if (form == ProjectionForm::redundant) return met_by(dae, all);
  std::vector<std::size_t> places(coordinates_of(dae).size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  return places;
}

// Rows of the mass matrix and of prescribed gradients, in the columns of some accelerations.
struct Gradients {
  Matrix mass, prescribed;

  Gradients(const Dae& dae, const std::vector<Prescribed>& all, const std::vector<std::size_t>& places, const Jet& at) {
    const std::vector<std::size_t> q = coordinates_of(dae), dynamics = equations_of(dae, EquationKind::dynamics);
    std::vector<Derivative> accelerations, forces, rows;
    for (const std::size_t i : places) {
      accelerations.push_back({static_cast<int>(q[i]), 2});
      forces.push_back({static_cast<int>(dynamics[i]), 0});
    }
    for (const Prescribed& p : all) rows.push_back({static_cast<int>(p.equation), p.derivatives});
    JetEvaluator evaluator(dae);
    mass = evaluator.array(at, forces, accelerations);
    prescribed = evaluator.array(at, rows, accelerations);
  }

  // The first place whose inertia depends on that of others, or -1.
  int without_inertia() const {
    const std::vector<Dependency> dependent = row_rank(mass).dependent;
    return dependent.empty() ? -1 : dependent.front().row;
  }
  // Is there a motion that the prescribed rows permit and that has no inertia?
  bool leaves_open() const {
    Matrix both(mass.rows() + prescribed.rows(), mass.cols());
    both << mass, prescribed;
    return rank(both, rank_tolerance, Scaling::rows) < mass.cols();
  }
};

// The part of the mass matrix that counts must be regular; returns the names of prescribed equations that say the same
// as others.
std::vector<std::string> check_ranks(const Dae& dae, const std::vector<Prescribed>& all, ProjectionForm form,
                                     const std::vector<std::size_t>& places, const Jet& at) {
  const Gradients gradients(dae, all, places, at);
  const int open = gradients.without_inertia();
  if (open >= 0 && (form == ProjectionForm::redundant || gradients.leaves_open()))
    throw InputError(
        fmt::format("the projection method needs inertia where outputs are prescribed, but \"{}\" has none of its own; "
                    "use method = "
                    "\"minimal-extension\"",
                    dae.unknowns[coordinates_of(dae)[places[static_cast<std::size_t>(open)]]].name));
  std::vector<std::string> dependent;
  for (const Dependency& d : row_rank(gradients.prescribed).dependent)
    dependent.push_back(dae.equations[all[static_cast<std::size_t>(d.row)].equation].name);
  return dependent;
}

// q_j' = γ', and likewise q_j'' if the order is 2, for each output k q_j = k γ(t) with a constant k.
Replacement rates_of_references(const Dae& dae, int order) {
  Replacement r;
  for (const std::size_t i : equations_of(dae, EquationKind::servo))
    for (const std::size_t j : coordinates_of(dae)) {
      const Expr& f = dae.equations[i].expr;
      const Expr q = at(dae.unknowns[j].variable), factor = gradient(f, {&q, 1})[0], zero = 0.0;
      Expr gamma = substitute(f, {&q, 1}, {&zero, 1});
      const Exprs others = symbols({&gamma, 1});
      const auto unknown = [](const Expr& s) { return s.kind() == SymbolKind::variable; };
      if (!factor.is_constant() || factor.is_constant(0.0) || std::any_of(others.begin(), others.end(), unknown))
        continue;
      gamma = -gamma / factor;
      for (int n = 1; n <= order; ++n) {
        gamma = ddt(gamma);
        r.from.push_back(at(dae.unknowns[j].variable, n));
        r.to.push_back(gamma);
      }
    }
  return r;
}

// Adds accelerations a, as dummies; returns q'' → a.
Replacement add_accelerations(ReducedDae& result, const std::vector<std::size_t>& places) {
  Replacement r;
  const std::vector<std::size_t> coordinates = coordinates_of(result.dae);
  for (const std::size_t i : places) {
    const std::size_t j = coordinates[i];
    const DaeUnknown q = result.dae.unknowns[j];
    const std::string name = q.name + "''";
    result.dummies.push_back({static_cast<int>(result.dae.unknowns.size()), static_cast<int>(j), 2});
    result.dae.unknowns.push_back({name, result.dae.graph.variable(name), UnknownKind::coordinate});
    r.from.push_back(at(q.variable, 2));
    r.to.push_back(at(result.dae.unknowns.back().variable));
  }
  return r;
}

}  // namespace

ProjectionForm projection_form(const Dae& dae, const Jet& at) {
  if (equations_of(dae, EquationKind::constraint).empty()) return ProjectionForm::redundant;
  const auto singular = [&](ProjectionForm form) {
    const std::vector<Prescribed> all = all_prescribed(dae, form);
    return Gradients(dae, all, accelerations_of(dae, all, form), at).without_inertia() >= 0;
  };
  const bool mass_is_singular = singular(ProjectionForm::dependent);
  return mass_is_singular && !singular(ProjectionForm::redundant) ? ProjectionForm::redundant
                                                                  : ProjectionForm::dependent;
}

ReducedDae project(const Dae& dae, ProjectionForm form, const Jet& start) {
  const std::vector<std::size_t> dynamics = equations_of(dae, EquationKind::dynamics);
  expects(dynamics.size() == coordinates_of(dae).size(), "one equation of motion for each coordinate");
  const std::vector<Prescribed> all = all_prescribed(dae, form);
  const std::vector<std::size_t> places = accelerations_of(dae, all, form);
  ReducedDae result{dae, {}, check_ranks(dae, all, form, places, start)};
  if (!result.regular()) return result;

  const bool from_references = form == ProjectionForm::dependent;
  const Replacement velocities = from_references ? rates_of_references(dae, 1) : Replacement{};
  const Replacement rates = from_references ? rates_of_references(dae, 2) : Replacement{};
  const Replacement a = add_accelerations(result, places);
  Exprs level, accelerations;
  for (const Prescribed& p : all) level.push_back(p.acceleration);
  for (const std::size_t j : coordinates_of(dae)) accelerations.push_back(at(dae.unknowns[j].variable, 2));
  const SparseExprs gradient = jacobian(level, accelerations);

  Exprs mu;
  for (const Prescribed& p : all) {
    const DaeEquation& e = dae.equations[p.equation];
    const std::string name = "projection on " + e.name;
    result.dae.unknowns.push_back({name, dae.graph.variable(name), UnknownKind::multiplier});
    mu.push_back(at(result.dae.unknowns.back().variable));
    result.dae.equations.push_back({name, a(velocities(p.acceleration)), e.kind});
  }
  for (std::size_t i = 0; i < dynamics.size(); ++i) {
    const DaeEquation& e = dae.equations[dynamics[i]];
    Expr along = rates(e.expr);
    for (std::size_t k = 0; k < mu.size(); ++k) along -= gradient.at(static_cast<int>(k), static_cast<int>(i)) * mu[k];
    result.dae.equations[dynamics[i]].expr = along;
    if (std::binary_search(places.begin(), places.end(), i))
      result.dae.equations.push_back({"accelerations in " + e.name, a(velocities(e.expr)), EquationKind::dynamics});
  }
  return result;
}

}  // namespace invar
