// The iteration, its step control and its convergence test; the formulas are in the header.
#include "invar/math/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "invar/base/error.h"

namespace invar {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double tiny = std::numeric_limits<double>::min();
constexpr double start_at_round_off = 8 * epsilon, few_ulps = 8 * epsilon;
constexpr double smallest_alpha = 1.0 / 1024;

// How far the remaining residual must exceed what the change of the Jacobian explains. A smooth function leaves half of
// the change times the step, so four is a safe distance.
constexpr double unexplained = 4;

// With the residual alone: the slowest contraction that is taken, and the most steps.
constexpr double slowest = 0.25;
constexpr double next_to_nothing = 1e-8, round_off_of_stages = 16;
constexpr int most_kept_steps = 10, most_steps_of_stages = 14;
// Factors are made anew when they need so many more steps than fresh ones.
constexpr int most_more_steps = 3;
// After so many solutions that stages did not find they are left alone. Kept factors are tried again after a pause that
// doubles with each failure, up to this power of two.
constexpr int most_failures = 3, longest_pause = 5;

// What the contraction of an unknown step is taken for; and how much worse than the best before is that of round-off.
constexpr double worst_contraction = 0.5, sudden = 100;
// What the last improvement may leave of the tolerance: less than round-off by far, since what it leaves has the same
// sign in many steps.
constexpr double last_part = 1e-7;

bool all_finite(std::span<const double> v) {
  double probe = 0;
  for (const double value : v) probe += 0 * value;
  return probe == 0;
}

}  // namespace

void NewtonOptions::check() const {
  if (!(tolerance > 0) || !(tolerance < 1))
    throw InputError("newton: tolerance must lie between 0 and 1, got " + std::to_string(tolerance));
  if (max_iterations < 1)
    throw InputError("newton: max_iterations must be at least 1, got " + std::to_string(max_iterations));
}

Newton::Newton(const Pattern& pattern, NewtonOptions options, std::vector<int> group, LinearSolver::Kind kind)
    : Newton(pattern, options, std::move(group), LinearSolver(pattern, kind)) {}

Newton::Newton(const Pattern& pattern, NewtonOptions options, std::vector<int> group, LinearSolver solver)
    : pattern_(pattern),
      options_(options),
      group_(std::move(group)),
      solver_(std::move(solver)),
      step_(pattern.cols),
      simplified_(pattern.cols),
      typical_(pattern.cols),
      row_size_(pattern.rows),
      step_size_(pattern.rows),
      curvature_(pattern.rows) {
  options_.check();
  if (group_.empty()) {
    group_.resize(pattern.cols);
    std::iota(group_.begin(), group_.end(), 0);
  }
  expects(group_.size() == typical_.size(), "one group per unknown");
  group_size_.resize(group_.empty() ? 0 : *std::max_element(group_.begin(), group_.end()) + 1);
  for (Iterate* at : {&current_, &trial_}) {
    at->x.resize(pattern.cols);
    at->residual.resize(pattern.rows);
    at->jacobian.resize(pattern.size());
  }
}

void Newton::couple(const CoupledStages& stages) {
  stages_.emplace(pattern_, stages);
  natural_.resize(typical_.size());
  fine_.resize(typical_.size());
}

Newton Newton::another() const {
  Newton result(pattern_, options_, group_, solver_.another());
  if (stages_) result.stages_.emplace(stages_->another());
  result.natural_ = natural_;
  result.fine_ = fine_;
  return result;
}

NewtonResult Newton::solve(const Evaluate& evaluate, std::span<double> x) {
  factorisations_ = 0;
  by_stages_ = false;
  return solve_anew(evaluate, x);
}

NewtonResult Newton::solve_anew(const Evaluate& evaluate, std::span<double> x) {
  expects(x.size() == current_.x.size(), "one start value per unknown");
  begin(evaluate, x);
  if (!current_.finite) return result(NewtonStatus::stalled, 0, x);
  if (current_.error <= start_at_round_off) return result(NewtonStatus::converged, 0, x);

  for (int iteration = 1; iteration <= options_.max_iterations; ++iteration) {
    if (!factor()) return result(NewtonStatus::singular, iteration - 1, x);
    correction(current_, step_);
    const Step step = advance(evaluate);
    if (step == Step::converged) return result(NewtonStatus::converged, iteration, x);
    if (step == Step::failed) return result(NewtonStatus::stalled, iteration, x);
  }
  return result(NewtonStatus::stalled, options_.max_iterations, x);
}

