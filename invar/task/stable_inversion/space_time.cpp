// See space_time.h.
#include "invar/task/stable_inversion/space_time.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "invar/base/error.h"
#include "invar/dae/array_rank.h"

namespace invar {

namespace {

InstantValues values_of(const std::vector<Jet>& jets) {
  InstantValues x(static_cast<Eigen::Index>(jets.size()), static_cast<Eigen::Index>(jets.front().x.size()));
  for (Eigen::Index k = 0; k < x.rows(); ++k)
    for (Eigen::Index j = 0; j < x.cols(); ++j)
      x(k, j) = jets[static_cast<std::size_t>(k)].x[static_cast<std::size_t>(j)][0];
  return x;
}

// On a mesh of `rows` instants over the same time: the cubic through four neighbours.
InstantValues resampled(const InstantValues& x, Eigen::Index rows) {
  if (rows == x.rows()) return x;
  const Eigen::Index n = x.rows();
  InstantValues other(rows, x.cols());
  for (Eigen::Index k = 0; k < rows; ++k) {
    const double place = static_cast<double>(k) * static_cast<double>(n - 1) / static_cast<double>(rows - 1);
    const Eigen::Index first = std::clamp<Eigen::Index>(static_cast<Eigen::Index>(place) - 1, 0, n - 4);
    const double s = place - static_cast<double>(first);
    other.row(k) =
        -(s - 1.0) * (s - 2.0) * (s - 3.0) / 6.0 * x.row(first) + s * (s - 2.0) * (s - 3.0) / 2.0 * x.row(first + 1) -
        s * (s - 1.0) * (s - 3.0) / 2.0 * x.row(first + 2) + s * (s - 1.0) * (s - 2.0) / 6.0 * x.row(first + 3);
  }
  return other;
}

constexpr double for_a_start = 1e-4;  // the next mesh or part differs by more

// A small motion first, which is made larger step by step. To make it faster instead would lead through resonances of
// oscillations with the time between the ends.
SpaceTimeMesh::Iteration solve_in_parts(SpaceTimeMesh& mesh, const SpaceTimeGuess& guess, const FreeEnds& free,
                                        InstantValues& x) {
  constexpr double smallest = 1.0 / 64.0;
  SpaceTimeMesh::Iteration all{false, 0};
  InstantValues before, now;
  double done = 0.0, last = 0.0;
  for (double step = 0.25; done < 1.0 && step >= smallest;) {
    const double next = std::min(1.0, done + step);
    const std::vector<Jet> rests = guess(next);
    if (free) mesh.set_free(free.shapes(rests, next, mesh.step(), mesh.free_count()));
    x = resampled(values_of(rests), x.rows());
    if (done > 0.0) {
      const Eigen::Index inner = x.rows() - 2;
      x.middleRows(1, inner) = now.middleRows(1, inner);
      if (last > 0.0) x.middleRows(1, inner) += (next - done) / last * (now - before).middleRows(1, inner);
    }
    const SpaceTimeMesh::Iteration one = mesh.solve(next, x, {next < 1.0 ? for_a_start : SpaceTimeMesh::accurate});
    all.iterations += one.iterations;
    if (!one.converged) {
      step /= 2.0;
      continue;
    }
    before = now;
    now = x;
    last = done > 0.0 ? next - done : 0.0;
    done = next;
    step *= 1.5;
  }
  return {done >= 1.0, all.iterations};
}

// The meshes of one motion, and what is free at its end on each.
class MotionMeshes {
 public:
  MotionMeshes(JetEvaluator& evaluator, const Dae& dae, const Offsets& offsets, const SpaceTimeSettings& settings,
               const SpaceTimeGuess& guess)
      : evaluator_(evaluator), dae_(dae), offsets_(offsets), settings_(settings), guess_(guess), first_(guess(1.0)) {
    expects(first_.size() > 3, "some instants between the ends");
  }

  const std::vector<Jet>& first() const { return first_; }
  Eigen::Index instants() const { return static_cast<Eigen::Index>(first_.size()); }
  bool free_end() const { return settings_.free && !settings_.rest_at_both_ends; }

  // x holds the first guess. Also where nothing shall be free in the end, the way there is without resonances if
  // oscillations are free first.
  bool solve_coarsest(std::optional<SpaceTimeMesh>& mesh, InstantValues& x, SpaceTimeMotion& motion) const {
    const bool any_free = static_cast<bool>(settings_.free);
    const InstantValues rests = x;
    if (!solve_first(rests, mesh, x, motion)) return false;
    if (any_free == free_end()) return true;
    x.row(x.rows() - 1) = rests.row(x.rows() - 1);
    return solve_on(false, at_once({}), mesh, x, motion);
  }

