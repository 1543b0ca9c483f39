// See optimal_search.h.
#include "invar/task/optimal_search.h"

#include <fmt/format.h>

#include <algorithm>

#include "invar/task/first_guess.h"
#include "invar/task/ipopt_solver.h"
#include "invar/task/optimal_record.h"

namespace invar {

namespace {

constexpr std::size_t coarsest = 8;  // intervals

// The wanted guess first, then the others.
std::vector<std::string> guesses(const std::string& wanted) {
  std::vector<std::string> kinds = {"line", "inverse", "hold"};
  if (const auto at = std::find(kinds.begin(), kinds.end(), wanted); at != kinds.end())
    std::rotate(kinds.begin(), at, at + 1);
  return kinds;
}

}  // namespace

OptimalMotion OptimalSearch::run(std::size_t intervals) {
  std::optional<OptimalMotion> best;
  const auto solved = [](const OptimalMotion& m) { return m.solution.status == SolverStatus::solved; };
  const auto over = [&] {
    return stopped_ || (best && ((solved(*best) && best->doubt.empty()) ||
                                 best->solution.status == SolverStatus::too_many_equations));
  };
  const auto consider = [&](OptimalMotion other) {
    const bool better =
        !best || (solved(other) && (!solved(*best) || other.doubt.empty())) ||
        (!other.solution.x.empty() && !solved(*best) && other.solution.infeasibility < best->solution.infeasibility);
    if (better) best = std::move(other);
  };
  const std::vector<std::string> kinds = guesses(task_.settings.guess);
  for (const std::string& kind : kinds) {
    if (over()) break;
    if (std::optional<MeshMotion> guess = first_guess(task_, form_, intervals, kind))
      consider(attempt(std::move(*guess)));
  }
  if (!over() && !solved(*best) && intervals >= 2 * coarsest) consider(from_coarse(intervals, kinds.front()));
  return std::move(*best);
}

OptimalMotion OptimalSearch::improve(const MeshMotion& guess, std::size_t intervals) {
  return attempt(remeshed(guess, intervals));
}

// A mesh of few intervals first, then ever finer ones.
OptimalMotion OptimalSearch::from_coarse(std::size_t intervals, const std::string& kind) {
  std::size_t now = intervals;
  while (now >= 2 * coarsest) now /= 2;
  std::optional<MeshMotion> guess = first_guess(task_, form_, now, kind);
  if (!guess) return {};
  OptimalMotion found = attempt(std::move(*guess));
  while (!stopped_ && now < intervals && !found.solution.x.empty()) {
    now = 2 * now > intervals / 2 + now ? intervals : 2 * now;
    found = attempt(remeshed(found.motion, now));
  }
  return found.motion.intervals() == intervals ? found : OptimalMotion{};
}

OptimalMotion OptimalSearch::attempt(MeshMotion guess) {
  form_.guess_unknowns(guess);
  const std::size_t intervals = guess.intervals();
  const NonlinearProgram program = form_.program(intervals, task_.first_node(), task_.goal.ranges);
  SolverOptions options{task_.settings.tolerance, task_.settings.iterations, {}};
  options.keep_going = [&](int iteration, double cost, double infeasibility) {
    if (options_.tell)
      options_.tell(fmt::format("{} intervals, iteration {}: cost {:.6g}, equations violated by {:.1e}", intervals,
                                iteration, cost, infeasibility));
    const bool on =
        !options_.keep_going || options_.keep_going(static_cast<double>(iteration) / task_.settings.iterations);
    stopped_ = stopped_ || !on;
    return on;
  };
  OptimalMotion found{std::move(guess), form_.multiplier_count(), form_.first_input(), {}, {}, {}, {}, {}, {}, {}, {}};
  found.solution = solve(program, form_.pack(found.motion), options);
  iterations_ += found.solution.iterations;
  if (found.solution.x.empty()) return found;
  found.motion = form_.unpack(found.solution.x, intervals);
  if (found.solution.status != SolverStatus::solved) name_worst_row(program, intervals, found.solution);
  measure(found);
  if (found.solution.status == SolverStatus::solved) {
    Doubt d = doubt(task_, found);
    found.replay = d.replay;
    found.doubt = std::move(d.warning);
  }
  return found;
}

void OptimalSearch::name_worst_row(const NonlinearProgram& program, std::size_t intervals, Solution& solution) const {
  std::vector<double> g(program.row_lower.size());
  program.rows(solution.x, g);
  std::size_t worst = 0;
  double most = 0.0;
  for (std::size_t i = 0; i < g.size(); ++i)
    if (const double violation = std::max(program.row_lower[i] - g[i], g[i] - program.row_upper[i]); violation > most) {
      most = violation;
      worst = i;
    }
  if (most > task_.settings.tolerance)
    solution.reason += fmt::format("; {} is violated by {:.3g}", form_.row_name(worst, intervals), most);
}

void OptimalSearch::measure(OptimalMotion& found) {
  found.energy = form_.energy(found.motion);
  found.energy_balance = form_.energy_balance(found.motion);
  found.hamiltonian = form_.hamiltonian(found.motion, found.solution.weight);
  const auto names = form_.equation_names();
  found.costate_names.assign(names.begin(), names.end());
  const auto count = static_cast<std::ptrdiff_t>(names.size() * found.motion.intervals());
  found.costates.assign(found.solution.weight.begin(), found.solution.weight.begin() + count);
}

}  // namespace invar
