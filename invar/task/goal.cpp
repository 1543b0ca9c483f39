// See goal.h. Gauss-Newton steps of least length move a configuration onto the constraints.
#include "invar/task/goal.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/expr/error.h"
#include "invar/system/equations.h"
#include "invar/system/state_function.h"

namespace invar {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Position constraints, and formulas that shall have given values, with their gradients as numbers.
class Constraints {
 public:
  Constraints(const System& system, std::span<const Reference> references, const std::vector<Limit>& conditions = {})
      : n_(system.coordinates.size()), function_(system, formulas(system, conditions), references) {
    for (const Constraint& c : system.constraints)
      if (c.level == Level::position) names_.push_back(c.name);
    for (const Limit& c : conditions) names_.push_back(c.name);
    values_.resize(names_.size());
  }

  // Of the conditions at q.
  std::vector<double> conditions(double t, const std::vector<double>& q, std::size_t count) {
    std::fill(values_.begin(), values_.end(), 0.0);
    const Values v = (*this)(t, q);
    return {v.phi.end() - static_cast<std::ptrdiff_t>(count), v.phi.end()};
  }
  void want(const std::vector<double>& values) { std::copy(values.rbegin(), values.rend(), values_.rbegin()); }

  struct Values {
    Eigen::VectorXd phi;
    Eigen::MatrixXd gradient;
  };
  Values operator()(double t, const std::vector<double>& q) {
    State state;
    state.t = t;
    state.q = q;
    const std::vector<double> out = function_(state);
    const auto m = static_cast<Eigen::Index>(names_.size()), n = static_cast<Eigen::Index>(n_);
    Values v{Eigen::Map<const Eigen::VectorXd>(out.data(), m), Eigen::MatrixXd(m, n)};
    for (Eigen::Index i = 0; i < m; ++i) {
      v.phi(i) -= values_[static_cast<std::size_t>(i)];
      for (Eigen::Index j = 0; j < n; ++j) v.gradient(i, j) = out[static_cast<std::size_t>(m + i * n + j)];
    }
    return v;
  }

  const std::vector<std::string>& names() const { return names_; }

  // Moves the coordinates that are not held; the largest residual that remains.
  double satisfy(double t, std::vector<double>& q, const std::vector<bool>& held) {
    constexpr int most = 50;
    constexpr double enough = 1e-12;
    double residual = 0.0;
    for (int k = 0; k < most; ++k) {
      Values v = (*this)(t, q);
      residual = v.phi.size() > 0 ? v.phi.cwiseAbs().maxCoeff() : 0.0;
      if (residual < enough || !std::isfinite(residual)) break;
      for (std::size_t j = 0; j < n_; ++j)
        if (held[j]) v.gradient.col(static_cast<Eigen::Index>(j)).setZero();
      const Eigen::VectorXd step = v.gradient.completeOrthogonalDecomposition().solve(v.phi);
      for (std::size_t j = 0; j < n_; ++j) q[j] -= step(static_cast<Eigen::Index>(j));
    }
    return residual;
  }

 private:
  static Exprs formulas(const System& system, const std::vector<Limit>& conditions) {
    const Exprs q = positions(system);
    Exprs all;
    for (const Constraint& c : system.constraints)
      if (c.level == Level::position) all.push_back(c.expr);
    for (const Limit& c : conditions) all.push_back(c.formula);
    const std::size_t m = all.size();
    for (std::size_t i = 0; i < m; ++i) {
      const Exprs row = gradient(Expr(all[i]), q);
      all.insert(all.end(), row.begin(), row.end());
    }
    return all;
  }

