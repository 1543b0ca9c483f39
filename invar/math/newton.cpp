// The iteration, its step control and its convergence test; the formulas are in the header.
#include "invar/math/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "invar/expr/error.h"

namespace invar {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double tiny = std::numeric_limits<double>::min();
constexpr double start_at_round_off = 8 * epsilon;
constexpr double round_off_floor = 1e3 * epsilon;
constexpr double smallest_alpha = 1.0 / 1024;

// How far the remaining residual must exceed what the change of the Jacobian explains. A smooth function leaves half of
// the change times the step, so four is a safe distance.
constexpr double unexplained = 4;

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

Newton::Newton(const Pattern& pattern, NewtonOptions options, LinearSolver::Kind kind)
    : pattern_(pattern),
      options_(options),
      solver_(pattern, kind),
      step_(pattern.cols),
      simplified_(pattern.cols),
      weight_(pattern.cols),
      largest_(pattern.rows),
      curvature_(pattern.rows) {
  options_.check();
  for (Iterate* at : {&current_, &trial_}) {
    at->x.resize(pattern.cols);
    at->residual.resize(pattern.rows);
    at->jacobian.resize(pattern.size());
    at->size.resize(pattern.rows);
  }
}

NewtonResult Newton::solve(const Evaluate& evaluate, std::span<double> x) {
  expects(x.size() == current_.x.size(), "one start value per unknown");
  std::copy(x.begin(), x.end(), current_.x.begin());
  std::fill(step_.begin(), step_.end(), 0.0);
  std::fill(largest_.begin(), largest_.end(), 0.0);
  visit(evaluate, current_, 0);
  if (!current_.finite) return result(NewtonStatus::stalled, 0, x);
  if (current_.error <= start_at_round_off) return result(NewtonStatus::converged, 0, x);
  for (std::size_t i = 0; i < largest_.size(); ++i) largest_[i] += std::abs(current_.residual[i]);

  for (int iteration = 1; iteration <= options_.max_iterations; ++iteration) {
    if (!solver_.factor(current_.jacobian)) return result(NewtonStatus::singular, iteration - 1, x);
    correction(current_, step_);
    const Step step = advance(evaluate);
    if (step == Step::converged) return result(NewtonStatus::converged, iteration, x);
    if (step == Step::failed) return result(NewtonStatus::stalled, iteration, x);
  }
  return result(NewtonStatus::stalled, options_.max_iterations, x);
}

// Evaluates at `at.x` and measures the rows there; α is the length of the step that led to it.
void Newton::visit(const Evaluate& evaluate, Iterate& at, double alpha) {
  evaluate(at.x, at.residual, at.jacobian);
  at.finite = all_finite(at.residual) && all_finite(at.jacobian);
  at.error = at.finite ? 0 : std::numeric_limits<double>::infinity();
  at.worst = at.residual.empty() ? -1 : 0;
  if (!at.finite) {
    for (std::size_t e = 0; e < at.jacobian.size(); ++e)
      if (!std::isfinite(at.jacobian[e])) at.worst = pattern_.row[e];
    for (std::size_t i = 0; i < at.residual.size(); ++i)
      if (!std::isfinite(at.residual[i])) at.worst = static_cast<int>(i);
    return;
  }
  std::fill(at.size.begin(), at.size.end(), 0.0);
  for (int j = 0; j < pattern_.cols; ++j) {
    const double reach = std::abs(at.x[j]) + std::abs(alpha * step_[j]);
    for (int e = pattern_.start[j]; e < pattern_.start[j + 1]; ++e)
      at.size[pattern_.row[e]] += std::abs(at.jacobian[e]) * reach;
  }
  for (std::size_t i = 0; i < at.size.size(); ++i) {
    largest_[i] = std::max(largest_[i], at.size[i]);
    const double r = std::abs(at.residual[i]);
    const double error = r <= tiny ? 0 : r / std::max(at.size[i], tiny);
    if (error > at.error) {
      at.error = error;
      at.worst = static_cast<int>(i);
    }
  }
}

// Takes a step of length α = 1, 1/2, … along Δx and says how the iteration goes on.
Newton::Step Newton::advance(const Evaluate& evaluate) {
  set_unknown_weights();
  const double full = norm(step_);
  if (!std::isfinite(full)) return Step::failed;
  for (double alpha = 1; alpha >= smallest_alpha; alpha /= 2) {
    try_step(evaluate, alpha);
    if (!trial_.finite) continue;

    correction(trial_, simplified_);
    const double rest = norm(simplified_);
    if (is_small(trial_, full > 0 ? std::min(1.0, rest / full) : 0)) {
      std::swap(current_, trial_);
      for (std::size_t j = 0; j < step_.size(); ++j) current_.x[j] += simplified_[j];
      return Step::converged;
    }
    if (rest <= (1 - alpha / 2) * full) {
      std::swap(current_, trial_);
      return Step::accepted;
    }
    if (alpha == 1 && is_at_floor()) {
      if (trial_.error < current_.error) std::swap(current_, trial_);
      return Step::converged;
    }
  }
  return is_erratic(evaluate) ? Step::converged : Step::failed;
}

void Newton::try_step(const Evaluate& evaluate, double alpha) {
  for (std::size_t j = 0; j < step_.size(); ++j) trial_.x[j] = current_.x[j] + alpha * step_[j];
  visit(evaluate, trial_, alpha);
}

void Newton::correction(const Iterate& at, std::vector<double>& c) {
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = -at.residual[i];
  solver_.solve(c);
}

// 1 / z_j = max_i |J_ij| / s_i, where s_i now counts the new step.
void Newton::set_unknown_weights() {
  std::fill(current_.size.begin(), current_.size.end(), 0.0);
  for (int j = 0; j < pattern_.cols; ++j)
    for (int e = pattern_.start[j]; e < pattern_.start[j + 1]; ++e)
      current_.size[pattern_.row[e]] += std::abs(current_.jacobian[e]) * (std::abs(current_.x[j]) + std::abs(step_[j]));
  for (int j = 0; j < pattern_.cols; ++j) {
    weight_[j] = 0;
    for (int e = pattern_.start[j]; e < pattern_.start[j + 1]; ++e) {
      const double size = current_.size[pattern_.row[e]];
      if (size > tiny) weight_[j] = std::max(weight_[j], std::abs(current_.jacobian[e]) / size);
    }
  }
}

double Newton::norm(std::span<const double> v) const {
  double sum = 0;
  for (std::size_t j = 0; j < v.size(); ++j) sum += (v[j] * weight_[j]) * (v[j] * weight_[j]);
  return std::sqrt(sum);
}

bool Newton::is_small(const Iterate& at, double contraction) const {
  if (at.error > options_.tolerance) return false;
  for (std::size_t j = 0; j < simplified_.size(); ++j)
    if (contraction * std::abs(simplified_[j]) * weight_[j] > options_.tolerance) return false;
  return true;
}

void Newton::set_curvature(double alpha) {
  std::fill(curvature_.begin(), curvature_.end(), 0.0);
  for (int j = 0; j < pattern_.cols; ++j)
    for (int e = pattern_.start[j]; e < pattern_.start[j + 1]; ++e)
      curvature_[pattern_.row[e]] += std::abs((trial_.jacobian[e] - current_.jacobian[e]) * alpha * step_[j]);
}

// Whether the row deviates from the linear model r(x + α Δx) = (1 − α) r(x) by more than the Jacobian has changed.
bool Newton::is_unexplained(std::size_t row, double alpha) const {
  const double deviation = std::abs(trial_.residual[row] - (1 - alpha) * current_.residual[row]);
  return deviation > unexplained * curvature_[row];
}

// "Round-off" (1) of the header, for the trial after a full step.
bool Newton::is_at_floor() {
  set_curvature(1);
  for (std::size_t i = 0; i < curvature_.size(); ++i) {
    const double r = std::abs(trial_.residual[i]);
    if (r <= options_.tolerance * trial_.size[i] + tiny) continue;
    if (r > round_off_floor * largest_[i] || !is_unexplained(i, 1)) return false;
  }
  return true;
}

// "Round-off" (2) of the header, for the current iterate; a last resort that costs a few evaluations.
bool Newton::is_erratic(const Evaluate& evaluate) {
  for (double alpha = smallest_alpha; alpha >= 0x1p-50; alpha *= smallest_alpha) {
    try_step(evaluate, alpha);
    if (!trial_.finite) return false;
    set_curvature(alpha);
    for (std::size_t i = 0; i < curvature_.size(); ++i) {
      const double r = std::abs(current_.residual[i]);
      if (r <= options_.tolerance * current_.size[i] + tiny) continue;
      const double change = std::abs(trial_.residual[i] - current_.residual[i]);
      if ((change > 0 && change < r / 4) || !is_unexplained(i, alpha)) return false;
    }
  }
  return true;
}

NewtonResult Newton::result(NewtonStatus status, int iterations, std::span<double> x) const {
  std::copy(current_.x.begin(), current_.x.end(), x.begin());
  const int unknown = status == NewtonStatus::singular ? solver_.singular_column() : -1;
  return {status, iterations, current_.error, current_.worst, unknown};
}

}  // namespace invar
