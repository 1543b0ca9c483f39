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

constexpr double start_at_round_off = 8 * std::numeric_limits<double>::epsilon();
constexpr double smallest_alpha = 1.0 / 1024;

// How far the remaining residual must exceed what the change of the Jacobian explains. A smooth function leaves half of
// the change times the step, so four is a safe distance.
constexpr double unexplained = 4;

// Whole iterations of one function: so many, each of which must contract so much.
constexpr int most_in_line = 7;
constexpr double contraction_in_line = 0.5;

}  // namespace

bool Newton::all_finite(std::span<const double> v) {
  double probe = 0;
  for (const double value : v) probe += 0 * value;
  return probe == 0;
}

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
      row_weight_(pattern.rows),
      curvature_(pattern.rows) {
  options_.check();
  constexpr double dear = 100;
  set_work(static_cast<double>(pattern_.size()), dear * static_cast<double>(pattern_.size()));
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
  ways_ = CheapestWay(4);
  natural_.resize(typical_.size());
  fine_.resize(typical_.size());
}

Newton Newton::another() const {
  Newton result(pattern_, options_, group_, solver_.another());
  if (stages_) result.stages_.emplace(stages_->another());
  if (stages_) result.ways_ = CheapestWay(4);
  result.linear_ = linear_;
  result.natural_ = natural_;
  result.fine_ = fine_;
  result.residual_work_ = residual_work_;
  result.jacobian_work_ = jacobian_work_;
  if (line_) result.line_ = std::make_unique<LearnedLine>(*line_);
  return result;
}

void Newton::learn_from(const Function& residual_and_jacobian, std::size_t first) {
  if (options_.in_line_after == NewtonOptions::never) return;
  line_ = std::make_unique<LearnedLine>(residual_and_jacobian, pattern_, first, options_.in_line_after);
}

void Newton::compile(const Compiler& compiler) {
  if (line_) line_->compile(compiler);
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
  if (linear_ && solve_linear()) return result(NewtonStatus::converged, 1, x);

  for (int iteration = 1; iteration <= options_.max_iterations; ++iteration) {
    if (!factor()) return result(NewtonStatus::singular, iteration - 1, x);
    correction(current_, step_);
    const Step step = advance(evaluate);
    if (step == Step::converged) return result(NewtonStatus::converged, iteration, x);
    if (step == Step::failed) return result(NewtonStatus::stalled, iteration, x);
  }
  return result(NewtonStatus::stalled, options_.max_iterations, x);
}

bool Newton::solve_linear() {
  if (!factor()) return false;
  correction(current_, step_);
  trial_.jacobian = current_.jacobian;
  trial_.residual = current_.residual;
  for (int j = 0; j < pattern_.cols; ++j) {
    trial_.x[j] = current_.x[j] + step_[j];
    for (int e = pattern_.start[j]; e < pattern_.start[j + 1]; ++e)
      trial_.residual[pattern_.row[e]] += current_.jacobian[e] * step_[j];
  }
  correction(trial_, simplified_);
  measure_rows(trial_, simplified_, false);
  measure_error(trial_);
  if (!all_finite(trial_.residual)) return false;
  if (!(trial_.error <= options_.tolerance) && !is_elimination_noise(trial_)) return false;
  std::swap(current_, trial_);
  for (std::size_t j = 0; j < step_.size(); ++j) current_.x[j] += simplified_[j];
  return true;
}

// Unknowns change by J⁻¹ (± ε s) with some signs; those of a kind as much as the one that changes most.
bool Newton::is_elimination_noise(const Iterate& at) {
  constexpr double several = 16;
  for (std::size_t i = 0; i < row_size_.size(); ++i) curvature_[i] = (i % 3 == 0 ? -epsilon : epsilon) * row_size_[i];
  solver_.solve(curvature_);
  std::fill(group_size_.begin(), group_size_.end(), 0.0);
  for (std::size_t j = 0; j < group_.size(); ++j)
    group_size_[group_[j]] = std::max(group_size_[group_[j]], std::abs(curvature_[j]));
  std::copy(row_size_.begin(), row_size_.end(), step_size_.begin());
  for (double& size : step_size_) size *= options_.tolerance;
  for (int j = 0; j < pattern_.cols; ++j)
    for (int e = pattern_.start[j]; e < pattern_.start[j + 1]; ++e)
      step_size_[pattern_.row[e]] += several * std::abs(at.jacobian[e]) * group_size_[group_[j]];
  for (std::size_t i = 0; i < step_size_.size(); ++i)
    if (!(std::abs(at.residual[i]) <= step_size_[i] + tiny)) return false;
  return true;
}

NewtonResult Newton::solve(const Evaluate& evaluate, std::span<double> in, std::span<double> x) {
  if (!line_) return solve(evaluate, x);
  factorisations_ = 0;
  const std::optional<int> steps = line_->is_known() ? solve_in_line(evaluate, in, x) : std::nullopt;
  const int spent = factorisations_;
  NewtonResult found = steps ? result(NewtonStatus::converged, *steps, x) : solve(evaluate, x);
  if (!steps) found.factorisations += spent;
  if (found.status != NewtonStatus::converged) return found;
  set_typical(current_, step_);
  line_->learn(in, typical_, steps.has_value());
  return found;
}

// How many steps it took; nothing if the elimination does not serve or the corrections do not shrink.
std::optional<int> Newton::solve_in_line(const Evaluate& evaluate, std::span<double> in, std::span<const double> x) {
  std::copy(x.begin(), x.end(), current_.x.begin());
  const double round_off = start_at_round_off * std::sqrt(static_cast<double>(x.size()));
  double before = std::numeric_limits<double>::infinity();
  for (int steps = 0; steps <= most_in_line; ++steps) {
    const NewtonLine at = line_->at(in, current_.x);
    ++factorisations_;
    if (!at.serves(options_.tolerance, line_->typical_rows())) return std::nullopt;
    std::copy(at.residual.begin(), at.residual.end(), current_.residual.begin());
    std::copy(at.size.begin(), at.size.end(), row_size_.begin());
    std::copy(at.correction.begin(), at.correction.end(), step_.begin());
    measure_error(current_);
    if (steps == 0 && current_.error <= start_at_round_off) return 0;
    set_typical(current_, step_);
    const double length = unknown_norm(step_);
    const bool shrinks = length <= contraction_in_line * before || length <= round_off;
    const bool small = current_.error <= options_.tolerance;
    const bool at_floor = !small && (!shrinks || length <= options_.tolerance) && ends_at_floor(evaluate);
    if (!shrinks && !at_floor) return std::nullopt;
    for (std::size_t j = 0; shrinks && j < step_.size(); ++j) current_.x[j] += step_[j];
    if (linear_ || (steps > 0 && (small || at_floor))) return std::max(steps, 1);
    before = std::max(length, tiny);
  }
  return std::nullopt;
}

// Whether what is left where the corrections no longer shrink is round-off.
bool Newton::ends_at_floor(const Evaluate& evaluate) {
  visit(evaluate, current_);
  return current_.finite && is_at_floor(current_, step_);
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