  std::size_t n_;
  std::vector<std::string> names_;
  std::vector<double> values_;  // wanted
  StateFunction function_;
};

// Chooses dependent columns of G greedily, by the longest part that those chosen before leave over: first among the coordinates that
// are not given.
std::vector<bool> independent_coordinates(Eigen::MatrixXd g, const std::vector<bool>& given) {
  constexpr double negligible = 1e-6;  // of the largest column
  std::vector<bool> independent(given.size(), true);
  const double size = g.size() > 0 ? g.colwise().norm().maxCoeff() : 0.0;
  for (const bool among_given : {false, true})
    for (;;) {
      Eigen::Index best = -1;
      for (std::size_t j = 0; j < given.size(); ++j) {
        const auto column = static_cast<Eigen::Index>(j);
        if (given[j] == among_given && independent[j] && g.col(column).norm() > negligible * size &&
            (best < 0 || g.col(column).norm() > g.col(best).norm()))
          best = column;
      }
      if (best < 0) break;
      independent[static_cast<std::size_t>(best)] = false;
      const Eigen::VectorXd direction = g.col(best).normalized();
      g -= direction * (direction.transpose() * g);
    }
  return independent;
}

std::optional<std::size_t> place(const Exprs& symbols, const Expr& f) {
  const auto found = std::find(symbols.begin(), symbols.end(), f);
  if (found == symbols.end()) return std::nullopt;
  return static_cast<std::size_t>(found - symbols.begin());
}

// Final values of formulas that say something about the configuration.
std::vector<Limit> conditions_on_configuration(const System& system, const OptimizeSettings& settings) {
  std::vector<Limit> conditions;
  const Exprs q = positions(system), v = velocities(system);
  for (const Limit& limit : settings.final)
    if (limit.lower == limit.upper && !place(q, limit.formula) && !depends(limit.formula, v) &&
        reference_symbols({&limit.formula, 1}).empty())
      conditions.push_back(limit);
  return conditions;
}

// The axes of a body as columns; in the plane the third is fixed.
Eigen::Matrix3d axes_of(const RigidBody& body, const std::vector<double>& q) {
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  const auto d = static_cast<std::size_t>(body.dimension);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t c = 0; c < d; ++c)
      axes(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(i)) = q[body.first + d * (i + 1) + c];
  return axes;
}

// Turns a body evenly about a fixed axis: the part s of the way between two orientations. Nothing if they are none.
bool turn_part_way(const RigidBody& body, const std::vector<double>& from, const std::vector<double>& to, double s,
                   std::vector<double>& q) {
  constexpr double orthonormal = 1e-6;
  const Eigen::Matrix3d first = axes_of(body, from), turn = axes_of(body, to) * first.transpose();
  if (!turn.isUnitary(orthonormal) || turn.determinant() < 0.0) return false;
  Eigen::AngleAxisd part(turn);
  part.angle() *= s;
  const Eigen::Matrix3d axes = part * first;
  const auto d = static_cast<std::size_t>(body.dimension);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t c = 0; c < d; ++c)
      q[body.first + d * (i + 1) + c] = axes(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(i));
  return true;
}

// Whether all or any of the axes of a body are among these coordinates.
bool has_axes(const RigidBody& body, const std::vector<bool>& among, bool all) {
  if (body.point) return false;
  const auto begin = among.begin() + static_cast<std::ptrdiff_t>(body.first + static_cast<std::size_t>(body.dimension)),
             end = among.begin() + static_cast<std::ptrdiff_t>(body.first + body.size());
  return all ? std::all_of(begin, end, [](bool x) { return x; }) : std::any_of(begin, end, [](bool x) { return x; });
}

// Leads a floating system along: its momenta, which nothing changes, stay zero, so that parts which nobody asked for turn the other way.
class Floating {
 public:
  explicit Floating(const System& system) : n_(system.coordinates.size()), function_(system, formulas(system)) {
    for (const Momentum& m : system.momenta) count_ += m.why_not.empty() ? 1 : 0;
  }
  bool any() const { return count_ > 0; }

