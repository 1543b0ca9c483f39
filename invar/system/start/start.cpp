// See start.h.
#include "invar/system/start/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <random>

#include "invar/base/error.h"
#include "invar/base/once.h"
#include "invar/math/rank.h"
#include "invar/system/massless.h"
#include "invar/system/start/finite_start.h"
#include "invar/system/start/sparse_start.h"
#include "invar/system/start/start_evaluation.h"
#include "invar/system/start/start_metric.h"
#include "invar/system/start/tree_start.h"

namespace invar {

namespace {

// Violations below this share of the terms of a constraint are round-off. So are those that a still smaller part of the
// largest coordinate explains.
constexpr double satisfied = 1e-12;
constexpr double jitter = 1e-3;
constexpr int max_corrections = 60;

Matrix rows_of(const Matrix& m, const std::vector<int>& rows) {
  Matrix part(static_cast<Eigen::Index>(rows.size()), m.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) part.row(static_cast<Eigen::Index>(i)) = m.row(rows[i]);
  return part;
}

Vector rows_of(const Vector& x, const std::vector<int>& rows) {
  Vector part(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) part[static_cast<Eigen::Index>(i)] = x[rows[i]];
  return part;
}

std::vector<int> of_level(const StartEvaluation& at, std::initializer_list<Level> levels) {
  std::vector<int> rows;
  for (int c = 0; c < at.constraints(); ++c)
    if (std::find(levels.begin(), levels.end(), at.level(c)) != levels.end()) rows.push_back(c);
  return rows;
}

double largest(const std::vector<double>& x) {
  double most = 0.0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

// |Φ_i| relative to the size of its terms, or to what a small part of the largest coordinate would do.
double relative(double violation, double terms, const Matrix& gradient, int row, double largest_coordinate) {
  const double scale = terms + jitter * gradient.row(row).cwiseAbs().sum() * largest_coordinate;
  const double share = violation == 0.0 ? 0.0 : std::abs(violation) / std::max(scale, 1e-300);
  return std::isfinite(share) ? share : std::numeric_limits<double>::max();
}

// Moves s.q onto the position constraints `rows`; false if that fails. By the shortest steps, for which math/newton.h,
// with as many equations as unknowns, has no room.
bool project_positions(StartEvaluation& at, State& s, const Matrix& W, const std::vector<int>& rows) {
  const double given = largest(s.q);
  auto worst = [&] {
    const Matrix gradient = at.gradient(s);
    const Vector value = at.value(s), size = at.value_size(s);
    double w = 0.0;
    for (int c : rows) w = std::max(w, relative(value[c], size[c], gradient, c, std::max(given, largest(s.q))));
    return w;
  };
  double now = worst();
  for (int k = 0; k < max_corrections && now > satisfied; ++k) {
    const Vector step = project(rows_of(at.gradient(s), rows), -rows_of(at.value(s), rows), W).step;
    const std::vector<double> before = s.q;
    double after = now;
    for (double length = 1.0; length > 1e-3; length *= 0.5) {
      for (std::size_t i = 0; i < s.q.size(); ++i) s.q[i] = before[i] + length * step[static_cast<Eigen::Index>(i)];
      after = worst();
      if (after < now) break;
    }
    if (after >= now) {
      s.q = before;
      break;
    }
    now = after;
  }
  return now <= 1e3 * satisfied;
}

[[noreturn]] void report_violation(const System& system, const Vector& value, const Matrix& gradient,
                                   const std::vector<int>& rows, const char* what) {
  std::vector<int> order = rows;
  std::sort(order.begin(), order.end(), [&](int x, int y) { return std::abs(value[x]) > std::abs(value[y]); });
  std::string list;
  for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 5); ++i)
    list += fmt::format("{}\"{}\" {:.3g}", i ? ", " : "", system.constraints[static_cast<std::size_t>(order[i])].name,
                        value[order[i]]);
  const int worst = order.front();
  if (gradient.row(worst).isZero(0.0))
    list += fmt::format("; \"{}\" has a vanishing gradient there, so that no change reduces it: start elsewhere",
                        system.constraints[static_cast<std::size_t>(worst)].name);
  throw InputError(
      fmt::format("initial {} cannot be made to satisfy the constraints; nearest has residual {}", what, list));
}

Redundancy named(const System& system, const Dependency& d) {
  Redundancy r{system.constraints[static_cast<std::size_t>(d.row)].name, {}};
  for (const auto& [row, factor] : d.combination)
    r.follows_from.push_back(system.constraints[static_cast<std::size_t>(row)].name);
  return r;
}

// A dependency that disappears in a neighbouring configuration belongs to the configuration, not to the system.
// Coordinates count with the roots of their masses, whatever their units.
void find_redundancy(const System& system, StartEvaluation& at, const State& s, const Matrix& W, Start& start) {
  const Vector unit = W.diagonal().cwiseSqrt().cwiseInverse();
  const RowRank here = row_rank(at.gradient(s) * unit.asDiagonal());
  start.degrees_of_freedom = at.coordinates() - here.rank;
  if (here.dependent.empty()) return;
  constexpr double excursion = 1e-2;  // of the coordinates: far enough to see second-order effects, near enough to stay
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  State near = s;
  Vector direction(at.coordinates());
  for (double& x : direction) x = normal(random);
  const Matrix free = null_space(at.gradient(s) * unit.asDiagonal());
  direction = free * (free.transpose() * direction);
  const double size = Eigen::Map<const Vector>(s.q.data(), unit.size()).cwiseQuotient(unit).cwiseAbs().maxCoeff();
  direction = (size > 0.0 ? size : 1.0) * unit.cwiseProduct(direction);
  for (std::size_t i = 0; i < near.q.size(); ++i) near.q[i] += excursion * direction[static_cast<Eigen::Index>(i)];
  std::vector<int> kept_positions;
  for (int c : here.independent)
    if (at.level(c) == Level::position) kept_positions.push_back(c);
  const bool moved = free.cols() > 0 && project_positions(at, near, W, kept_positions);
  const RowRank there = moved ? row_rank(at.gradient(near) * unit.asDiagonal()) : here;
  for (const Dependency& d : here.dependent) {
    const bool persists = std::any_of(there.dependent.begin(), there.dependent.end(),
                                      [&](const Dependency& other) { return other.row == d.row; });
    (persists ? start.redundant : start.singular).push_back(named(system, d));
  }
}

// [M Gᵀ; G 0][a; λ] = -[dynamics; acceleration of constraints] at a = 0, λ = 0, symmetrically scaled; the shortest
// solution where massless coordinates or redundant constraints leave a choice.
void solve_motion(StartEvaluation& at, State& s, std::span<const double> u) {
  const int n = at.coordinates(), m = at.constraints();
  s.a.assign(static_cast<std::size_t>(n), 0.0);
  s.lambda.assign(static_cast<std::size_t>(m), 0.0);
  Matrix K = Matrix::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = at.mass(s);
  K.bottomLeftCorner(m, n) = at.gradient(s);
  K.topRightCorner(n, m) = K.bottomLeftCorner(m, n).transpose();
  Vector scale = Vector::Ones(n + m);
  for (int sweep = 0; sweep < 4; ++sweep)
    for (int i = 0; i < n + m; ++i) {
      const double size = std::sqrt((scale[i] * K.row(i).transpose().cwiseProduct(scale)).cwiseAbs().maxCoeff());
      if (size > 0.0) scale[i] /= size;
    }
  const Vector b = -scale.cwiseProduct(at.motion(s, u));
  const Vector x = scale.cwiseProduct(least_norm(scale.asDiagonal() * K * scale.asDiagonal(), b, 1e-13));
  for (int i = 0; i < n; ++i) s.a[static_cast<std::size_t>(i)] = x[i];
  for (int c = 0; c < m; ++c) s.lambda[static_cast<std::size_t>(c)] = x[n + c];
}

}  // namespace

