// See inverse_structure.h.
#include "invar/task/inverse_structure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "invar/expr/derivative.h"
#include "invar/expr/error.h"
#include "invar/math/rank.h"
#include "invar/system/array_solver.h"
#include "invar/system/derivative_array.h"
#include "invar/system/equations.h"
#include "invar/system/stages.h"
#include "invar/system/state_function.h"

namespace invar {

namespace {

std::vector<int> of_kind(const Dae& dae, UnknownKind kind) {
  std::vector<int> found;
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j)
    if (dae.unknowns[j].kind == kind) found.push_back(static_cast<int>(j));
  return found;
}

// Coordinates as given, multipliers and inputs so that the dynamics at rest is satisfied as well as possible.
Jet first_guess(const Problem& problem, const Dae& dae, JetEvaluator& evaluator) {
  Jet jet;
  jet.x.assign(dae.unknowns.size(), {0.0});
  for (std::size_t i = 0; i < problem.q0.size(); ++i) jet.x[i] = {problem.q0[i], problem.v0[i]};
  std::vector<Derivative> rows, columns;
  for (std::size_t i = 0; i < dae.equations.size(); ++i)
    if (dae.equations[i].kind == EquationKind::dynamics) rows.push_back({static_cast<int>(i), 0});
  for (UnknownKind kind : {UnknownKind::multiplier, UnknownKind::input})
    for (int j : of_kind(dae, kind)) columns.push_back({j, 0});
  if (columns.empty()) return jet;
  Matrix f;
  evaluator.residuals(jet, 0, f);
  Vector b(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) b[static_cast<Eigen::Index>(i)] = -f(rows[i].index, 0);
  const Vector x = least_norm(evaluator.array(jet, rows, columns), b);
  for (std::size_t j = 0; j < columns.size(); ++j)
    jet.x[static_cast<std::size_t>(columns[j].index)][0] = x[static_cast<Eigen::Index>(j)];
  return jet;
}

[[noreturn]] void refuse_structure(const Dae& dae, const Offsets& o) {
  std::vector<std::string> equations, unknowns;
  for (int i : o.unmatched_equations) equations.push_back(dae.equations[static_cast<std::size_t>(i)].name);
  for (int j : o.unmatched_unknowns) unknowns.push_back("\"" + dae.unknowns[static_cast<std::size_t>(j)].name + "\"");
  throw InputError(fmt::format(
      "cannot be inverted: nothing is left to satisfy {}, while {} {} in no equation that could determine {}",
      fmt::join(equations, ", "), fmt::join(unknowns, ", "), unknowns.size() == 1 ? "appears" : "appear",
      unknowns.size() == 1 ? "it" : "them"));
}

// Rank of S M⁻¹ Bᵀ, with M⁻¹ of the constrained system: accelerations of the outputs per unit input.
Realisation realisation(const Problem& problem) {
  const System& system = problem.system;
  const Equations e = equations(system);
  Exprs outputs;
  for (const ServoTarget& t : problem.targets) outputs.push_back(t.expr);
  const auto n = static_cast<Eigen::Index>(e.q.size()), m = static_cast<Eigen::Index>(e.constraint.size()),
             inputs = static_cast<Eigen::Index>(system.inputs.size());
  Exprs entries;
  const SparseExprs s = jacobian(outputs, e.q);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) entries.push_back(e.mass.at(static_cast<int>(i), static_cast<int>(j)));
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j < n; ++j) entries.push_back(e.gradient.at(static_cast<int>(i), static_cast<int>(j)));
  for (Eigen::Index i = 0; i < n; ++i)
    for (const Input& u : system.inputs) entries.push_back(u.direction[static_cast<std::size_t>(i)]);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (Eigen::Index j = 0; j < n; ++j) entries.push_back(s.at(static_cast<int>(i), static_cast<int>(j)));
  // Signals in formulas count with their value at the start.
  Exprs from, to;
  for (const Reference& r : problem.signals)
    for (int k = 0; k <= 2; ++k) {
      std::vector<double> series(3);
      r.function->series(0.0, Side::right, series);
      from.push_back(at(r.value, k));
      to.push_back(series[static_cast<std::size_t>(k)] * (k == 2 ? 2.0 : 1.0));
    }
  const std::vector<double> v =
      StateFunction(system, substitute(entries, from, to))({0.0, problem.q0, problem.v0, {}, {}});
  auto value = v.begin();
  Matrix K = Matrix::Zero(n + m, n + m), B = Matrix::Zero(n + m, inputs),
         S(static_cast<Eigen::Index>(outputs.size()), n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) K(i, j) = *value++;
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j < n; ++j) K(n + i, j) = K(j, n + i) = *value++;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < inputs; ++j) B(i, j) = *value++;
  for (Eigen::Index i = 0; i < S.rows(); ++i)
    for (Eigen::Index j = 0; j < n; ++j) S(i, j) = *value++;
  Matrix P(S.rows(), inputs);
  for (Eigen::Index j = 0; j < inputs; ++j) P.col(j) = S * least_norm(K, B.col(j), 1e-12).head(n);
  const double scale = S.norm() * B.norm();
  const int r = P.norm() > 1e-12 * scale ? rank(P, 1e-9, Scaling::none) : 0;
  return r == 0 ? Realisation::tangential : r == inputs ? Realisation::orthogonal : Realisation::mixed;
}

