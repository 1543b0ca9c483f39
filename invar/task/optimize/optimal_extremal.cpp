// See optimal_extremal.h.
#include "invar/task/optimize/optimal_extremal.h"

#include <fmt/format.h>

#include <cmath>

#include "invar/task/indirect/indirect.h"

namespace invar {

namespace {

std::vector<double> half(const std::vector<double>& x, bool second) {
  const auto n = static_cast<std::ptrdiff_t>(x.size() / 2);
  return second ? std::vector<double>(x.begin() + n, x.end()) : std::vector<double>(x.begin(), x.begin() + n);
}

IndirectTask indirect_task(const OptimalTask& task, const OptimalMotion& direct, const RunOptions& options) {
  constexpr double tightest = 1e-12;  // the equations are solved by Newton's method, to round-off
  IndirectGuess guess;
  for (const std::vector<double>& x : direct.motion.x) {
    guess.q.push_back(half(x, false));
    guess.v.push_back(half(x, true));
  }
  for (const std::vector<double>& w : direct.motion.w)
    guess.u.emplace_back(w.begin() + static_cast<std::ptrdiff_t>(direct.first_input), w.end());
  IndirectTask t{.system = task.system,
                 .q0 = task.start.q,
                 .v0 = task.start.v,
                 .q1 = guess.q.back(),
                 .v1 = guess.v.back(),
                 .horizon = direct.motion.horizon,
                 .intervals = direct.motion.intervals(),
                 .scheme = kind_in(indirect_schemes, task.settings.scheme).value(),
                 .tolerance = std::min(task.settings.tolerance, tightest),
                 .max_iterations = task.settings.iterations,
                 .ranges = input_ranges(task.system, task.settings)};
  t.guess = std::move(guess);
  t.keep_going = [&](int evaluation, double cost, double infeasibility) {
    if (options.tell)
      options.tell(fmt::format("costates, evaluation {}: cost {:.6g}, conditions violated by {:.1e}", evaluation, cost,
                               infeasibility));
    return !options.keep_going || options.keep_going(0.5);
  };
  return t;
}

std::vector<double> by_rows(const std::vector<std::vector<double>>& lambda_q,
                            const std::vector<std::vector<double>>& lambda_p) {
  std::vector<double> all;
  for (const auto* part : {&lambda_q, &lambda_p})
    for (std::size_t i = 0; i < part->front().size(); ++i)
      for (const std::vector<double>& lambda : *part) all.push_back(lambda[i]);
  return all;
}

}  // namespace

OptimalMotion to_extremal(const OptimalTask& task, Transcription& form, const OptimalMotion& direct,
                          const RunOptions& options) {
  const IndirectTask indirect = indirect_task(task, direct, options);
  const Extremal found = find_extremal(indirect);
  OptimalMotion result;
  result.second_order = direct.second_order;
  result.origin = direct.origin;
  result.motion.horizon = direct.motion.horizon;
  for (std::size_t k = 0; k < found.q.size(); ++k) {
    result.motion.x.push_back(found.q[k]);
    result.motion.x.back().insert(result.motion.x.back().end(), found.v[k].begin(), found.v[k].end());
  }
  result.motion.w = found.u;
  result.solution.status = found.status;
  result.solution.reason = found.reason;
  result.solution.x = form.pack(result.motion);
  result.solution.cost = found.cost;
  result.solution.infeasibility = found.residual;
  result.solution.kkt = found.residual;
  result.solution.iterations = found.iterations;
  result.hamiltonian = found.hamiltonian;
  result.energy_balance = found.energy_balance;
  result.energy = form.energy(result.motion);
  for (const char* equation : {"kinematics", "dynamics"})
    for (const Variable& x : task.system.coordinates)
      result.costate_names.push_back(fmt::format("{} of \"{}\"", equation, x.name()));
  result.costates = by_rows(found.lambda_q, found.lambda_p);
  if (found.status != SolverStatus::solved) return result;
  result.replay = replay(indirect, found);
  constexpr double far = 0.05;
  if (std::abs(found.cost - direct.solution.cost) > far * std::abs(direct.solution.cost))
    result.doubt = fmt::format(
        "the direct method has the cost {:.6g} on the same mesh: it is too coarse for this motion; try more intervals",
        direct.solution.cost);
  return result;
}

}  // namespace invar
