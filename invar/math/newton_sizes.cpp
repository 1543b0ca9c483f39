// The sizes by which Newton's method judges residuals and corrections; see newton.h.
#include <algorithm>
#include <cmath>

#include "invar/math/newton.h"

namespace invar {
namespace {

constexpr double next_to_nothing = 1e-8;

}  // namespace

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
    natural_[j] = effect;
    fine_[j] = typical_[j] * effect > next_to_nothing ? std::max(1 / typical_[j], effect) : effect;
  }
}

double Newton::weighted_norm(std::span<const double> v, std::span<const double> weight) {
  double sum = 0;
  for (std::size_t j = 0; j < v.size(); ++j) sum += (v[j] * weight[j]) * (v[j] * weight[j]);
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

// The residual, by the sizes of its terms or, where these are noise, by those of their kind.
bool Newton::is_small(Iterate& at) {
  measure_rows(at, step_, false);
  measure_error(at);
  return at.error <= options_.tolerance || is_at_floor(at, step_);
}

}  // namespace invar