void note_changes(const System& system, const State& given, const State& used, std::vector<Change>& changes) {
  constexpr double visible = 1e-9;  // smaller changes are rounding of the user's digits
  auto compare = [&](const std::vector<double>& from, const std::vector<double>& to, const char* prime) {
    for (std::size_t i = 0; i < to.size(); ++i)
      if (std::abs(to[i] - from[i]) > visible * std::max(1.0, std::abs(from[i])))
        changes.push_back({system.coordinates[i].name() + prime, from[i], to[i]});
  };
  compare(given.q, used.q, "");
  compare(given.v, used.v, "'");
}

namespace {

// The smallest change of velocities, weighted by W, that satisfies the constraints.
void project_velocities(const System& system, StartEvaluation& at, State& s, const Matrix& W) {
  const std::vector<int> moving = of_level(at, {Level::position, Level::velocity});
  if (moving.empty()) return;
  const double given = largest(s.v);
  const Matrix gradient = at.gradient(s);
  const Vector step = project(rows_of(gradient, moving), -rows_of(at.rate(s), moving), W).step;
  for (std::size_t i = 0; i < s.v.size(); ++i) s.v[i] += step[static_cast<Eigen::Index>(i)];
  const Vector left = at.rate(s), size = at.rate_size(s);
  for (int c : moving)
    if (relative(left[c], size[c], gradient, c, std::max(given, largest(s.v))) > 1e3 * satisfied)
      report_violation(system, left, gradient, moving, "velocity");
}

// See massless.h; whether there are any. A coordinate that nothing can bring into balance has no motion.
bool settle_massless(const System& system, StartEvaluation& at, State& s, const MasslessBalance::Inputs& inputs,
                     const std::function<MasslessBalance()>& make_balance) {
  const auto find_directions = [&](const State& state) {
    return MasslessBalance::directions(at.mass(state), at.gradient(state));
  };
  if (find_directions(s).cols() == 0) return false;
  MasslessBalance balance = make_balance();
  const std::vector<int> holonomic = of_level(at, {Level::position});
  const auto complete = [&](State& state) {
    const Matrix W = metric(at.mass(state));
    project_positions(at, state, W, holonomic);
    project_velocities(system, at, state, W);
    solve_motion(at, state, inputs.u);
  };
  const MasslessBalance::Imbalance left = balance.settle(s, inputs, find_directions, complete);
  constexpr double acceptable = 1e-6;  // of the terms
  if (!(left.relative <= acceptable))
    throw InputError(
        fmt::format("coordinate \"{}\" has no mass, and nothing brings the forces on it into balance at the start "
                    "({:.1e} of them is left): give it a mass, or a spring or damper that takes up the rest",
                    left.coordinate, left.relative));
  return true;
}

}  // namespace