  // From the solution x of a mesh to that of one with half its step. Where an oscillation grows on the way, to begin it
  // at rest leads far away: motions near that of the coarser mesh are looked for first.
  bool solve_finer(std::optional<SpaceTimeMesh>& mesh, InstantValues& x, SpaceTimeMotion& motion) const {
    constexpr double near = 0.01;
    const InstantValues start = x = resampled(x, 2 * x.rows() - 1);
    if (solve_on(free_end(), at_once({SpaceTimeMesh::accurate, near}), mesh, x, motion)) return true;
    x = start;
    return solve_on(free_end(), at_once({}), mesh, x, motion);
  }

 private:
  using Way = std::function<SpaceTimeMesh::Iteration(SpaceTimeMesh& mesh, InstantValues& x)>;
  static Way at_once(const SpaceTimeMesh::Goal& goal) {
    return [goal](SpaceTimeMesh& mesh, InstantValues& x) { return mesh.solve(1.0, x, goal); };
  }

  // First on meshes coarser than the wanted one, on which oscillations faster than their steps cannot come into
  // resonance with the time between the ends: at once or, if what is found so leads to nothing on finer meshes, part by
  // part. However many instants are wanted, the first mesh has few.
  bool solve_first(const InstantValues& rests, std::optional<SpaceTimeMesh>& mesh, InstantValues& x,
                   SpaceTimeMotion& motion) const {
    constexpr Eigen::Index few = 48;
    const bool any_free = static_cast<bool>(settings_.free);
    const Eigen::Index intervals = rests.rows() - 1;
    Eigen::Index coarsest = 0;
    while ((intervals >> (coarsest + 1)) >= few) ++coarsest;
    const Way in_parts = [&](SpaceTimeMesh& on, InstantValues& to) {
      return solve_in_parts(on, guess_, settings_.free, to);
    };
    const auto from = [&](Eigen::Index begin, bool parts) {
      x = rests;
      for (Eigen::Index m = begin; m >= 0; --m) {
        x = resampled(x, (intervals >> m) + 1);
        x.row(0) = rests.row(0);
        if (!any_free) x.row(x.rows() - 1) = rests.row(intervals);
        const Way way = m == begin && parts ? in_parts : at_once({m > 0 ? for_a_start : SpaceTimeMesh::accurate});
        if (!solve_on(any_free, way, mesh, x, motion)) return false;
      }
      return true;
    };
    for (Eigen::Index begin = coarsest; begin >= 0; --begin)
      if (from(begin, false)) return true;
    for (Eigen::Index begin = coarsest; begin >= std::max<Eigen::Index>(0, coarsest - 1); --begin)
      if (from(begin, true)) return true;
    return false;
  }

  // On the mesh that has the instants of x.
  bool solve_on(bool free, const Way& way, std::optional<SpaceTimeMesh>& mesh, InstantValues& x,
                SpaceTimeMotion& motion) const {
    const Eigen::Index intervals = x.rows() - 1;
    const double h = settings_.step * static_cast<double>(instants() - 1) / static_cast<double>(intervals);
    const std::vector<std::size_t> counts = free ? settings_.free.counts(h) : std::vector<std::size_t>{0};
    const InstantValues before = x;
    for (const std::size_t count : counts) {
      x = before;
      if (count < counts.front()) x.row(intervals) = last_rest();
      mesh.emplace(evaluator_, dae_, offsets_, SpaceTimeMesh::Span{first_.front().t, h, intervals, settings_.ends},
                   first_.front(), count > 0 ? settings_.free.shapes(first_, 1.0, h, count) : EndShapes());
      const SpaceTimeMesh::Iteration result = way(*mesh, x);
      motion.iterations += result.iterations;
      motion.bound_oscillations = counts.front() - count;
      if (result.converged) return true;
    }
    return false;
  }

  Eigen::RowVectorXd last_rest() const { return values_of({first_.back()}).row(0); }

  JetEvaluator& evaluator_;
  const Dae& dae_;
  const Offsets& offsets_;
  const SpaceTimeSettings& settings_;
  const SpaceTimeGuess& guess_;
  std::vector<Jet> first_;
};

// One more term of the error removed: `fine` and `coarse` have lost m terms already.
std::vector<Jet> extrapolated(std::vector<Jet> fine, const std::vector<Jet>& coarse, int m) {
  const double ratio = std::pow(4.0, m + 1) - 1.0;
  for (std::size_t k = 0; k < fine.size(); ++k)
    for (std::size_t j = 0; j < fine[k].x.size(); ++j)
      for (std::size_t r = 0; r < fine[k].x[j].size(); ++r)
        fine[k].x[j][r] += (fine[k].x[j][r] - coarse[k].x[j][r]) / ratio;
  return fine;
}

// Largest difference of the inputs, relative to the largest of all; that of one input is compared with its own size.
double difference(const Dae& dae, const std::vector<Jet>& a, const std::vector<Jet>& b) {
  double worst = 0.0;
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j) {
    if (dae.unknowns[j].kind != UnknownKind::input) continue;
    double largest = 1e-300, change = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      largest = std::max(largest, std::abs(a[k].x[j][0]));
      change = std::max(change, std::abs(a[k].x[j][0] - b[k].x[j][0]));
    }
    worst = std::max(worst, change / largest);
  }
  return worst;
}

