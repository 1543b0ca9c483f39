// See explicit_steps.h.
#include "invar/scheme/steps/explicit_steps.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"

namespace invar {

namespace {

Exprs stage_arguments(const System& system, const Equations& e, const Exprs& given) {
  Exprs all = {e.t};
  for (const Exprs& part : {e.q, e.v, e.u, parameters(system), given}) append(all, part);
  return all;
}

// Bit by bit: what follows from the one follows from the other, to the last digit.
bool same_numbers(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

}  // namespace

ExplicitSteps::ExplicitSteps(const System& system, const Equations& e, const Exprs& acceleration,
                             const RungeKutta& method, std::span<const Reference> references, std::vector<Ball> balls,
                             std::optional<RotationMap> map)
    : method_(&method),
      n_(e.q.size()),
      inputs_(e.u.size()),
      parameters_(system.parameters.size()),
      balls_(std::move(balls), map),
      timed_(depends(acceleration, Exprs{e.t})),
      given_(acceleration, references),
      acceleration_(stage_arguments(system, e, given_.symbols()), acceleration, "accelerations"),
      in_(acceleration_.input_count()),
      rate_(method.c.size() * n_),
      change_(rate_.size()),
      begin_q_(n_),
      begin_v_(n_),
      begun_(in_.size(), std::numeric_limits<double>::quiet_NaN()),
      ended_(begun_) {
  set_parameters(parameter_values(system));
}

void ExplicitSteps::set_parameters(std::span<const double> values) {
  std::copy(values.begin(), values.end(), part(1 + 2 * n_ + inputs_, parameters_).begin());
}

void ExplicitSteps::set_instant(double t, Side at_knots, const Inputs& inputs) {
  in_[0] = t;
  if (inputs_ > 0) inputs(t, part(1 + 2 * n_, inputs_));
  given_(t, part(1 + 2 * n_ + inputs_ + parameters_, given_.symbols().size()), at_knots);
}

void ExplicitSteps::add(std::span<const double> weight, const std::vector<double>& y, std::span<double> sum) const {
  for (std::size_t i = 0; i < weight.size(); ++i) {
    if (weight[i] == 0.0) continue;
    const double factor = h_ * weight[i];
    const double* const stage = y.data() + i * n_;
    for (std::size_t k = 0; k < n_; ++k) sum[k] += factor * stage[k];
  }
}

void ExplicitSteps::set_off(std::span<const double> weight, std::span<double> q, std::span<double> v) const {
  std::ranges::copy(begin_q_, q.begin());
  std::ranges::copy(begin_v_, v.begin());
  balls_.begin(q);
  add(weight, rate_, q);
  add(weight, change_, v);
}

// The step before ended in a stage here, or it began here, too, and was rejected.
bool ExplicitSteps::know_first_stage() {
  const std::size_t first = timed_ ? 0 : 1;
  const auto in_now = [&](const std::vector<double>& then) {
    return same_numbers(std::span(in_).subspan(first), std::span(then).subspan(first));
  };
  if (method_->ends_in_stage() && in_now(ended_)) {
    std::copy(change_.end() - std::ssize(begin_q_), change_.end(), change_.begin());
    return true;
  }
  return in_now(begun_);
}

void ExplicitSteps::accelerate(std::span<double> a) {
  acceleration_(in_, a, scratch_);
  balls_.to_spins(part(1, n_), a);
  ++evaluations_;
}

bool ExplicitSteps::advance(double t, double h, std::span<double> q, std::span<double> v, const Inputs& inputs) {
  h_ = h;
  std::ranges::copy(q, begin_q_.begin());
  std::ranges::copy(v, begin_v_.begin());
  balls_.to_spins(begin_q_, begin_v_);
  const std::span<double> stage_q = part(1, n_), stage_v = part(1 + n_, n_);
  for (std::size_t i = 0; i < method_->c.size(); ++i) {
    const double instant = t + method_->c[i] * h;
    if (i == 0 || method_->c[i] != method_->c[i - 1])
      set_instant(instant, instant > t ? Side::left : Side::right, inputs);
    const std::span<double> rate(rate_.data() + i * n_, n_), a(change_.data() + i * n_, n_);
    if (i == 0) {
      std::ranges::copy(q, stage_q.begin());
      std::ranges::copy(v, stage_v.begin());
      std::ranges::copy(begin_v_, rate.begin());
    } else {
      set_off(method_->a[i], stage_q, stage_v);
      std::ranges::copy(stage_v, rate.begin());
      balls_.arrive(begin_q_, stage_q, stage_v, rate);
    }
    if (i > 0 || !know_first_stage()) accelerate(a);
    if (i == 0) std::ranges::copy(in_, begun_.begin());
    if (i + 1 == method_->c.size() && method_->ends_in_stage()) std::ranges::copy(in_, ended_.begin());
    if (!std::ranges::all_of(a, [](double x) { return std::isfinite(x); })) return false;
  }
  set_off(method_->end_weights(), q, v);
  balls_.arrive(begin_q_, q, v);
  return true;
}

void ExplicitSteps::error_of_step(std::span<double> q, std::span<double> v) const {
  std::ranges::fill(q, 0.0);
  std::ranges::fill(v, 0.0);
  add(method_->error, rate_, q);
  add(method_->error, change_, v);
  balls_.to_rates(begin_q_, q);
  balls_.to_rates(begin_q_, v);
}

void ExplicitSteps::inside(double part_of_step, std::span<double> q, std::span<double> v) const {
  set_off({}, q, v);
  for (std::size_t i = 0; i < method_->inside.size(); ++i) {
    double weight = 0.0;
    for (std::size_t k = method_->inside[i].size(); k-- > 0;) weight = (weight + method_->inside[i][k]) * part_of_step;
    for (std::size_t k = 0; k < n_; ++k) {
      q[k] += h_ * weight * rate_[i * n_ + k];
      v[k] += h_ * weight * change_[i * n_ + k];
    }
  }
  balls_.arrive(begin_q_, q, v);
}

std::size_t ExplicitSteps::instruction_count() const {
  return (method_->c.size() - (method_->ends_in_stage() ? 1 : 0)) * acceleration_.instruction_count();
}

}  // namespace invar