NewtonResult Newton::solve(const Evaluate& evaluate, const Residual& residual, std::span<double> x) {
  if (!options_.keep_factors) return solve(evaluate, x);
  factorisations_ = 0;
  by_stages_ = stages_ && failures_of_stages_ <= most_failures;
  if (by_stages_ || (kept_ && pause_ == 0)) {
    if (serve(evaluate, residual, x)) {
      failures_ = 0;
      if (by_stages_) failures_of_stages_ = 0;
      NewtonResult found = result(NewtonStatus::converged, kept_steps_, x);
      found.contracted = true;
      return found;
    }
    if (by_stages_)
      ++failures_of_stages_;
    else
      pause_ = 1 << std::min(++failures_, longest_pause);
  }
  const bool whole = !by_stages_;
  by_stages_ = false;
  pause_ = std::max(pause_ - 1, 0);
  const NewtonResult found = solve_anew(evaluate, x);
  kept_ = whole && found.status == NewtonStatus::converged && found.iterations > 0;
  fresh_ = true;
  more_steps_ = 0;
  return found;
}

// With the factors of a solution before, or, if those do not serve, of this start.
bool Newton::serve(const Evaluate& evaluate, const Residual& residual, std::span<const double> x) {
  if (kept_ && more_steps_ <= most_more_steps && solve_with_kept(residual, x)) {
    if (fresh_) steps_of_fresh_ = kept_steps_;
    fresh_ = false;
    more_steps_ = kept_steps_ - steps_of_fresh_;
    return true;
  }
  kept_ = renew_factors(evaluate, x) && solve_with_kept(residual, x);
  steps_of_fresh_ = kept_steps_;
  more_steps_ = 0;
  fresh_ = false;
  return kept_;
}

bool Newton::renew_factors(const Evaluate& evaluate, std::span<const double> x) {
  std::copy(x.begin(), x.end(), current_.x.begin());
  visit(evaluate, current_);
  if (!current_.finite || !factor()) return false;
  if (by_stages_) set_natural();
  return true;
}

// Sizes of unknowns of stages, by which contraction is seen: what it takes to change an equation,
// 1 / max_i |J_ij| / (t_i + |r_i|). And those by which the end is seen: those of their kind, unless these are next to
// nothing, as of μ in a stabilised form.
void Newton::set_natural() {
  std::fill(step_.begin(), step_.end(), 0.0);
  set_typical(current_, step_);
  measure_rows(current_, step_, true);
  for (int j = 0; j < pattern_.cols; ++j) {
    double effect = 0;
    for (int e = pattern_.start[j]; e < pattern_.start[j + 1]; ++e) {
      const int i = pattern_.row[e];
      effect = std::max(effect,
                        std::abs(current_.jacobian[e]) / std::max(row_size_[i] + std::abs(current_.residual[i]), tiny));
    }
    natural_[j] = 1 / std::max(effect, tiny);
    fine_[j] = typical_[j] > next_to_nothing * natural_[j] ? std::min(typical_[j], natural_[j]) : natural_[j];
  }
}

// Row sizes come from the Jacobian at the solution before, which current_ has kept.
bool Newton::solve_with_kept(const Residual& residual, std::span<const double> x) {
  return by_stages_ ? contract_stages(residual, x) : contract(residual, x);
}

bool Newton::contract(const Residual& residual, std::span<const double> x) {
  std::copy(x.begin(), x.end(), current_.x.begin());
  residual(current_.x, current_.residual);
  double before = 0.0;
  bool noise_before = false;
  for (kept_steps_ = 1; kept_steps_ <= most_kept_steps; ++kept_steps_) {
    if (!all_finite(current_.residual)) return false;
    correction(current_, step_);
    if (kept_steps_ == 1) {
      set_typical(current_, step_);
      measure_rows(current_, step_, true);
      std::copy(row_size_.begin(), row_size_.end(), step_size_.begin());
      measure_rows(current_, step_, false);
    }
    // Of the residual: corrections of multipliers feel the round-off of positions long before these are found.
    const double length = residual_norm(current_, step_size_);
    const double rate = before > 0.0 ? length / before : worst_contraction;
    if (!std::isfinite(length)) return false;
    const bool slow = rate > slowest && before > 0.0, noise = slow && is_small(current_);
    // Rows that are noise may hide others that still contract, for one step more.
    const bool last = leaves_round_off(noise ? 0.0 : rate) || (noise && noise_before);
    if (slow && !noise) return false;
    for (std::size_t j = 0; j < step_.size(); ++j) current_.x[j] += step_[j];
    if (last) return true;
    residual(current_.x, current_.residual);
    before = std::max(length, tiny);
    noise_before = noise;
  }
  return false;
}

