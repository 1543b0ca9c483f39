// See joint_form.h.
#include "invar/task/transcription/joint_form.h"

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"
#include "invar/math/rank.h"
#include "invar/model/mechanism/assemble.h"
#include "invar/model/mechanism/minimal.h"
#include "invar/task/transcription/end_equations.h"
#include "invar/task/transcription/row_space.h"

namespace invar {

namespace {

constexpr double near = 1e-6;  // of a configuration that joint coordinates can describe

Exprs symbols_of(const Mapping& mapping) {
  Exprs mu;
  for (const Variable& x : mapping.coordinates) mu.push_back(at(x));
  return mu;
}

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

JointForm::JointForm(const Problem& problem, const Mapping& mapping)
    : problem_(problem),
      from_(joined(positions(problem.system), velocities(problem.system))),
      to_(joined(mapping.image, ddt(mapping.image))),
      n_(mapping.coordinates.size()),
      old_(mapping.image.size()),
      image_((problem_.system = reduce(problem.system, mapping).system, problem_.system),
             with_rows_of_jacobian(mapping.image, symbols_of(mapping))),
      nodes_(problem_.system, to_) {
  problem_.formulation = Formulation::minimal;
  problem_.plant = nullptr;
  problem_.targets.clear();
  problem_.parameter_use = {};
}

std::optional<JointForm> JointForm::of(const Problem& problem, const StartAndGoal& ends) {
  if (!problem.mechanism || problem.formulation == Formulation::minimal || problem.mechanism->is_flexible())
    return std::nullopt;
  try {
    const Assembly assembly = assemble(*problem.mechanism);
    const MinimalForm minimal = minimal_form(*problem.mechanism, assembly);
    if (minimal.mapping.image.size() != problem.system.coordinates.size()) return std::nullopt;
    JointForm form(problem, minimal.mapping);
    std::vector<double> mu = minimal.start;
    if (!(form.follow(ends.start.q, mu) < near)) return std::nullopt;
    form.problem_.q0 = mu;
    form.problem_.v0 = form.rates(mu, ends.start.v);
    constexpr std::size_t portions = 40;
    const double horizon = problem.settings.of<OptimizeSettings>().horizon;
    for (const auto& q : line_to(ends.system, ends.goal, ends.start.q, portions, horizon, problem.signals))
      if (!(form.follow(q, mu) < near)) return std::nullopt;
    form.write_settings(problem);
    form.set_goal(mu);
    return form;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

double JointForm::follow(const std::vector<double>& q, std::vector<double>& mu) {
  constexpr int most_steps = 20;
  double distance = 0.0;
  for (int k = 0; k < most_steps; ++k) {
    State state;
    state.q = mu;
    const std::vector<double> numbers = image_(state);
    const Vector error = first_of(q, old_) - first_of(numbers, old_);
    const Vector step = least_norm(rows_from(numbers, old_, old_, n_), error);
    distance = error.cwiseAbs().maxCoeff();
    if (!std::isfinite(distance) || step.cwiseAbs().maxCoeff() < near * near) break;
    for (std::size_t j = 0; j < n_; ++j) mu[j] += step(static_cast<Eigen::Index>(j));
  }
  return distance;
}

std::vector<double> JointForm::rates(const std::vector<double>& mu, const std::vector<double>& v) {
  State state;
  state.q = mu;
  const Vector rate = least_norm(rows_from(image_(state), old_, old_, n_), first_of(v, old_));
  return {rate.begin(), rate.end()};
}

// Of the limits those on multipliers are left out, which other coordinates do not have.
void JointForm::write_settings(const Problem& problem) {
  OptimizeSettings& s = problem_.settings.of<OptimizeSettings>();
  const auto put = [&](const Expr& f) { return substitute(f, from_, to_); };
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
  const State end{.t = s.horizon, .q = mu, .v = std::vector<double>(n_, 0.0), .a = {}, .lambda = {}};
  const auto columns = static_cast<Eigen::Index>(n_);
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
  const auto middle = static_cast<std::ptrdiff_t>(n_);
  for (const std::vector<double>& x : joints.x) {
    State state;
    state.q.assign(x.begin(), x.begin() + middle);
    state.v.assign(x.begin() + middle, x.end());
    list.push_back(nodes_(state));
  }
  return list;
}

}  // namespace invar
