// See energy_balance.h.
#include "invar/report/rows/energy_balance.h"

#include <algorithm>

#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"
#include "invar/system/state_function.h"

namespace invar {

namespace {

Exprs forces_without_potential(const System& system) {
  Exprs forces = system.forces;
  const Exprs u = inputs(system);
  for (std::size_t k = 0; k < u.size(); ++k)
    for (std::size_t i = 0; i < forces.size(); ++i) forces[i] += system.inputs[k].direction[i] * u[k];
  return forces;
}

// Whether T, V and the constraints are the same at all times, so that only forces change the energy.
bool timeless(const Problem& problem) {
  const System& system = problem.system;
  Exprs given = {system.graph.time()};
  for (const Reference& r : problem.signals) given.push_back(at(r.value));
  Exprs formulas = {system.kinetic, system.potential};
  for (const Constraint& c : system.constraints) formulas.push_back(c.expr);
  return std::none_of(formulas.begin(), formulas.end(), [&](const Expr& e) { return depends(e, given); });
}

std::optional<std::vector<std::size_t>> places_of(const Trajectory& motion, const std::vector<std::string>& names) {
  std::vector<std::size_t> places;
  for (const std::string& name : names) {
    const auto place = motion.find(name);
    if (!place) return std::nullopt;
    places.push_back(*place);
  }
  return places;
}

void pick(std::span<const double> row, const std::vector<std::size_t>& places, std::vector<double>& values) {
  values.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) values[i] = row[places[i]];
}

std::optional<std::vector<double>> work_done(const Problem& problem, const Exprs& forces, const Trajectory& motion,
                                             bool held) {
  const System& system = problem.system;
  std::vector<std::string> coordinates, rates, drives;
  for (const Variable& x : system.coordinates) {
    coordinates.push_back(x.name());
    rates.push_back(x.name() + "'");
  }
  for (const Input& x : system.inputs) drives.push_back(x.name);
  const auto q = places_of(motion, coordinates), v = places_of(motion, rates), u = places_of(motion, drives);
  if (!q || !v || !u) return std::nullopt;
  StateFunction force(system, forces, problem.signals);
  State state;
  std::vector<double> drive;
  const auto force_at = [&](std::size_t row, std::size_t row_of_inputs) {
    const auto r = motion.row(row);
    state.t = r[0];
    pick(r, *q, state.q);
    pick(r, *v, state.v);
    pick(motion.row(row_of_inputs), *u, drive);
    return force(state, drive);
  };
  std::vector<double> work = {0.0};
  std::vector<double> start = force_at(0, 0);
  for (std::size_t k = 1; k < motion.rows(); ++k) {
    const std::vector<double> end = force_at(k, held ? k - 1 : k);
    double done = 0.0;
    for (std::size_t i = 0; i < end.size(); ++i)
      done += 0.5 * (start[i] + end[i]) * (motion.row(k)[(*q)[i]] - motion.row(k - 1)[(*q)[i]]);
    work.push_back(work.back() + done);
    start = held ? force_at(k, k) : end;
  }
  return work;
}

}  // namespace

std::optional<EnergyBalance> energy_balance(const Problem& problem, const Trajectory& motion, bool held) {
  if (motion.rows() == 0 || !motion.find("energy.total") || !timeless(problem)) return std::nullopt;
  EnergyBalance balance;
  const Exprs forces = forces_without_potential(problem.system);
  if (std::any_of(forces.begin(), forces.end(), [](const Expr& f) { return f != Expr(0.0); })) {
    auto work = work_done(problem, forces, motion, held);
    if (!work) return std::nullopt;
    balance.work = std::move(*work);
  }
  balance.change = motion.column("energy.total");
  for (std::size_t k = balance.change.size(); k-- > 0;) {
    balance.change[k] -= balance.change[0];
    if (!balance.work.empty()) balance.change[k] -= balance.work[k];
  }
  return balance;
}

bool holds_inputs(const Summary& summary) {
  return std::any_of(summary.parts.begin(), summary.parts.end(), [](const auto& part) { return part->holds_inputs(); });
}

Trajectory report_table(const Problem& problem, const Summary& summary, const Trajectory& motion,
                        const Trajectory* costates) {
  std::vector<std::pair<std::string, std::vector<double>>> added;
  const bool is_sample = motion.rows() < summary.rows;  // work between its rows is not known
  if (const auto balance =
          is_sample ? std::nullopt
                    : energy_balance(problem.plant ? *problem.plant : problem, motion, holds_inputs(summary))) {
    if (!balance->work.empty()) added.emplace_back("energy.work", balance->work);
    added.emplace_back("energy.balance", balance->change);
  }
  if (costates != nullptr && costates->rows() > 0 && costates->rows() + 1 == motion.rows()) {
    added.emplace_back("hamiltonian", costates->column("hamiltonian"));
    added.back().second.push_back(added.back().second.back());
  }
  Trajectory table{motion.columns, {}};
  for (const auto& [name, values] : added) table.columns.push_back(name);
  table.reserve(motion.rows());
  for (std::size_t k = 0; k < motion.rows(); ++k) {
    const auto row = motion.row(k);
    table.values.insert(table.values.end(), row.begin(), row.end());
    for (const auto& [name, values] : added) table.values.push_back(values[k]);
  }
  return table;
}

}  // namespace invar
