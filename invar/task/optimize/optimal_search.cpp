// See optimal_search.h.
#include "invar/task/optimize/optimal_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "invar/program/ipopt_solver.h"
#include "invar/task/optimize/first_guess.h"
#include "invar/task/optimize/mesh_motion.h"
#include "invar/task/optimize/optimal_record.h"
#include "invar/task/optimize/perturbed_guess.h"

namespace invar {

namespace {

constexpr std::size_t coarsest = 8;  // intervals
constexpr std::size_t telling = 20;  // intervals that show where a guess leads
constexpr int few_iterations = 10;   // lead nowhere
constexpr unsigned perturbations = 4;
constexpr unsigned convincing = 2;  // of them that lead to the same cost as every other guess
constexpr double little = 3e6;      // entries of derivatives, computed and eliminated within about a second
constexpr double share = 0.5;       // of the effort so far that other guesses may cost
constexpr double part = 0.5;        // of what is left of it for one of them

bool trusted(const OptimalMotion& m) { return solved(m) && m.doubt.empty(); }

bool can_be_replayed(const OptimalMotion& m) {
  constexpr double alike = 1e-6;
  return solved(m) && m.replay.value_or(1.0) <= alike;
}

bool nearly(double a, double b) {
  constexpr double part_of_it = 0.1;
  return std::abs(a - b) <= part_of_it * std::abs(b);
}

// The wanted guess first, then the others.
std::vector<Beginning> all_beginnings(GuessKind wanted) {
  std::vector<Beginning> list = {{GuessKind::joints}, {GuessKind::line}, {GuessKind::inverse}, {GuessKind::hold}};
  if (const auto at = std::ranges::find(list, wanted, &Beginning::kind); at != list.end())
    std::rotate(list.begin(), at, at + 1);
  for (unsigned i = 1; i <= perturbations; ++i) list.push_back({GuessKind::line, i});
  return list;
}

// Of an iteration: derivatives, and the elimination along the chain of intervals.
double effort(const NonlinearProgram& program, std::size_t intervals) {
  constexpr double each = 1e3, elimination = 2e-3;  // in entries of derivatives
  const double N = static_cast<double>(intervals);
  const double block = static_cast<double>(program.lower.size() + program.row_lower.size()) / N;
  return each + static_cast<double>(program.jacobian.size() + program.hessian.size()) +
         elimination * N * std::pow(block, 3);
}

bool same_cost(double a, double b) { return !cheaper(a, b) && !cheaper(b, a); }

std::size_t coarse_mesh(std::size_t intervals) { return std::max(std::min(intervals, telling), intervals / 4); }

// The best of other motions on one mesh, if it beats a cost.
class Rivals {
 public:
  Rivals(double to_beat, std::function<void(OptimalMotion&)> examine)
      : to_beat_(to_beat), examine_(std::move(examine)) {}

  void must_beat(double cost) { to_beat_ = cost; }
  bool as_cheap(const OptimalMotion& other) const { return solved(other) && same_cost(other.solution.cost, to_beat_); }
  void consider(OptimalMotion other) {
    unbounded_ = unbounded_ || other.solution.status == SolverStatus::unbounded;
    if (!solved(other) || !cheaper(other.solution.cost, to_beat_)) return;
    examine_(other);
    if (!trusted(other)) return;
    to_beat_ = other.solution.cost;
    best_ = std::move(other);
  }
  std::optional<OptimalMotion> best() { return std::move(best_); }
  std::string remark() const {
    return unbounded_
               ? "the cost is unbounded: other guesses lead to motions for which it falls without limit; this is a "
                 "local optimum only"
               : "";
  }

