// See goal.h.
#include "invar/task/transcription/goal.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/system/equations.h"
#include "invar/task/transcription/configuration.h"

namespace invar {

namespace {

// Chooses dependent columns of G greedily, by the longest part that those chosen before leave over: first among the
// coordinates that are not given.
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

bool has_all_axes(const RigidBody& body, const std::vector<bool>& among) {
  const auto first = among.begin() + static_cast<std::ptrdiff_t>(body.first);
  return !body.point && std::all_of(first + body.dimension, first + static_cast<std::ptrdiff_t>(body.size()),
                                    [](bool x) { return x; });
}

void narrow(Range& range, const Limit& limit) {
  range = {std::max(range.lower, limit.lower), std::min(range.upper, limit.upper)};
  if (range.lower > range.upper) throw InputError("final: contradictory values of " + limit.name);
}

// What holds on the way holds at the end too.
void check_against_bounds(const OptimizeSettings& settings) {
  for (const Limit& end : settings.final)
    for (const Limit& bound : settings.bounds)
      if (end.formula == bound.formula && (end.lower > bound.upper || end.upper < bound.lower))
        throw InputError(fmt::format("final: {} must be {:.6g} at the end, but its bounds are {:.6g} and {:.6g}",
                                     end.name, end.lower > bound.upper ? end.lower : end.upper, bound.lower,
                                     bound.upper));
}

}  // namespace

Goal find_goal(const System& system, const OptimizeSettings& settings, const std::vector<double>& q0,
               std::span<const Reference> references) {
  check_against_bounds(settings);
  const std::size_t n = q0.size();
  Exprs state = positions(system);
  for (const Expr& v : velocities(system)) state.push_back(v);
  Goal goal{q0, {}, std::vector<Range>(2 * n, unbounded)};
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
      if (k < portions && has_all_axes(body, given)) turn_part_way(body, q0, wanted, s, q);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (1.0 - s) * first[i] + s * conditions[i].lower;
    constraints.want(values);
    residual = constraints.satisfy(s * settings.horizon, q, given);
  }
  constexpr double contradiction = 1e-6;
  if (!(residual < contradiction)) {
    const LinearRows rows = constraints(settings.horizon, q);
    Eigen::Index worst = 0;
    rows.value.cwiseAbs().maxCoeff(&worst);
    throw InputError(fmt::format("final: no configuration has these values; \"{}\" keeps a residual of {:.3g}",
                                 constraints.names()[static_cast<std::size_t>(worst)], rows.value(worst)));
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

}  // namespace invar