  // Momenta of the step from q0 to q in a unit of time, taken at the mean, and their gradients in q.
  Constraints::Values operator()(const std::vector<double>& q0, const std::vector<double>& q) {
    State state;
    for (std::size_t i = 0; i < n_; ++i) {
      state.q.push_back(0.5 * (q0[i] + q[i]));
      state.v.push_back(q[i] - q0[i]);
    }
    const std::vector<double> out = function_(state);
    const auto m = static_cast<Eigen::Index>(count_), n = static_cast<Eigen::Index>(n_);
    Constraints::Values v{Eigen::Map<const Eigen::VectorXd>(out.data(), m), Eigen::MatrixXd(m, n)};
    for (Eigen::Index i = 0; i < m; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        v.gradient(i, j) = 0.5 * out[static_cast<std::size_t>(m + i * 2 * n + j)] +
                           out[static_cast<std::size_t>(m + i * 2 * n + n + j)];
    return v;
  }

 private:
  static Exprs formulas(const System& system) {
    Exprs state = positions(system), all;
    for (const Expr& v : velocities(system)) state.push_back(v);
    for (const Momentum& m : system.momenta)
      if (m.why_not.empty()) all.push_back(m.expr);
    const std::size_t count = all.size();
    for (std::size_t i = 0; i < count; ++i)
      for (const Expr& d : gradient(Expr(all[i]), state)) all.push_back(d);
    return all;
  }
  std::size_t n_, count_ = 0;
  StateFunction function_;
};

double follow(Constraints& constraints, Floating& floating, double t, const std::vector<double>& q0,
              std::vector<double>& q, const std::vector<bool>& held) {
  double residual = 0.0;
  for (int k = 0; k < 20; ++k) {
    const auto a = constraints(t, q), b = floating(q0, q);
    Eigen::VectorXd f(a.phi.size() + b.phi.size());
    Eigen::MatrixXd g(f.size(), a.gradient.cols());
    f << a.phi, b.phi;
    g << a.gradient, b.gradient;
    for (Eigen::Index i = 0; i < f.size(); ++i) {
      const double size = g.row(i).norm();
      if (size > 0.0) g.row(i) /= size, f(i) /= size;
    }
    residual = f.cwiseAbs().maxCoeff();
    if (residual < 1e-12) break;
    for (std::size_t j = 0; j < q.size(); ++j)
      if (held[j]) g.col(static_cast<Eigen::Index>(j)).setZero();
    const Eigen::VectorXd step = g.completeOrthogonalDecomposition().solve(f);
    for (std::size_t j = 0; j < q.size(); ++j) q[j] -= step(static_cast<Eigen::Index>(j));
  }
  return residual;
}

void narrow(Range& range, const Limit& limit) {
  range = {std::max(range.lower, limit.lower), std::min(range.upper, limit.upper)};
  if (range.lower > range.upper) throw InputError("final: contradictory values of " + limit.name);
}

}  // namespace