// Whether every row is small now, or round-off of terms of its kind, and will be next to nothing after this step, as
// far as the rate tells; without a rate, whether it is round-off.
bool Newton::leaves_round_off(double rate) {
  const double next = last_part * options_.tolerance;
  for (std::size_t i = 0; i < row_size_.size(); ++i) {
    const double r = std::abs(current_.residual[i]), floor = few_ulps * step_size_[i] + tiny;
    const bool small = r <= std::max(rate > 0.0 ? options_.tolerance * row_size_[i] : 0.0, floor);
    if (!small || rate * r > next * std::max(row_size_[i], step_size_[i]) + tiny) return false;
  }
  measure_error(current_);
  return true;
}

bool Newton::contract_stages(const Residual& residual, std::span<const double> x) {
  std::copy(x.begin(), x.end(), current_.x.begin());
  residual(current_.x, current_.residual);
  const double round_off = start_at_round_off * std::sqrt(static_cast<double>(step_.size()));
  double before = 0.0, rate_before = slowest, best_rate = slowest;
  for (kept_steps_ = 1; kept_steps_ <= most_steps_of_stages; ++kept_steps_) {
    if (!all_finite(current_.residual)) return false;
    correction(current_, step_);
    const double length = relative_norm(step_, natural_), rate = before > 0.0 ? length / before : slowest;
    if (!std::isfinite(length)) return false;
    // They contract by turns fast and slowly, and multipliers feel what is left of positions: so the worse of two
    // rates counts, and the end is where the next step would change nothing, or no equation.
    const double tight = relative_norm(step_, fine_), left = std::max(rate, rate_before) * tight;
    const bool exact = tight <= round_off || (before > 0.0 && left <= epsilon);
    const bool slow = rate > slowest || kept_steps_ == most_steps_of_stages;
    const bool stuck = length <= round_off || (length <= round_off_of_stages * round_off && rate > sudden * best_rate);
    const bool last = (exact || (slow && stuck)) && is_small(current_);
    if (slow && !last) return false;
    for (std::size_t j = 0; j < step_.size(); ++j) current_.x[j] += step_[j];
    if (last) return true;
    residual(current_.x, current_.residual);
    rate_before = rate;
    best_rate = std::min(best_rate, rate);
    before = std::max(length, tiny);
  }
  return false;
}

// The residual, by the sizes of its terms or, where these are noise, by those of their kind.
bool Newton::is_small(Iterate& at) {
  measure_rows(at, step_, false);
  measure_error(at);
  return at.error <= options_.tolerance || is_at_floor(at, step_);
}

void Newton::begin(const Evaluate& evaluate, std::span<const double> x) {
  std::copy(x.begin(), x.end(), current_.x.begin());
  std::fill(step_.begin(), step_.end(), 0.0);
  visit(evaluate, current_);
  if (!current_.finite) return;
  measure_rows(current_, step_, false);
  measure_error(current_);
}

bool Newton::factor() {
  ++factorisations_;
  return by_stages_ ? stages_->factor(current_.jacobian) : solver_.factor(current_.jacobian);
}

void Newton::visit(const Evaluate& evaluate, Iterate& at) const {
  evaluate(at.x, at.residual, at.jacobian);
  at.finite = all_finite(at.residual) && all_finite(at.jacobian);
  if (at.finite) return;
  at.error = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < at.jacobian.size(); ++e)
    if (!std::isfinite(at.jacobian[e])) at.worst = pattern_.row[e];
  for (std::size_t i = 0; i < at.residual.size(); ++i)
    if (!std::isfinite(at.residual[i])) at.worst = static_cast<int>(i);
}

void Newton::set_typical(const Iterate& at, std::span<const double> c) {
  std::fill(group_size_.begin(), group_size_.end(), 0.0);
  for (std::size_t j = 0; j < group_.size(); ++j)
    group_size_[group_[j]] = std::max(group_size_[group_[j]], std::abs(at.x[j]) + std::abs(c[j]));
  for (std::size_t j = 0; j < group_.size(); ++j) typical_[j] = group_size_[group_[j]];
}

void Newton::measure_rows(const Iterate& at, std::span<const double> c, bool typical) {
  std::fill(row_size_.begin(), row_size_.end(), 0.0);
  for (int j = 0; j < pattern_.cols; ++j) {
    const double size = typical ? typical_[j] : std::abs(at.x[j]) + std::abs(c[j]);
    for (int e = pattern_.start[j]; e < pattern_.start[j + 1]; ++e)
      row_size_[pattern_.row[e]] += std::abs(at.jacobian[e]) * size;
  }
}

void Newton::measure_error(Iterate& at) const {
  at.error = 0;
  at.worst = at.residual.empty() ? -1 : 0;
  for (std::size_t i = 0; i < row_size_.size(); ++i) {
    const double r = std::abs(at.residual[i]);
    const double error = r <= tiny ? 0 : r / std::max(row_size_[i], tiny);
    if (error <= at.error) continue;
    at.error = error;
    at.worst = static_cast<int>(i);
  }
}

