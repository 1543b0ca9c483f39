// See stable_inversion.h.
#include "invar/task/stable_inversion/stable_inversion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "invar/base/error.h"
#include "invar/dae/array_solver.h"
#include "invar/dae/derivative_array.h"
#include "invar/dae/rest_point.h"
#include "invar/math/eigen_pairs.h"
#include "invar/math/rank.h"
#include "invar/task/stable_inversion/bounded_space_time.h"
#include "invar/task/stable_inversion/rests_along.h"
#include "invar/task/stable_inversion/stable_collocation.h"
#include "invar/task/stable_inversion/stable_mesh.h"

namespace invar {

namespace {

// Whether the eigenvalue nearest to s grows.
bool grows(const ZeroDynamics& z, const std::complex<double>& s) {
  const auto distance = [&](const std::complex<double>& other) { return std::abs(other - s); };
  const auto nearest = std::ranges::min_element(z.eigenvalues, {}, distance);
  return s.real() > z.tolerance[static_cast<std::size_t>(nearest - z.eigenvalues.begin())];
}

// Real rows that span the left eigenvectors of A to eigenvalues inside (or outside) the right half plane.
Matrix left_directions(const ZeroDynamics& z, bool unstable) {
  const Matrix& A = z.matrix;
  const EigenPairs left = eigen_pairs(A.transpose());
  Matrix rows(0, A.cols());
  const auto append = [&](const Vector& w) {
    rows.conservativeResize(rows.rows() + 1, Eigen::NoChange);
    rows.row(rows.rows() - 1) = w.normalized().transpose();
  };
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const std::complex<double> s = left.values[i];
    if (grows(z, s) != unstable || s.imag() < 0.0) continue;
    append(left.vectors.col(i).real());
    if (s.imag() > 0.0) append(left.vectors.col(i).imag());
  }
  return rows;
}

// Rate of the slowest unstable (or stable) direction; 0 if there is none. Oscillations faster than `fastest` do not
// count.
double slowest(const ZeroDynamics& z, bool unstable, double fastest) {
  double least = 0.0;
  for (std::size_t i = 0; i < z.eigenvalues.size(); ++i) {
    const std::complex<double> s = z.eigenvalues[i];
    if (s.imag() != 0.0 && std::abs(s) > fastest) continue;
    const double rate = unstable ? s.real() : -s.real();
    if (rate > z.tolerance[i]) least = least > 0.0 ? std::min(least, rate) : rate;
  }
  return least;
}

// Time until motion along the slowest unstable (or stable) direction has changed by the factor `decay`.
double actuation_time(const ZeroDynamics& z, bool unstable, double decay, double fastest) {
  const double rate = slowest(z, unstable, fastest);
  return rate > 0.0 ? -std::log(decay) / rate : 0.0;
}

// What is left of a wrong state after some time along directions that are bound at one end: all but the unstable ones
// of the first end, forwards, or the unstable ones of the last, backwards.
double left(const ZeroDynamics& z, bool unstable, double time) {
  double most = 0.0;
  for (std::size_t i = 0; i < z.eigenvalues.size(); ++i) {
    if (z.grows(i) != unstable) continue;
    const double rate = std::abs(z.eigenvalues[i].real());
    most = std::max(most, rate <= z.tolerance[i] ? 1.0 : std::exp(-rate * time));
  }
  return most;
}

int count(const ZeroDynamics& z, bool unstable) {
  int n = 0;
  for (std::size_t i = 0; i < z.eigenvalues.size(); ++i) n += (unstable ? z.grows(i) : z.decays(i)) ? 1 : 0;
  return n;
}

// Rests at both ends and what the internal dynamics is like there.
struct Ends : RestEnds {
  ArrayVerdict verdict;  // at the start
};

bool find_rests(const Dae& dae, const Offsets& offsets, const StableInversionSettings& settings,
                JetEvaluator& evaluator, Ends& ends, BoundedMotion& motion) {
  const auto found = [&](Jet& jet) { return rest_point(evaluator, jet).status == JetResult::Status::converged; };
  motion.status = BoundedMotion::Status::no_rest_at_start;
  ends.start = settings.guess;
  ends.start.t = settings.start;
  ends.start.side = Side::left;
  if (!found(ends.start)) return false;
  motion.status = BoundedMotion::Status::no_rest_at_end;
  // Along the motion, so that turns are counted.
  std::vector<double> t;
  constexpr int samples = 16;
  for (int k = 1; k < samples; ++k) t.push_back(settings.start + (settings.end - settings.start) * k / samples);
  ends.end = rests_along(evaluator, ends.start, t).back();
  ends.end.t = settings.end;
  ends.end.side = Side::right;
  if (!found(ends.end)) return false;
  motion.from_rest = is_steady(evaluator, ends.start, settings.start, settings.end);
  motion.to_rest = is_steady(evaluator, ends.end, settings.start, settings.end);

  motion.status = BoundedMotion::Status::stalled;
  if (settings.zero) {
    motion.at_start = motion.at_end = *settings.zero;
    return true;
  }
  ends.verdict = judge_array(evaluator, offsets, dae, ends.start, settings.k);
  expects(ends.verdict.degrees_of_freedom > 0, "stable inversion is for systems with internal dynamics");
  if (ends.verdict.status != ArrayVerdict::Status::determined) return false;
  // Each end in states of its own: those of the other may be no coordinates here.
  motion.at_start = zero_dynamics(dae, offsets, settings.k, ends.start);
  motion.at_end = zero_dynamics(dae, offsets, settings.k, ends.end);
  return true;
}

bool differ(const ZeroDynamics& a, const ZeroDynamics& b) {
  return count(a, true) != count(b, true) || count(a, false) != count(b, false);
}

// When the first reference begins to move, and when the last one has stopped.
std::pair<double, double> moving_time(const Dae& dae, const StableInversionSettings& settings) {
  const auto rests = [](const Reference& r, double t, Side side) {
    std::array<double, 4> series{};
    r.function->series(t, side, series);
    return std::all_of(series.begin() + 1, series.end(), [](double c) { return c == 0.0; });
  };
  std::pair<double, double> time(settings.end, settings.start);
  for (const Reference& r : dae.references) {
    const std::vector<double> knots = r.function->knots();
    if (knots.empty() && rests(r, settings.start, Side::right)) continue;
    const bool begins = !knots.empty() && rests(r, knots.front(), Side::left),
               stops = !knots.empty() && rests(r, knots.back(), Side::right);
    time.first = std::min(time.first, begins ? knots.front() : settings.start);
    time.second = std::max(time.second, stops ? knots.back() : settings.end);
  }
  return time;
}

void set_actuation_times(const Dae& dae, const StableInversionSettings& settings, BoundedMotion& motion) {
  using Engine = StableInversionSettings::Engine;
  // Differences do not show oscillations with less than three instants in a period.
  const double fastest = settings.engine == Engine::space_time ? kept_cycle / mesh_step(settings)
                                                               : std::numeric_limits<double>::infinity();
  const auto time = [&](const ZeroDynamics& z, bool unstable) {
    return actuation_time(z, unstable, settings.decay, fastest);
  };
  const auto [begin, end] = moving_time(dae, settings);
  const double early = std::max(0.0, begin - settings.start), late = std::max(0.0, settings.end - end);
  motion.pre_actuation = std::max(0.0, time(motion.at_start, true) - early);
  motion.post_actuation = std::max(0.0, time(motion.at_end, false) - late);
  // What a wrong state at the far end excites dies away towards the window along the other directions.
  if (!motion.from_rest) {
    motion.pre_actuation = std::max(motion.pre_actuation, time(motion.at_start, false));
    motion.left_of_start = left(motion.at_start, false, motion.pre_actuation);
  }
  if (!motion.to_rest) {
    motion.post_actuation = std::max(motion.post_actuation, time(motion.at_end, true));
    motion.left_of_end = left(motion.at_end, true, motion.post_actuation);
  }
  if (settings.pre_actuation) motion.pre_actuation = *settings.pre_actuation;
  if (settings.post_actuation) motion.post_actuation = *settings.post_actuation;
}

CollocatedMotion collocated(ArraySolver& solver, JetEvaluator& evaluator, const Ends& ends,
                            const std::vector<double>& t, const Matrix& W_first, const Matrix& W_last) {
  std::vector<Jet> guess = rests_along(evaluator, ends.start, t);
  guess.front() = rest_at(evaluator, ends.start, t.front());
  guess.back() = rest_at(evaluator, ends.end, t.back());
  return collocate(solver, t, std::move(guess), W_first, W_last);
}

// Largest difference of the inputs at the instants that both motions have, relative to the largest input.
double mesh_difference(const Dae& dae, const std::vector<Jet>& a, const std::vector<Jet>& b) {
  double most = 0.0, size = 0.0;
  for (std::size_t i = 0, k = 0; i < a.size(); ++i) {
    while (k < b.size() && b[k].t < a[i].t) ++k;
    if (k == b.size() || b[k].t != a[i].t) continue;
    for (std::size_t j = 0; j < dae.unknowns.size(); ++j) {
      if (dae.unknowns[j].kind != UnknownKind::input) continue;
      most = std::max(most, std::abs(a[i].x[j][0] - b[k].x[j][0]));
      size = std::max(size, std::abs(b[k].x[j][0]));
    }
  }
  return size > 0.0 ? most / size : 0.0;
}

// Coordinates without mass, as the axes of a thin rod have, stand in constraints only, and the array may determine no
// more of them than their values: their velocities follow from the rates of the constraints.
void add_velocities(const Dae& dae, JetEvaluator& evaluator, std::vector<Jet>& jets) {
  std::vector<Derivative> rows;
  for (std::size_t i = 0; i < dae.equations.size(); ++i)
    if (dae.equations[i].kind != EquationKind::dynamics) rows.push_back({static_cast<int>(i), 1});
  Matrix f;
  for (Jet& jet : jets) {
    std::vector<Derivative> columns;
    for (std::size_t j = 0; j < dae.unknowns.size(); ++j) {
      if (dae.unknowns[j].kind != UnknownKind::coordinate || jet.x[j].size() > 1) continue;
      columns.push_back({static_cast<int>(j), 1});
      jet.x[j].resize(2, 0.0);
    }
    if (columns.empty()) continue;
    evaluator.residuals(jet, 1, f);
    Vector gap(std::ssize(rows));
    for (std::size_t i = 0; i < rows.size(); ++i) gap[static_cast<Eigen::Index>(i)] = -f(rows[i].index, 1);
    const Vector v = least_norm(evaluator.array(jet, rows, columns), gap);
    for (std::size_t z = 0; z < columns.size(); ++z)
      jet.x[static_cast<std::size_t>(columns[z].index)][1] = v[static_cast<Eigen::Index>(z)];
  }
}

// Where a mesh that resolves the fastest eigenvalue would be too fine, ever finer graded ones until the inputs no
// longer change: what is fast and not excited need not be resolved.
void by_collocation(const Dae& dae, const Offsets& offsets, const StableInversionSettings& settings,
                    JetEvaluator& evaluator, const Ends& ends, BoundedMotion& motion) {
  constexpr double settled = 1e-8;
  motion.status = BoundedMotion::Status::stalled;
  ArraySolver solver(dae, offsets, ends.verdict);
  const Matrix W_first = left_directions(linearised(solver, ends.start), false);
  const Matrix W_last = left_directions(linearised(solver, ends.end), true);
  if (W_first.rows() + W_last.rows() != static_cast<Eigen::Index>(solver.states().size())) return;
  const std::vector<std::vector<double>> meshes = stable_meshes(dae, settings, motion);
  std::vector<Jet> coarser;
  for (const std::vector<double>& t : meshes) {
    CollocatedMotion found = collocated(solver, evaluator, ends, t, W_first, W_last);
    motion.iterations += found.iterations;
    motion.error = found.error;
    if (found.jets.empty()) continue;
    const bool alone = meshes.size() == 1;
    if (alone || (!coarser.empty() && mesh_difference(dae, coarser, found.jets) < settled)) {
      motion.jets = std::move(found.jets);
      add_velocities(dae, evaluator, motion.jets);
      motion.status = BoundedMotion::Status::converged;
      return;
    }
    coarser = std::move(found.jets);
  }
}

// Solving jets by dense elimination at all stages of all intervals, in operations.
double work(const Dae& dae, const Offsets& offsets, const StableInversionSettings& settings,
            const BoundedMotion& motion) {
  constexpr double iterations = 8.0, corrections = 5.0;
  double size = 0.0;
  for (const int d : offsets.d) size += d + settings.k + 1;
  return static_cast<double>(stable_meshes(dae, settings, motion).front().size()) * collocation_stages * iterations *
         corrections * 2.0 / 3.0 * size * size * size;
}

// Rest in position must be as many conditions as there are directions to bind.
bool balanced(const ZeroDynamics& z) { return count(z, true) == count(z, false); }

void keep_window(const StableInversionSettings& settings, BoundedMotion& motion) {
  const double same = 1e-9 * (settings.end - settings.start);
  std::erase_if(motion.jets, [&](const Jet& jet) {
    return (!motion.from_rest && jet.t < settings.start - same) || (!motion.to_rest && jet.t > settings.end + same);
  });
}

}  // namespace

