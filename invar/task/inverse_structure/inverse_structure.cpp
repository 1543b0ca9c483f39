// See inverse_structure.h.
#include "invar/task/inverse_structure/inverse_structure.h"
#include "invar/task/inverse_structure/low_zeros.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/dae/array_solver.h"
#include "invar/dae/derivative_array.h"
#include "invar/dae/equation_residual.h"
#include "invar/dae/natural_units.h"
#include "invar/dae/stages.h"
#include "invar/expr/derivative.h"
#include "invar/math/rank.h"
#include "invar/system/equations.h"
#include "invar/system/state_function.h"
#include "invar/task/inverse_structure/impossible.h"
#include "invar/task/inverse_structure/reach.h"
#include "invar/task/inverse_structure/singular_start.h"

namespace invar {

namespace {

std::vector<int> of_kind(const Dae& dae, UnknownKind kind) {
  std::vector<int> found;
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j)
    if (dae.unknowns[j].kind == kind) found.push_back(static_cast<int>(j));
  return found;
}

Jet given_start(const Problem& problem, const Dae& dae) {
  Jet jet;
  jet.x.assign(dae.unknowns.size(), {0.0});
  for (std::size_t i = 0; i < problem.q0.size(); ++i) jet.x[i] = {problem.q0[i], problem.v0[i]};
  return jet;
}

// Coordinates as given, multipliers and inputs so that the dynamics at rest is satisfied as well as possible.
Jet first_guess(Jet jet, const Dae& dae, JetEvaluator& evaluator) {
  std::vector<Derivative> rows, columns;
  for (std::size_t i = 0; i < dae.equations.size(); ++i)
    if (dae.equations[i].kind == EquationKind::dynamics) rows.push_back({static_cast<int>(i), 0});
  for (UnknownKind kind : {UnknownKind::multiplier, UnknownKind::input})
    for (int j : of_kind(dae, kind)) columns.push_back({j, 0});
  if (columns.empty()) return jet;
  Matrix f;
  evaluator.residuals(jet, 0, f);
  Vector b(static_cast<Eigen::Index>(rows.size()));
  Matrix A = evaluator.array(jet, rows, columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double unit = dae.units.equation(static_cast<std::size_t>(rows[i].index));
    b[row] = -f(rows[i].index, 0) * unit;
    A.row(row) *= unit;
  }
  for (std::size_t j = 0; j < columns.size(); ++j)
    A.col(static_cast<Eigen::Index>(j)) *= dae.units.unknown(static_cast<std::size_t>(columns[j].index));
  const Vector x = least_norm(A, b);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto index = static_cast<std::size_t>(columns[j].index);
    jet.x[index][0] = x[static_cast<Eigen::Index>(j)] * dae.units.unknown(index);
  }
  return jet;
}