bool Newton::is_at_floor(const Iterate& at, std::span<const double> c) {
  set_typical(at, c);
  measure_rows(at, c, true);
  for (std::size_t i = 0; i < row_size_.size(); ++i)
    if (std::abs(at.residual[i]) > options_.tolerance * row_size_[i] + tiny) return false;
  return true;
}

double Newton::residual_norm(const Iterate& at, std::span<const double> size) const {
  double sum = 0;
  for (std::size_t i = 0; i < size.size(); ++i) {
    const double r = at.residual[i] / std::max(size[i], tiny);
    sum += r * r;
  }
  return std::sqrt(sum);
}

double Newton::unknown_norm(std::span<const double> v) const { return relative_norm(v, typical_); }

double Newton::relative_norm(std::span<const double> v, std::span<const double> size) const {
  double sum = 0;
  for (std::size_t j = 0; j < v.size(); ++j) {
    const double d = v[j] / std::max(size[j], tiny);
    sum += d * d;
  }
  return std::sqrt(sum);
}

void Newton::correction(const Iterate& at, std::vector<double>& c) {
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = -at.residual[i];
  if (by_stages_)
    stages_->solve(c);
  else
    solver_.solve(c);
}

// Takes a step of length α = 1, 1/2, … along Δx and says how the iteration goes on.
Newton::Step Newton::advance(const Evaluate& evaluate) {
  set_typical(current_, step_);
  measure_rows(current_, step_, true);
  std::copy(row_size_.begin(), row_size_.end(), step_size_.begin());
  const double residual = residual_norm(current_, step_size_), length = unknown_norm(step_);
  if (!std::isfinite(length)) return Step::failed;
  for (double alpha = 1; alpha >= smallest_alpha; alpha /= 2) {
    try_step(evaluate, alpha);
    if (!trial_.finite) continue;
    correction(trial_, simplified_);
    measure_rows(trial_, simplified_, false);
    measure_error(trial_);
    if (trial_.error <= options_.tolerance) {
      std::swap(current_, trial_);
      for (std::size_t j = 0; j < step_.size(); ++j) current_.x[j] += simplified_[j];
      return Step::converged;
    }
    const double shorter = residual_norm(trial_, step_size_), rest = unknown_norm(simplified_);
    if (alpha == 1 && shorter > residual / 2 && is_at_floor(trial_, simplified_)) {
      std::swap(current_, trial_);
      return Step::converged;
    }
    if (shorter <= (1 - alpha / 4) * residual || rest <= (1 - alpha / 4) * length) {
      std::swap(current_, trial_);
      return Step::accepted;
    }
    set_typical(current_, step_);
  }
  return is_at_floor(current_, step_) || is_erratic(evaluate) ? Step::converged : Step::failed;
}

void Newton::try_step(const Evaluate& evaluate, double alpha) {
  for (std::size_t j = 0; j < step_.size(); ++j) trial_.x[j] = current_.x[j] + alpha * step_[j];
  visit(evaluate, trial_);
}

// Whether steps too short to matter leave every large row unchanged or throw it about, by more than the change of the
// Jacobian along the step explains.
bool Newton::is_erratic(const Evaluate& evaluate) {
  measure_rows(current_, step_, false);
  for (double alpha = smallest_alpha; alpha >= 0x1p-50; alpha *= smallest_alpha) {
    try_step(evaluate, alpha);
    if (!trial_.finite) return false;
    std::fill(curvature_.begin(), curvature_.end(), 0.0);
    for (int j = 0; j < pattern_.cols; ++j)
      for (int e = pattern_.start[j]; e < pattern_.start[j + 1]; ++e)
        curvature_[pattern_.row[e]] += std::abs((trial_.jacobian[e] - current_.jacobian[e]) * alpha * step_[j]);
    for (std::size_t i = 0; i < curvature_.size(); ++i) {
      const double r = std::abs(current_.residual[i]);
      if (r <= options_.tolerance * row_size_[i] + tiny) continue;
      const double change = std::abs(trial_.residual[i] - current_.residual[i]);
      const double deviation = std::abs(trial_.residual[i] - (1 - alpha) * current_.residual[i]);
      if ((change > 0 && change < r / 4) || deviation <= unexplained * curvature_[i]) return false;
    }
  }
  return true;
}

NewtonResult Newton::result(NewtonStatus status, int iterations, std::span<double> x) const {
  std::copy(current_.x.begin(), current_.x.end(), x.begin());
  const int unknown = status == NewtonStatus::singular ? solver_.singular_column() : -1;
  return {status, iterations, current_.error, current_.worst, unknown, factorisations_};
}

}  // namespace invar
