// See joint_form.h.
#include "invar/task/transcription/joint_form.h"

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"
#include "invar/math/rank.h"
#include "invar/task/transcription/end_equations.h"
#include "invar/task/transcription/row_space.h"

namespace invar {

namespace {

constexpr double near = 1e-6;  // of a configuration that joint coordinates can describe

// The same in fewer words: values of the coordinates that the equations determine, then what they say besides.
std::vector<Limit> in_fewer_words(const EndEquations& e, RowSpace known, const Exprs& symbols,
                                  const std::vector<double>& values) {
  RowSpace all = known;
  all.add_all(e.rows);
  const auto n = static_cast<Eigen::Index>(symbols.size());
  Matrix determined = Matrix::Zero(n, n);
  for (Eigen::Index j = 0; j < n; ++j)
    if (const Eigen::RowVectorXd unit = Matrix::Identity(n, n).row(j); all.contains(unit)) determined.row(j) = unit;
  std::vector<Limit> said;
  const std::vector<bool> coordinates = known.add_independent(determined);
  for (std::size_t j = 0; j < symbols.size(); ++j)
    if (coordinates[j]) said.push_back({symbols[j].name(), symbols[j], values[j], values[j]});
  const std::vector<bool> others = known.add_independent(e.rows);
  for (std::size_t i = 0; i < e.limits.size(); ++i)
    if (others[i]) said.push_back(e.limits[i]);
  return said;
}

}  // namespace

JointForm::JointForm(const System& given, JointCoordinates joints)
    : joints_(std::move(joints)), problem_(joints_.problem()) {
  problem_.targets.clear();
  for (int order = 0; order <= 2; ++order)
    for (const Variable& q : given.coordinates) given_.push_back(at(q, order));
}

std::optional<JointForm> JointForm::of(const Problem& problem, const StartAndGoal& ends) {
  try {
    std::optional<JointCoordinates> joints = JointCoordinates::of(problem);
    if (!joints) return std::nullopt;
    JointForm form(problem.system, std::move(*joints));
    std::vector<double> mu = form.joints_.usual_start();
    if (!(form.joints_.follow(ends.start.q, mu) < near)) return std::nullopt;
    form.problem_.q0 = mu;
    form.joints_.rates(mu, ends.start.v, form.problem_.v0);
    constexpr std::size_t portions = 40;
    const double horizon = problem.settings.of<OptimizeSettings>().horizon;
    for (const auto& q : line_to(ends.system, ends.goal, ends.start.q, portions, horizon, problem.signals))
      if (!(form.joints_.follow(q, mu) < near)) return std::nullopt;
    form.write_settings(problem);
    form.set_goal(mu);
    return form;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// Of the limits those on multipliers are left out, which other coordinates do not have.
void JointForm::write_settings(const Problem& problem) {
  OptimizeSettings& s = problem_.settings.of<OptimizeSettings>();
  const auto put = [&](const Expr& f) { return joints_.put({f}).front(); };
  for (std::vector<Limit>* limits : {&s.final, &s.bounds})
    for (Limit& limit : *limits) limit.formula = put(limit.formula);
  if (s.cost) s.cost = put(*s.cost);
  if (s.end_cost) s.end_cost = put(*s.end_cost);
  const Exprs lambda = multipliers(problem.system);
  std::erase_if(s.bounds, [&](const Limit& limit) { return depends(limit.formula, lambda); });
}

void JointForm::set_goal(const std::vector<double>& mu) {
  const System& system = problem_.system;
  OptimizeSettings& s = problem_.settings.of<OptimizeSettings>();
  const State start{.t = 0.0, .q = problem_.q0, .v = problem_.v0, .a = {}, .lambda = {}};
  const State end{.t = s.horizon, .q = mu, .v = std::vector<double>(mu.size(), 0.0), .a = {}, .lambda = {}};
  const auto columns = std::ssize(mu);
  const EndEquations places = end_equations(system, s.final, end, EndUnknowns::coordinates);
  EndEquations speeds = end_equations(system, s.final, end, EndUnknowns::rates);
  if (s.rest && system.constraints.empty()) {
    speeds = {{}, Matrix::Identity(columns, columns), Vector::Zero(columns), Vector::Zero(columns)};
    s.rest = false;
  }
  std::erase_if(s.final, [](const Limit& limit) { return limit.lower == limit.upper; });
  const EndEquations kept = kept_momenta_at(system, start, end);
  RowSpace nothing(columns), momenta(columns);
  momenta.add_all(kept.rows);
  for (const Limit& limit : in_fewer_words(places, nothing, positions(system), mu)) s.final.push_back(limit);
  const EndEquations all = together(speeds, kept);
  const Vector rates = least_norm(all.rows, all.wanted);
  for (const Limit& limit : in_fewer_words(speeds, momenta, velocities(system), {rates.begin(), rates.end()}))
    s.final.push_back(limit);
}

std::vector<std::vector<double>> JointForm::nodes(const MeshMotion& joints) {
  std::vector<std::vector<double>> list;
  const std::ptrdiff_t middle = std::ssize(joints_.usual_start());
  for (const std::vector<double>& x : joints.x)
    list.push_back(joints_.node({x.begin(), x.begin() + middle}, {x.begin() + middle, x.end()}));
  return list;
}

State JointForm::state(const State& joints) {
  if (!state_) state_.emplace(problem_.system, joints_.put(given_), problem_.signals);
  const std::vector<double> numbers = (*state_)(joints);
  const auto begin = numbers.begin(), v = begin + std::ssize(numbers) / 3, a = v + std::ssize(numbers) / 3;
  return {.t = joints.t, .q = {begin, v}, .v = {v, a}, .a = {a, numbers.end()}, .lambda = {}};
}

}  // namespace invar