// Each is derived when a start first needs it.
struct ConsistentStart::Formulas {
  System system;
  std::vector<Reference> references;
  Once<TreeStart> tree;
  Once<SparseStart> sparse;
  Once<StartEvaluation> dense;
  Once<MasslessBalance> massless;

  Formulas(const System& s, std::span<const Reference> r) : system(s), references(r.begin(), r.end()) {}

  std::optional<Start> tree_start(const StartGiven& given, std::span<const double> parameters) {
    if (!TreeStart::serves(system)) return std::nullopt;
    return tree.get([&] { return TreeStart(system, references); }).solve(given.state, given.u, parameters);
  }
  std::optional<Start> sparse_start(const StartGiven& given, std::span<const double> parameters) {
    if (system.coordinates.size() + system.constraints.size() <= large_start) return std::nullopt;
    return sparse.get([&] { return SparseStart(system, references); }).solve(system, given.state, given.u, parameters);
  }
  StartEvaluation evaluation(std::span<const double> parameters) {
    StartEvaluation at = dense.get([&] { return StartEvaluation(system, references); });
    at.set_parameters(parameters);
    return at;
  }
  MasslessBalance balance(const Equations& e, std::span<const double> parameters) {
    MasslessBalance b = massless.get([&] { return MasslessBalance(system, e, references); });
    b.set_parameters(parameters);
    return b;
  }
  [[noreturn]] void refuse_what_is_not_finite(const Equations& e, const State& s, std::span<const double> u,
                                              std::span<const double> parameters) {
    System with_values = system;
    for (std::size_t i = 0; i < parameters.size(); ++i) with_values.parameters[i].value = parameters[i];
    expect_finite(with_values, formulas_of_motion(system, e), s, u, references);
    throw InputError("a formula has no finite value at the start");
  }
};

ConsistentStart::ConsistentStart(const System& system, std::span<const Reference> references)
    : formulas_(std::make_shared<Formulas>(system, references)) {}

Start ConsistentStart::operator()(const StartGiven& given, std::span<const double> parameters) const {
  if (std::optional<Start> start = formulas_->tree_start(given, parameters)) return *start;
  if (std::optional<Start> start = formulas_->sparse_start(given, parameters)) return *start;
  const System& system = formulas_->system;
  StartEvaluation at = formulas_->evaluation(parameters);
  expects(given.state.q.size() == system.coordinates.size() && given.state.v.size() == given.state.q.size(),
          "a start of this system");
  Start start;
  State& s = start.state;
  s = {given.state.t, given.state.q, given.state.v, {}, {}};
  const auto require_numbers = [&] { formulas_->refuse_what_is_not_finite(at.formulas(), s, given.u, parameters); };
  if (!at.is_finite(s)) require_numbers();
  const Matrix W = metric(at.mass(s));
  const std::vector<int> holonomic = of_level(at, {Level::position});
  if (!project_positions(at, s, W, holonomic))
    report_violation(system, at.value(s), at.gradient(s), holonomic, "position");
  if (!at.is_finite(s) || !at.motion(s, given.u).allFinite()) require_numbers();

  start.mass_kind = at.has_constant_mass() ? MassKind::constant : MassKind::configuration_dependent;
  start.mass_rank = rank(at.mass(s), rank_tolerance, Scaling::rows_and_columns);
  start.negative_masses = negative_masses(system, at.mass(s), at.gradient(s));
  const Matrix W1 = metric(at.mass(s));
  find_redundancy(system, at, s, W1, start);
  project_velocities(system, at, s, W1);
  solve_motion(at, s, given.u);
  start.has_massless_motions = settle_massless(system, at, s, {given.u, given.u_rate},
                                               [&] { return formulas_->balance(at.formulas(), parameters); });
  note_changes(system, given.state, s, start.changes);
  return start;
}

Start consistent_start(const System& system, const State& given, std::span<const double> u,
                       std::span<const Reference> references, std::span<const double> u_rate) {
  return ConsistentStart(system, references)({given, u, u_rate}, parameter_values(system));
}

System without(const System& system, const std::vector<Redundancy>& redundant) {
  System reduced = system;
  if (!redundant.empty()) reduced.nodal.reset();  // counts constraints by their places
  std::erase_if(reduced.constraints, [&](const Constraint& c) {
    return std::any_of(redundant.begin(), redundant.end(), [&](const Redundancy& r) { return r.constraint == c.name; });
  });
  return reduced;
}

}  // namespace invar