// Rank of S M⁻¹ Bᵀ, with M⁻¹ of the constrained system: accelerations of the outputs per unit input. Rows and columns
// of the augmented matrix belong to equations and unknowns.
Realisation realisation(Matrix augmented, const NaturalUnits& units, Eigen::Index outputs, Eigen::Index inputs,
                        Eigen::Index n) {
  for (Eigen::Index i = 0; i < augmented.rows(); ++i) augmented.row(i) *= units.equation(static_cast<std::size_t>(i));
  for (Eigen::Index j = 0; j < augmented.cols(); ++j)
    augmented.col(j) *= units.unknown(static_cast<std::size_t>(j), j < n ? 2 : 0);
  const Eigen::Index k = augmented.rows() - outputs;
  const Matrix K = augmented.topLeftCorner(k, k), B = augmented.topRightCorner(k, inputs),
               S = augmented.bottomLeftCorner(outputs, n);
  Matrix P(outputs, inputs);
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

// What is given over time and lacks derivatives. A signal in an equation that is differentiated c_i times and k more
// must have as many itself.
std::vector<std::string> rough_references(const Problem& problem, const InverseStructure& s) {
  std::vector<std::string> list;
  for (const NeededOrder& n : s.needed)
    if (n.given < n.order)
      list.push_back(
          fmt::format("trajectory of output \"{}\": the inputs need {} continuous derivatives, but the {} has {}; "
                      "choose a smoother profile, such as poly{}",
                      n.output, n.order, n.profile, n.given, 2 * n.order + 1));
  for (const Reference& r : problem.signals) {
    int order = 0;
    for (std::size_t i = 0; i < s.dae.equations.size(); ++i)
      for (const Expr& symbol : reference_symbols({&s.dae.equations[i].expr, 1}))
        if (symbol.derivative(0) == at(r.value))
          order = std::max(order, symbol.order() + s.formal.c[i] + s.extra_orders);
    if (r.function->smoothness() < order)
      list.push_back(
          fmt::format("signal \"{}\": the inputs need {} continuous derivatives, but the {} has {}; choose a smoother "
                      "profile, such as poly{}",
                      r.name, order, r.function->describe(), r.function->smoothness(), 2 * order + 1));
  }
  return list;
}

// The unknown that the expansion of a jet changes most, compared with those of its kind.
std::string most_changed(const Dae& dae, const Jet& from, const Jet& to) {
  double most = -1.0;
  std::string name;
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j) {
    double typical = 0.0;
    for (std::size_t i = 0; i < dae.unknowns.size(); ++i)
      if (dae.unknowns[i].kind == dae.unknowns[j].kind)
        typical = std::max(typical, std::abs(from.x[i][0]) / dae.units.unknown(i));
    const double change = std::abs(to.x[j][0] - from.x[j][0]) / dae.units.unknown(j) / (typical + 1e-9);
    if (dae.unknowns[j].kind == UnknownKind::input || change <= most) continue;
    most = change;
    name = dae.unknowns[j].name;
  }
  return name;
}

// A solved jet near the start and, if the start itself is singular, its Taylor expansion there, unless that is no
// solution.
bool find_start(InverseStructure& s, StagedSolver& solver, const Jet& guess, double until, std::string& without_limit) {
  constexpr double offsets_tried[] = {0.0, 0.03, 0.06, 0.01, 1e-3};
  constexpr double has_a_limit = 1e-3;  // residual of the equations in an extrapolated start
  for (double offset : offsets_tried) {
    Jet jet = guess;
    jet.t = offset * until;
    if (solver.solve(jet, 14).status != JetResult::Status::converged) continue;
    const double condition = solver.condition(jet);
    if (condition < regular_above) continue;
    const bool later = offset > 0.0;
    const Jet start = later ? shifted(jet, 0.0) : jet;
    // A limit is one only if nothing was free to choose on the way to it.
    if (!later ||
        (s.formal.degrees_of_freedom == 0 && equation_residual(s.dae, *s.evaluator, {&start, 1}) < has_a_limit)) {
      s.conditioning = condition;
      s.singular_start = later;
      s.start = start;
      s.near = jet;
      return true;
    }
    without_limit = most_changed(s.dae, jet, start);
  }
  return false;
}

[[noreturn]] void refuse_singular(const InverseStructure& s) {
  throw InputError("cannot be inverted from this start: " + in_words(s.singular_degree));
}

// A regular start that Newton's method finds only from a guess beside the given one; or is the start singular?
bool find_start_nearby(InverseStructure& s, StagedSolver& solver, const Jet& guess, std::string& without_limit) {
  if (!out_of_reach(s.dae, *s.evaluator, guess).empty()) return false;
  const StartVerdict verdict = judge_start(s.dae, *s.evaluator, s.formal, guess);
  s.singular_degree = verdict.singular;
  if (!without_limit.empty() && s.singular_degree.found()) return false;  // a method for whole motions may go on
  if (!without_limit.empty())
    throw InputError(
        fmt::format("cannot be inverted from this start: the equations are singular at t = 0, and \"{}\" tends to no "
                    "limit there; begin elsewhere or with another profile",
                    without_limit));
  if (!verdict.solution) return false;
  Jet beside = *verdict.solution;
  beside.t = guess.t;
  return find_start(s, solver, beside, 0.0, without_limit);
}