BoundedMotion stable_inversion(const Dae& dae, const Offsets& offsets, const StableInversionSettings& settings) {
  using Engine = StableInversionSettings::Engine;
  using Status = BoundedMotion::Status;
  constexpr double much_work = 5e10, too_much = 5e11;  // half a minute, five minutes
  BoundedMotion motion;
  JetEvaluator evaluator(dae);
  const bool suited = suits_space_time(evaluator, dae), demanded = settings.engine == Engine::space_time;
  if (demanded && !suited) {
    motion.status = Status::unsuited;
    return motion;
  }
  if (settings.periodic) return periodic_motion(dae, offsets, settings, evaluator);
  Ends ends;
  if (!find_rests(dae, offsets, settings, evaluator, ends, motion)) return motion;
  // Ends that differ may be so, or one of them is an unlucky place for elimination; space-time eliminates nothing, and
  // shows by its own ends whether they were alike.
  const bool different = differ(motion.at_start, motion.at_end);
  const bool possible =
      settings.engine != Engine::collocation && suited && (settings.zero || balanced(motion.at_start));
  if (demanded && !possible) {
    motion.status = Status::unbalanced;
    return motion;
  }
  const ZeroDynamics at_end = motion.at_end;
  if (different && possible) motion.at_end = motion.at_start;
  set_actuation_times(dae, settings, motion);
  const double operations = demanded ? 0.0 : work(dae, offsets, settings, motion);
  const bool first = possible && (demanded || different || operations > much_work);
  const auto converged = [&] { return motion.status == Status::converged; };
  if (first) by_space_time(dae, offsets, settings, evaluator, ends, motion);
  if (!converged() && different) {
    motion.status = Status::mismatched;
    motion.at_end = at_end;
  } else if (!converged() && !demanded && !(first && operations > too_much)) {
    by_collocation(dae, offsets, settings, evaluator, ends, motion);
  }
  if (!converged() && !different && possible && !first) by_space_time(dae, offsets, settings, evaluator, ends, motion);
  keep_window(settings, motion);
  return motion;
}

}  // namespace invar
