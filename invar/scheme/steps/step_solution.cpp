// How the equations of a step are solved; see stepper.h.
#include <algorithm>
#include <cmath>

#include "invar/scheme/steps/stepper_programs.h"

namespace invar {

namespace {

// From here on Newton's method may come from far: well begun it needs three or four iterations.
constexpr int many_iterations = 8;
constexpr int doublings = 5;  // from h/32
// Another solution differs by about a turn in some rotation; the increments of two successive steps seldom differ by so
// much.
constexpr double large_jump = 1.0;
// Two solutions that differ by more, relative to the largest unknown, are not the same.
constexpr double another = 1e-4;

double largest_difference(std::span<const double> x, std::span<const double> y) {
  double most = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}

double largest(std::span<const double> x) {
  double most = 0.0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

// Counts the iterations of the group that needs most.
NewtonResult Stepper::solve_groups(std::span<double> x) {
  NewtonResult worst{NewtonStatus::converged, 0, 0.0, -1, -1};
  for (std::size_t k = 0; k < newton_.size(); ++k) {
    const Group& group = programs_->groups[k];
    const std::span<double> part = x.subspan(group.first, group.size);
    Newton& newton = newton_[k];
    NewtonResult r =
        group.alone ? newton.solve(evaluate_[k], evaluate_alone_[k], part) : newton.solve(evaluate_[k], in_, part);
    factorisations_ += static_cast<std::uint64_t>(r.factorisations);
    std::copy(part.begin(), part.end(), in_.begin() + static_cast<std::ptrdiff_t>(group.first));
    for (int* place : {&r.worst_equation, &r.singular_unknown})
      if (*place >= 0) *place += static_cast<int>(group.first);
    r.iterations = std::max(r.iterations, worst.iterations);
    if (r.status != NewtonStatus::converged) return r;
    const bool worse = worst.worst_equation < 0 || r.error > worst.error;
    const int iterations = r.iterations;
    const bool contracted = r.contracted && (k == 0 || worst.contracted);
    if (worse) worst = r;
    worst.iterations = iterations;
    worst.contracted = contracted;
  }
  return worst;
}

// From the right at a knot, but from the left at the end of the step.
void Stepper::evaluate_given() {
  const Programs& p = *programs_;
  if (p.given.empty()) return;
  p.instants({in_.data() + node0_ - 2, 2}, instant_, instants_scratch_);
  double* value = in_.data() + in_.size() - p.given.size();
  for (std::size_t k = 0; k < p.given.size(); ++k) {
    const std::size_t order = p.given[k].order;
    const Side side = instant_[k] > t_ ? Side::left : Side::right;
    p.given[k].function->series(instant_[k], side, {series_.data(), order + 1});
    value[k] = series_[order];
    for (std::size_t i = 2; i <= order; ++i) value[k] *= static_cast<double>(i);
  }
}

void Stepper::prepare(double h, const Inputs& inputs) {
  constexpr double same = 1e-3;  // sizes of steps that differ by rounding, or by less than the motion changes factors
  if (std::abs(h - factored_for_) > same * std::abs(h)) {
    for (Newton& newton : newton_) newton.forget_factors();
    ahead_.forget();
    factored_for_ = h;
  }
  in_[node0_ - 2] = t_;
  in_[node0_ - 1] = h;
  in_[programs_->parameters + programs_->parameter_count] = std::max(std::abs(h), pace_);
  const std::size_t width = programs_->input_width;
  if (width > 0)
    for (std::size_t k = 0; k < programs_->fractions.size(); ++k)
      inputs(t_ + programs_->fractions[k] * h, {in_.data() + programs_->inputs + k * width, width});
  evaluate_given();
}

NewtonResult Stepper::approach(double h, const Inputs& inputs, std::span<double> x) {
  NewtonResult result{};
  int iterations = 0;
  for (int k = doublings; k >= 0; --k) {
    prepare(h / (1 << k), inputs);
    if (k > doublings - 2)
      programs_->guess(in_, x, guess_scratch_);
    else  // on the straight line through the last two, in h
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = 3.0 * near_[i] - 2.0 * far_[i];
    result = solve_groups(x);
    iterations += result.iterations;
    if (result.status != NewtonStatus::converged) break;
    std::swap(near_, far_);
    std::copy(x.begin(), x.end(), near_.begin());
  }
  result.iterations = iterations;
  return result;
}

bool Stepper::is_doubtful(const NewtonResult& result, double h, std::span<const double> x) const {
  if (!by_increments_)
    return result.status == NewtonStatus::converged && !result.contracted && result.iterations >= many_iterations;
  return result.status != NewtonStatus::converged || std::abs(h) * largest_difference(x, last_) > large_jump;
}

// From where the steps before lead or, if that fails, from the guess of the scheme.
NewtonResult Stepper::solve_from_guess(double h, std::span<double> x) {
  const auto guess = [&] {
    if (by_increments_)
      std::copy(last_.begin(), last_.end(), x.begin());
    else
      programs_->guess(in_, x, guess_scratch_);
  };
  guess();
  abandoned_ = 0;
  if (!ahead_.guess(x) && !onward_.guess(t_, h, x)) return solve_groups(x);
  const NewtonResult result = solve_groups(x);
  if (result.status == NewtonStatus::converged && (result.contracted || result.iterations < many_iterations))
    return result;
  ahead_.forget();
  onward_.forget();
  guess();
  abandoned_ = result.iterations;
  return solve_groups(x);
}

// By Newton's method from a guess or, where that is doubtful, by approach.
NewtonResult Stepper::solve(double h, const Inputs& inputs, std::span<double> x) {
  if (by_increments_ && !remembered_) return approach(h, inputs, x);
  prepare(h, inputs);
  NewtonResult direct = solve_from_guess(h, x);
  const bool doubtful = is_doubtful(direct, h, x);
  direct.iterations += abandoned_;
  if (!doubtful) return direct;
  NewtonResult careful = approach(h, inputs, approached_);
  careful.iterations += direct.iterations;
  if (careful.status == NewtonStatus::converged) {
    if (direct.status == NewtonStatus::converged &&
        largest_difference(x, approached_) > another * std::max(largest(x), largest(approached_)))
      ++mended_;
    std::copy(approached_.begin(), approached_.end(), x.begin());
    return careful;
  }
  prepare(h, inputs);
  return by_increments_ ? careful : direct;
}

}  // namespace invar