// No solution at the start: is it out of reach, impossible altogether, or only far from the guess?
[[noreturn]] void refuse_start(const InverseStructure& s, const ArrayVerdict& v, const Jet& guess, const Jet& found) {
  if (v.status != ArrayVerdict::Status::not_invertible)
    if (const std::vector<Miss> misses = out_of_reach(s.dae, *s.evaluator, guess); !misses.empty())
      throw InputError(
          fmt::format("cannot be inverted: the trajectories begin out of reach: at t = {:.6g} s the nearest "
                      "configuration found misses {}",
                      guess.t, in_words(misses)));
  if (v.status == ArrayVerdict::Status::stalled)
    throw InputError(
        "no motion was found at the start that satisfies constraints and trajectories; give [initial] values closer to "
        "it");
  require_independent_inputs(*s.augmented, found);
  refuse_array(s.dae, s.formal, v, *s.evaluator, found);
}

// The internal dynamics at rest, if there is any and a rest.
void add_zero_dynamics(InverseStructure& s) {
  if (s.flat()) return;
  Jet rest = s.start;
  rest.side = Side::left;  // before anything moves
  if (rest_point(*s.evaluator, rest).status == JetResult::Status::converged)
    s.zero = zero_dynamics(s.dae, s.formal, s.extra_orders, rest);
  // A point of rest with another structure says nothing about the motion.
  if (s.zero.states.size() != static_cast<std::size_t>(s.degrees_of_freedom)) s.zero = {};
}

// From a singular start only a method that looks at the whole motion at once can go on: the one for unstable internal
// dynamics.
void require_method_for_singular_degree(const InverseStructure& s, const InvertSettings& settings) {
  const std::optional<InverseMethod> method = kind_in(inverse_methods, settings.method);
  const bool whole_motion = method == InverseMethod::automatic || (method && seeks_bounded(*method));
  if (s.singular_degree.found() && !(whole_motion && s.zero.kind == ZeroDynamics::Kind::unstable)) refuse_singular(s);
}

// What the finest mesh of a bounded motion still shows: central differences of step h keep oscillations with |s| h < 2.
double fastest_shown(const InvertSettings& settings) {
  constexpr double fewest = 400.0, most = 1600.0;  // intervals of the coarsest mesh, where it is free to choose
  const double coarsest = std::clamp(settings.step, settings.until / most, settings.until / fewest),
               finest = settings.extrapolate ? coarsest / 4.0 : settings.step / 2.0;
  return 2.0 / finest;
}

// Large systems with unstable internal dynamics, and whoever asks for a method that eliminates nothing: the zeros at
// rest tell what is needed, where elimination would be slow and its ranks in doubt.
bool judged_by_zeros(const Problem& problem, const Jet& guess, InverseStructure& s) {
  const InvertSettings& settings = problem.settings.of<InvertSettings>();
  Jet rest = guess;
  rest.side = Side::left;
  if (rest_point(*s.evaluator, rest).status != JetResult::Status::converged) return false;
  const ZeroDynamics zero = low_zeros(*s.evaluator, s.dae.units, rest, settings.until, fastest_shown(settings));
  if (zero.eigenvalues.empty() || !(zero.kind == ZeroDynamics::Kind::unstable || settings.periodic)) return false;
  s.zero = zero;
  s.by_zeros = true;
  s.realisation = Realisation::undecided;
  s.index = s.formal.index;
  s.degrees_of_freedom = static_cast<int>(zero.eigenvalues.size());
  rest.side = Side::right;
  s.start = rest;
  s.needed = needed_orders(problem, s, 0);
  s.rough = rough_references(problem, s);
  if (!s.rough.empty() && !settings.accept_rough_reference) throw InputError(s.rough.front());
  s.augmented.reset();
  return true;
}

bool too_large_to_eliminate(const Problem& problem, const InverseStructure& s) {
  constexpr std::size_t large = 40;  // unknowns; the derivative array of twice as many takes a minute
  const std::optional<InverseMethod> method = kind_in(inverse_methods, problem.settings.of<InvertSettings>().method);
  return s.dae.unknowns.size() > large && (method == InverseMethod::automatic || (method && seeks_bounded(*method)));
}