// Compared with the steady speeds of the states of rest.
double speed_next_to_ends(const Dae& dae, const JetEvaluator& evaluator, const std::vector<Jet>& jets,
                          const std::vector<Jet>& rest, bool free_end) {
  const auto speed = [](const Jet& jet, std::size_t j) { return jet.x[j].size() > 1 ? jet.x[j][1] : 0.0; };
  const auto count = static_cast<Eigen::Index>(dae.unknowns.size());
  Eigen::RowVectorXd largest = Eigen::RowVectorXd::Zero(count), off = largest;
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto j = static_cast<std::size_t>(i);
    for (const Jet& jet : jets) largest[i] = std::max(largest[i], std::abs(speed(jet, j)));
    off[i] = std::abs(speed(jets[1], j) - speed(rest.front(), j));
    if (!free_end) off[i] = std::max(off[i], std::abs(speed(jets[jets.size() - 2], j) - speed(rest.back(), j)));
  }
  return off.cwiseQuotient(units_of(dae, evaluator, largest)).maxCoeff();
}

}  // namespace

bool suits_space_time(const JetEvaluator& evaluator, const Dae& dae) {
  for (const Partial& p : evaluator.partial_list()) {
    const bool dynamics = dae.equations[at_index(p.equation)].kind == EquationKind::dynamics;
    const bool coordinate = dae.unknowns[at_index(p.unknown)].kind == UnknownKind::coordinate;
    if (p.order > (dynamics && coordinate ? 2 : 0)) return false;
  }
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j)
    if (evaluator.highest(j) == 1) return false;
  return true;
}

std::vector<double> instants(const SpaceTimeSettings& settings) {
  const double h = settings.step;
  const auto from = static_cast<long>(std::floor((settings.first - settings.origin) / h + 1e-9)),
             to = static_cast<long>(std::ceil((settings.last - settings.origin) / h - 1e-9));
  std::vector<double> t;
  for (long k = from; k <= to; ++k) t.push_back(settings.origin + static_cast<double>(k) * h);
  return t;
}

SpaceTimeMotion space_time(JetEvaluator& evaluator, const Dae& dae, const Offsets& offsets,
                           const SpaceTimeSettings& settings, const SpaceTimeGuess& guess) {
  const MotionMeshes meshes(evaluator, dae, offsets, settings, guess);
  const Eigen::Index coarse = meshes.instants();
  InstantValues x = values_of(meshes.first());
  SpaceTimeMotion motion;
  // table[m]: the last solution with m terms of the error removed
  std::vector<std::vector<Jet>> table;
  std::size_t bound = 0;  // in solutions that the result is made of
  for (int level = 0; level <= settings.halvings; ++level) {
    const Eigen::Index parts = Eigen::Index{1} << level;
    std::optional<SpaceTimeMesh> mesh;
    const bool converged = level == 0 ? meshes.solve_coarsest(mesh, x, motion) : meshes.solve_finer(mesh, x, motion);
    if (!converged) {
      if (level < 2) return motion;
      break;
    }
    if (level == 0) motion.factor_entries = mesh->factor_entries();
    std::vector<std::vector<Jet>> row(1);
    for (Eigen::Index k = 0; k < coarse; ++k) mesh->jet_at(x, k * parts, row[0].emplace_back());
    if (level == 1 && !settings.extrapolate) {
      motion.error = difference(dae, row[0], table[0]);
      break;
    }
    for (std::size_t m = 0; m < table.size(); ++m)
      row.push_back(extrapolated(row.back(), table[m], static_cast<int>(m)));
    if (level > 0) {
      const double error = difference(dae, row.back(), table.back());
      if (level > 1 && error > motion.error) break;  // rounding has taken over
      motion.error = error;
    }
    table = std::move(row);
    bound = std::max(bound, motion.bound_oscillations);
    if (level > 0 && motion.error < settings.tolerance) break;
  }
  motion.jets = table.back();
  motion.bound_oscillations = bound;
  if (settings.ends == MotionEnds::fixed)
    motion.loose_ends = speed_next_to_ends(dae, evaluator, motion.jets, meshes.first(), meshes.free_end());
  if (meshes.free_end()) motion.jets.pop_back();  // it only closes the differences of the one before
  motion.converged = true;
  return motion;
}

}  // namespace invar