Goal find_goal(const System& system, const OptimizeSettings& settings, const std::vector<double>& q0,
               std::span<const Reference> references) {
  const std::size_t n = q0.size();
  Exprs state = positions(system);
  for (const Expr& v : velocities(system)) state.push_back(v);
  Goal goal{q0, {}, std::vector<Range>(2 * n, Range{-infinity, infinity})};
  std::vector<bool> given(n, false);
  for (const Limit& limit : settings.final) {
    const auto i = place(state, limit.formula);
    if (!i) continue;
    narrow(goal.ranges[*i], limit);
    if (*i >= n) continue;
    given[*i] = goal.ranges[*i].lower == goal.ranges[*i].upper;
    goal.q[*i] = std::clamp(q0[*i], goal.ranges[*i].lower, goal.ranges[*i].upper);
  }
  const std::vector<Limit> conditions = conditions_on_configuration(system, settings);
  Constraints constraints(system, references, conditions);
  const std::vector<double> first = constraints.conditions(0.0, q0, conditions.size());
  // In small portions, so that the branch of the start is kept.
  constexpr int portions = 20;
  const std::vector<double> wanted = goal.q;
  std::vector<double> q = q0, values = first;
  double residual = 0.0;
  for (int k = 1; k <= portions; ++k) {
    const double s = static_cast<double>(k) / portions;
    for (std::size_t i = 0; i < n; ++i)
      if (given[i]) q[i] = k == portions ? wanted[i] : (1.0 - s) * q0[i] + s * wanted[i];
    for (const RigidBody& body : system.bodies)
      if (k < portions && has_axes(body, given, true)) turn_part_way(body, q0, wanted, s, q);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (1.0 - s) * first[i] + s * conditions[i].lower;
    constraints.want(values);
    residual = constraints.satisfy(s * settings.horizon, q, given);
  }
  constexpr double contradiction = 1e-6;
  if (!(residual < contradiction)) {
    const auto v = constraints(settings.horizon, q);
    Eigen::Index worst = 0;
    v.phi.cwiseAbs().maxCoeff(&worst);
    throw InputError(fmt::format("final: no configuration has these values; \"{}\" keeps a residual of {:.3g}",
                                 constraints.names()[static_cast<std::size_t>(worst)], v.phi(worst)));
  }
  goal.q = q;
  goal.independent = independent_coordinates(Constraints(system, references)(settings.horizon, q).gradient, given);
  for (std::size_t i = 0; i < n; ++i) {
    // What follows from the constraints must not be said twice, but tells one branch from another.
    constexpr double near = 0.1;
    if (given[i] && !goal.independent[i]) {
      const double width = near * (1.0 + std::abs(q[i]));
      goal.ranges[i] = {q[i] - width, q[i] + width};
    }
    if (settings.rest && system.constraints.empty())
      narrow(goal.ranges[n + i], {system.coordinates[i].name() + "'", 0.0, 0.0, 0.0});
  }
  return goal;
}

std::vector<std::vector<double>> line_to(const System& system, const Goal& goal, const std::vector<double>& q0,
                                         std::size_t intervals, double horizon, std::span<const Reference> references) {
  Constraints constraints(system, references);
  std::vector<std::vector<double>> line = {q0};
  std::vector<double> q = q0;
  std::vector<bool> held = goal.independent;
  Floating floating(system);
  if (floating.any()) {
    for (std::size_t i = 0; i < q.size(); ++i) held[i] = held[i] && goal.ranges[i].lower == goal.ranges[i].upper;
    for (std::size_t k = 1; k <= 20 * intervals; ++k) {
      const double part = static_cast<double>(k) / static_cast<double>(20 * intervals);
      const double s = part * part * (3.0 - 2.0 * part);
      const std::vector<double> before = q;
      for (std::size_t i = 0; i < q.size(); ++i)
        if (held[i]) q[i] = (1.0 - s) * q0[i] + s * goal.q[i];
      for (const RigidBody& body : system.bodies)
        if (has_axes(body, held, false)) turn_part_way(body, q0, goal.q, s, q);
      std::vector<bool> fixed = held;
      for (const RigidBody& body : system.bodies)
        if (has_axes(body, held, false))
          std::fill_n(fixed.begin() + static_cast<std::ptrdiff_t>(body.first) + 3, 9, true);
      follow(constraints, floating, s * horizon, before, q, fixed);
      if (k % 20 == 0) {
        line.push_back(q);
      }
    }
    return line;
  }
  for (std::size_t k = 1; k <= intervals; ++k) {
    const double s = static_cast<double>(k) / static_cast<double>(intervals);
    for (std::size_t i = 0; i < q.size(); ++i)
      if (goal.independent[i]) q[i] = (1.0 - s) * q0[i] + s * goal.q[i];
    // Straight lines between directions are no turns.
    for (const RigidBody& body : system.bodies)
      if (has_axes(body, goal.independent, false) && turn_part_way(body, q0, goal.q, s, q))
        std::fill_n(held.begin() + static_cast<std::ptrdiff_t>(body.first), body.size(), false);
    constexpr double far = 1e-3;
    // Where the line leads out of reach, directions of the goal help no more.
    if (!(constraints.satisfy(s * horizon, q, held) < far)) q = line.back();
    line.push_back(q);
  }
  return line;
}

}  // namespace invar