// Hidden structure: the signature shows too low an index, the derivative array the true one.
int use_derivative_array(const Problem& problem, const Jet& guess, InverseStructure& s) {
  Jet jet = guess;
  const int most = 2 * static_cast<int>(problem.system.coordinates.size());
  const ArrayVerdict verdict = analyse_array(*s.evaluator, s.formal, s.dae, jet, most);
  const bool determined = verdict.status == ArrayVerdict::Status::determined;
  if (!determined && s.singular_degree.found()) refuse_singular(s);
  if (!determined) refuse_start(s, verdict, guess, jet);
  if (!s.singular_degree.found()) s.singular_degree = differs_nearby(s.dae, *s.evaluator, s.formal, jet, verdict);
  s.hidden = true;
  s.index = verdict.index;
  s.degrees_of_freedom = verdict.degrees_of_freedom;
  auto solver = s.array = std::make_shared<ArraySolver>(s.dae, s.formal, verdict);
  s.solve = [solver](Jet& x, int extra) {
    const JetResult r = solver->solve(x);
    if (r.status == JetResult::Status::converged) solver->lengthen(x, std::min(extra, 5));
    return r;
  };
  if (s.solve(jet, 5).status != JetResult::Status::converged) {
    if (s.singular_degree.found()) refuse_singular(s);
    refuse_start(s, ArrayVerdict(), guess, jet);
  }
  s.start = s.near = jet;
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

InverseStructure analyse_inverse(const Problem& problem, HiddenStructure hidden) {
  InverseStructure s;
  s.dae = servo(problem.system, problem.targets, problem.signals);
  s.unknowns = s.dae.unknowns.size();
  const Signature orders = signature(s.dae);
  require_influence(s.dae, orders);
  s.formal = offsets(orders);
  s.evaluator = std::make_shared<JetEvaluator>(s.dae);
  const Jet given = given_start(problem, s.dae);
  s.dae.units = natural_units(s.dae, *s.evaluator, given, problem.settings.of<InvertSettings>().until);
  s.evaluator->use(s.dae.units);
  const Jet guess = first_guess(given, s.dae, *s.evaluator);
  s.augmented = std::make_shared<AugmentedMatrix>(problem);
  if (!s.formal.regular) {
    require_independent_inputs(*s.augmented, guess);
    refuse_structure(s.dae, orders, s.formal);
  }
  s.realisation = realisation(s.augmented->at(guess), s.dae.units, static_cast<Eigen::Index>(problem.targets.size()),
                              static_cast<Eigen::Index>(problem.system.inputs.size()), s.augmented->coordinates());
  const InvertSettings& settings = problem.settings.of<InvertSettings>();
  if (settings.method == name_in(inverse_methods, InverseMethod::space_time) && judged_by_zeros(problem, guess, s))
    return s;
  auto staged = std::make_shared<StagedSolver>(*s.evaluator, s.formal);
  std::string without_limit;
  const bool regular = find_start(s, *staged, guess, settings.until, without_limit);
  if (!regular && hidden == HiddenStructure::refused) throw InputError("the formulas hide their structure");
  if (!regular && too_large_to_eliminate(problem, s) && judged_by_zeros(problem, guess, s)) return s;
  if (regular || find_start_nearby(s, *staged, guess, without_limit)) {
    s.index = s.formal.index;
    s.degrees_of_freedom = s.formal.degrees_of_freedom;
    s.solve = [staged, keep = s.evaluator](Jet& jet, int extra) { return staged->solve(jet, extra); };
    s.needed = needed_orders(problem, s, 0);
    // The limit from later times is one of several motions.
    if (s.singular_start) s.singular_degree = judge_start(s.dae, *s.evaluator, s.formal, guess).singular;
    if (s.singular_degree.undecided) refuse_singular(s);
    s.singular_degree = {};
  } else {
    s.extra_orders = use_derivative_array(problem, guess, s);
    s.needed = needed_orders(problem, s, s.extra_orders);
  }
  add_zero_dynamics(s);
  require_method_for_singular_degree(s, problem.settings.of<InvertSettings>());
  s.rough = rough_references(problem, s);
  if (!s.rough.empty() && !problem.settings.of<InvertSettings>().accept_rough_reference)
    throw InputError(s.rough.front());
  // With constraints that say something twice it is singular all the time, and tells nothing.
  constexpr double singular = 1e-13;
  if (s.realisation != Realisation::orthogonal || conditioning(*s.augmented, {&s.start, 1}).front() < singular)
    s.augmented.reset();
  return s;
}

}  // namespace invar