 private:
  double to_beat_;
  std::function<void(OptimalMotion&)> examine_;
  std::optional<OptimalMotion> best_;
  bool unbounded_ = false;
};

}  // namespace

std::string Beginning::name() const {
  return perturbation > 0 ? fmt::format("perturbed {}", perturbation) : name_in(guess_kinds, kind);
}

bool cheaper(double a, double b) {
  constexpr double clearly = 1e-6;
  return a < b - clearly * std::max(std::abs(a), std::abs(b));
}

bool better(const OptimalMotion& a, const OptimalMotion& b) {
  if (solved(a) != solved(b)) return solved(a);
  if (!solved(a)) return !a.solution.x.empty() && a.solution.infeasibility < b.solution.infeasibility;
  if (a.doubt.empty() != b.doubt.empty()) return a.doubt.empty();
  return cheaper(a.solution.cost, b.solution.cost);
}

OptimalMotion OptimalSearch::run(std::size_t intervals, const OptimalMotion* known) {
  std::vector<Beginning> beginnings = all_beginnings(task_.settings.guess);
  const double begin = work_;
  OptimalMotion best = first_solved(intervals, beginnings);
  leave_saddles(best);
  const bool again = known != nullptr && known->origin.agreed && solved(best) && solved(*known) &&
                     same_cost(best.solution.cost, known->solution.cost);
  if (trusted(best) && !again && task_.settings.guess == GuessKind::automatic &&
      try_others(intervals, beginnings, work_ - begin, best))
    leave_saddles(best);
  if (stopped_ && solved(best)) {
    best.solution.status = SolverStatus::interrupted;
    best.solution.reason = "interrupted";
  }
  return best;
}

// On a finer mesh the optimum in joint coordinates is nearer than the motion of the coarse one, if both are the same.
OptimalMotion OptimalSearch::improve(const MeshMotion& from, std::size_t intervals, const Origin& origin) {
  std::optional<Guess> g;
  if (joints_ && intervals > from.intervals()) g = joints_(intervals);
  if (g) iterations_ += g->iterations;
  MeshMotion first = g && move_alike(from, g->motion) ? std::move(g->motion) : on_mesh(from, intervals);
  OptimalMotion found = attempt(std::move(first), origin.guess, task_.settings.iterations);
  finish(found, origin);
  return found;
}

OptimalMotion OptimalSearch::improve_with_places(const OptimalMotion& from) {
  Solution near = from.solution;
  near.weight = form_.with_further_places(near.weight, from.motion.intervals());
  OptimalMotion found = attempt(from.motion, from.origin.guess, task_.settings.iterations, &near);
  finish(found, from.origin);
  return found;
}

void OptimalSearch::finish(OptimalMotion& found, const Origin& origin) {
  found.origin = origin;
  examine(found);
  leave_saddles(found);
}

MeshMotion OptimalSearch::on_mesh(const MeshMotion& motion, std::size_t intervals) const {
  return remeshed(motion, intervals, task_.scheme.info.velocity_at_nodes ? NewNodes::cubics : NewNodes::lines);
}

std::optional<Guess> OptimalSearch::guess(std::size_t intervals, const Beginning& beginning) const {
  if (beginning.kind == GuessKind::joints) return joints_ ? joints_(intervals) : std::nullopt;
  std::optional<MeshMotion> first = first_guess(task_, form_, intervals, beginning.kind);
  if (!first) return std::nullopt;
  return Guess{beginning.perturbation == 0 ? std::move(*first)
                                           : perturbed_guess(task_, *first, beginning.perturbation)};
}

// One guess after the other until one leads to an optimum; takes those that were tried from the list.
OptimalMotion OptimalSearch::first_solved(std::size_t intervals, std::vector<Beginning>& beginnings) {
  std::optional<OptimalMotion> best;
  int tried = 0;
  bool same = false;  // as in joint coordinates: what is doubtful then is the mesh, and other guesses cannot help it
  const auto over = [&] {
    return stopped_ || same ||
           (best && (trusted(*best) || best->solution.status == SolverStatus::too_many_equations ||
                     best->solution.status == SolverStatus::unbounded));
  };
  const auto consider = [&](OptimalMotion other, std::optional<double> in_joints = {}) {
    ++tried;
    examine(other);
    same = in_joints && can_be_replayed(other) && nearly(other.solution.cost, *in_joints);
    if (!best || better(other, *best)) best = std::move(other);
  };
  const Beginning first = beginnings.front();
  while (!beginnings.empty() && !over()) {
    const Beginning next = beginnings.front();
    // What is only meant to leave a symmetry cannot help where all guesses lead to doubtful motions.
    if (next.perturbation > 0 && solved(*best)) break;
    beginnings.erase(beginnings.begin());
    if (next.perturbation > 0)
      consider(from_coarse(coarse_mesh(intervals), intervals, next));
    else if (std::optional<Guess> g = guess(intervals, next)) {
      std::optional<double> in_joints;
      if (next.kind == GuessKind::joints) in_joints = cost_of(g->motion);
      consider(attempt(std::move(*g), next.name(), task_.settings.iterations), in_joints);
    }
  }
  if (!over() && !solved(*best) && intervals >= 2 * coarsest) {
    std::size_t few = intervals;
    while (few >= 2 * coarsest) few /= 2;
    consider(from_coarse(few, intervals, first));
  }
  best->origin.guesses = tried;
  return std::move(*best);
}

// The other guesses, on a coarse mesh if they would cost much; what is cheaper there than the best so far goes on to
// the full mesh. Where all agree, perturbed ones among them, further perturbations are not tried.
bool OptimalSearch::try_others(std::size_t intervals, const std::vector<Beginning>& beginnings, double spent,
                               OptimalMotion& best) {
  const double end = work_ + std::max(little, share * spent);
  const bool cheap = spent * static_cast<double>(beginnings.size()) < little;
  const std::size_t mesh = cheap ? intervals : coarse_mesh(intervals);
  const double one = effort(form_.program(mesh, task_.first_node(), task_.goal.ranges), mesh);
  const auto most = [&, usual = 50.0 + 3.0 * best.solution.iterations] {
    return static_cast<int>(
        std::min({static_cast<double>(task_.settings.iterations), usual, part * (end - work_) / one}));
  };
  Rivals rivals(best.solution.cost, [this](OptimalMotion& m) { examine(m); });
  if (mesh < intervals) {
    OptimalMotion same = attempt(on_mesh(best.motion, mesh), "coarser mesh", most());
    if (solved(same) && move_alike(same.motion, best.motion))
      rivals.must_beat(same.solution.cost);
    else
      rivals.consider(std::move(same));
  }
  int tried = best.origin.guesses;
  bool all_agree = tried == 1, perturbed_too = false;
  for (const Beginning& beginning : beginnings) {
    if (stopped_ || most() < few_iterations || (all_agree && beginning.perturbation > convincing)) break;
    if (beginning.kind == GuessKind::inverse && !cheap) continue;
    if (std::optional<Guess> g = guess(mesh, beginning)) {
      ++tried;
      OptimalMotion other = attempt(std::move(*g), beginning.name(), most());
      all_agree = all_agree && rivals.as_cheap(other);
      perturbed_too = perturbed_too || beginning.perturbation == convincing;
      rivals.consider(std::move(other));
    }
  }
  std::optional<OptimalMotion> rival = rivals.best();
  if (rival && mesh < intervals && !stopped_) {
    rival = attempt(on_mesh(rival->motion, intervals), rival->origin.guess, task_.settings.iterations);
    examine(*rival);
  }
  const bool found = rival && better(*rival, best);
  if (found) best = std::move(*rival);
  best.origin.guesses = tried;
  best.origin.remark = rivals.remark();
  best.origin.agreed = all_agree && perturbed_too;
  return found;
}

// A mesh of few intervals first, then ever finer ones.
OptimalMotion OptimalSearch::from_coarse(std::size_t few, std::size_t intervals, const Beginning& beginning) {
  std::optional<Guess> first = guess(few, beginning);
  if (!first) return {};
  const std::string name = beginning.name();
  OptimalMotion found = attempt(std::move(*first), name, task_.settings.iterations);
  std::size_t now = few;
  while (!stopped_ && now < intervals && !found.solution.x.empty() && (solved(found) || beginning.perturbation == 0)) {
    now = 2 * now > intervals / 2 + now ? intervals : 2 * now;
    found = attempt(on_mesh(found.motion, now), name, task_.settings.iterations);
  }
  return found.motion.intervals() == intervals ? found : OptimalMotion{};
}

OptimalMotion OptimalSearch::attempt(Guess guess, const std::string& name, int most_iterations) {
  OptimalMotion found = attempt(std::move(guess.motion), name, most_iterations);
  found.origin.saddles = guess.saddles;
  iterations_ += guess.iterations;
  return found;
}

OptimalMotion OptimalSearch::attempt(MeshMotion guess, const std::string& name, int most_iterations,
                                     const Solution* near) {
  // Where velocities swing about the motion, so do the unknowns of the steps.
  if (!task_.scheme.info.velocity_at_nodes) guess.unknowns = Unknowns::open;
  form_.guess_unknowns(guess);
  const std::size_t intervals = guess.intervals();
  const NonlinearProgram program = form_.program(intervals, task_.first_node(), task_.goal.ranges);
  SolverOptions options{task_.settings.tolerance, most_iterations, {}, near};
  options.keep_going = [&](int iteration, double cost, double infeasibility) {
    if (options_.tell)
      options_.tell(fmt::format("{} intervals, iteration {}: cost {:.6g}, equations violated by {:.1e}", intervals,
                                iteration, cost, infeasibility));
    const bool on =
        !options_.keep_going || options_.keep_going(static_cast<double>(iteration) / task_.settings.iterations);
    stopped_ = stopped_ || !on;
    return on;
  };
  OptimalMotion found;
  found.motion = std::move(guess);
  found.multipliers = form_.multiplier_count();
  found.first_input = form_.first_input();
  found.origin.guess = name;
  found.solution = solve(program, form_.pack(found.motion), options);
  stopped_ = stopped_ || found.solution.status == SolverStatus::interrupted;
  iterations_ += found.solution.iterations;
  work_ += (found.solution.iterations + 1) * effort(program, intervals);
  if (!found.solution.x.empty()) found.motion = form_.unpack(found.solution.x, intervals);
  note(found);
  return found;
}

void OptimalSearch::note(const OptimalMotion& found) {
  if (found.solution.x.empty()) return;
  const std::size_t now = found.motion.intervals(), before = so_far_.motion.intervals();
  const bool alike = now == before && solved(found) == solved(so_far_);
  const bool further = solved(found) != solved(so_far_) ? solved(found) : now > before;
  if (so_far_.solution.x.empty() || (alike ? better(found, so_far_) : further)) so_far_ = found;
}

std::optional<OptimalMotion> OptimalSearch::so_far() {
  if (so_far_.solution.x.empty()) return std::nullopt;
  measure(so_far_);
  so_far_.solution.status = SolverStatus::interrupted;
  so_far_.solution.reason = "interrupted";
  return std::move(so_far_);
}

double OptimalSearch::cost_of(MeshMotion guess) {
  form_.guess_unknowns(guess);
  return form_.program(guess.intervals(), task_.first_node(), task_.goal.ranges).cost(form_.pack(guess));
}

// Measures and doubts of a motion that may be the one.
void OptimalSearch::examine(OptimalMotion& found) {
  if (found.solution.x.empty()) return;
  if (!solved(found)) name_worst_row(found.motion.intervals(), found.solution);
  measure(found);
  if (!solved(found)) return;
  Doubt d = doubt(task_, found);
  found.replay = d.replay;
  found.doubt = std::move(d.warning);
}

void OptimalSearch::name_worst_row(std::size_t intervals, Solution& solution) const {
  const NonlinearProgram program = form_.program(intervals, task_.first_node(), task_.goal.ranges);
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
  const auto names = form_.costate_names();
  found.costate_names.assign(names.begin(), names.end());
  found.costates = form_.costates(found.motion, found.solution.weight);
}

}  // namespace invar