// What the servo rows ask of their references: c_i derivatives, and k more with hidden structure.
std::vector<NeededOrder> needed_orders(const Problem& problem, const InverseStructure& s, int k) {
  std::vector<NeededOrder> list;
  for (std::size_t i = 0; i < s.dae.equations.size(); ++i) {
    if (s.dae.equations[i].kind != EquationKind::servo) continue;
    const ServoTarget& target = problem.targets[list.size()];
    NeededOrder needed{target.output, s.formal.c[i] + k, TimeFunction::analytic, "constant"};
    for (const Reference& r : target.follow) {
      needed.given = r.function->smoothness();
      needed.profile = r.function->describe();
    }
    for (const Reference& r : problem.signals)
      if (depends(target.expr, Exprs{at(r.value)})) {
        needed.given = std::min(needed.given, r.function->smoothness());
        needed.profile = r.function->describe();
      }
    list.push_back(needed);
  }
  return list;
}

void require_smoothness(const InverseStructure& s) {
  for (const NeededOrder& n : s.needed)
    if (n.given < n.order)
      throw InputError(
          fmt::format("trajectory of output \"{}\": the inputs need {} continuous derivatives, but the {} has {}; "
                      "choose a smoother profile, "
                      "such as poly{}",
                      n.output, n.order, n.profile, n.given, 2 * n.order + 1));
}

// A solved jet near the start and, if the start itself is singular, its Taylor expansion there.
bool find_start(InverseStructure& s, StagedSolver& solver, const Jet& guess, double until) {
  constexpr double offsets_tried[] = {0.0, 0.03, 0.06, 0.01, 1e-3};
  for (double offset : offsets_tried) {
    Jet jet = guess;
    jet.t = offset * until;
    if (solver.solve(jet, 14).status != JetResult::Status::converged) continue;
    const double condition = reciprocal_condition(solver.system_jacobian(jet));
    if (condition < regular_above) continue;
    s.conditioning = condition;
    s.singular_start = offset > 0.0;
    s.start = s.singular_start ? shifted(jet, 0.0) : jet;
    return true;
  }
  return false;
}

std::string names_of(const Dae& dae, const std::vector<Derivative>& list) {
  std::vector<std::string> names;
  for (const Derivative& z : list)
    names.push_back("\"" + dae.unknowns[static_cast<std::size_t>(z.index)].name +
                    std::string(static_cast<std::size_t>(z.order), '\'') + "\"");
  return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void refuse_array(const Dae& dae, const ArrayVerdict& v) {
  switch (v.status) {
    case ArrayVerdict::Status::inconsistent: {
      std::vector<std::string> equations;
      for (int i : v.contradicting_equations) equations.push_back(dae.equations[static_cast<std::size_t>(i)].name);
      throw InputError(
          fmt::format("cannot be inverted: no motion follows these trajectories, since {} contradict each other",
                      fmt::join(equations, ", ")));
    }
    case ArrayVerdict::Status::not_invertible:
      throw InputError(fmt::format(
          "cannot be inverted: the outputs do not determine {}; are two of them dependent, or is one beyond the reach "
          "of the inputs?",
          names_of(dae, v.undetermined)));
    default:
      throw InputError(
          "no motion was found at the start that satisfies constraints and trajectories; give [initial] values closer "
          "to it");
  }
}

// Hidden structure: the signature shows too low an index, the derivative array the true one.
int use_derivative_array(const Problem& problem, const Jet& guess, InverseStructure& s) {
  Jet jet = guess;
  const int most = 2 * static_cast<int>(problem.system.coordinates.size());
  const ArrayVerdict verdict = analyse_array(*s.evaluator, s.formal, s.dae, jet, most);
  if (verdict.status != ArrayVerdict::Status::determined) refuse_array(s.dae, verdict);
  s.hidden = true;
  s.index = verdict.index;
  s.degrees_of_freedom = verdict.degrees_of_freedom;
  auto solver = std::make_shared<ArraySolver>(s.dae, s.formal, verdict);
  s.solve = [solver](Jet& x, int extra) {
    const JetResult r = solver->solve(x);
    if (r.status == JetResult::Status::converged) solver->lengthen(x, std::min(extra, 5));
    return r;
  };
  if (s.solve(jet, 5).status != JetResult::Status::converged) {
    ArrayVerdict stalled;
    refuse_array(s.dae, stalled);
  }
  s.start = jet;
  return verdict.k;
}

}  // namespace

std::vector<double> knots_of(const Dae& dae, double until) {
  std::vector<double> knots;
  for (const Reference& r : dae.references)
    for (double knot : r.function->knots())
      if (knot > 0.0 && knot < until) knots.push_back(knot);
  std::sort(knots.begin(), knots.end());
  knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
  return knots;
}

InverseStructure analyse_inverse(const Problem& problem) {
  InverseStructure s;
  s.dae = servo(problem.system, problem.targets, problem.signals);
  s.formal = offsets(signature(s.dae));
  if (!s.formal.regular) refuse_structure(s.dae, s.formal);
  s.realisation = realisation(problem);
  s.evaluator = std::make_shared<JetEvaluator>(s.dae);
  const Jet guess = first_guess(problem, s.dae, *s.evaluator);
  auto staged = std::make_shared<StagedSolver>(*s.evaluator, s.formal);
  if (find_start(s, *staged, guess, problem.invert.until)) {
    s.index = s.formal.index;
    s.degrees_of_freedom = s.formal.degrees_of_freedom;
    s.solve = [staged, keep = s.evaluator](Jet& jet, int extra) { return staged->solve(jet, extra); };
    s.needed = needed_orders(problem, s, 0);
  } else {
    s.more = use_derivative_array(problem, guess, s);
    s.needed = needed_orders(problem, s, s.more);
  }
  require_smoothness(s);
  if (!s.flat()) {
    Jet rest = s.start;
    rest.side = Side::left;  // before anything moves
    if (rest_point(*s.evaluator, rest).status == JetResult::Status::converged)
      s.zero = zero_dynamics(s.dae, s.formal, s.more, rest);
  }
  return s;
}

}  // namespace invar
