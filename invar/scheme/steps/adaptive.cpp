// See adaptive.h.
#include "invar/scheme/steps/adaptive.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "invar/base/error.h"

namespace invar {

Adaptive::Adaptive(Stepper& stepper, const Scheme& scheme, const AdaptiveOptions& options)
    : stepper_(stepper),
      options_(options),
      order_(scheme.info.order),
      embedded_(stepper.knows_inside()),
      h_(options.first),
      deviation_(2 * stepper.q().size()) {
  if (options_.absolute <= 0.0) options_.absolute = options_.tolerance;
  if (scheme.start != carries_nothing)
    throw InputError("adaptive: the steps of " + std::string(scheme.info.name) +
                     " must all be of one size; try dormand-prince, radau5, lie-rk4 or energy-momentum");
}

void Adaptive::go_on(const Progress& progress) {
  h_ = progress.step;
  pace_ = progress.pace;
  accepted_ = progress.accepted;
  rejected_ = progress.rejected;
}

bool Adaptive::advance(double h, const Stepper::Inputs& inputs, Result& result) {
  result.last = stepper_.advance(h, inputs);
  result.iterations += static_cast<std::uint64_t>(result.last.iterations);
  return result.last.status == NewtonStatus::converged;
}

// The largest deviation of q and v, as a part of what is allowed.
double Adaptive::relative(std::span<const double> deviation) const {
  const std::size_t n = stepper_.q().size();
  double worst = 0.0;
  for (const bool velocity : {false, true}) {
    double size = 0.0;
    for (double x : velocity ? stepper_.v() : stepper_.q()) size = std::max(size, std::abs(x));
    const double allowed = options_.absolute + options_.tolerance * size;
    for (const double x : deviation.subspan(velocity ? n : 0, n)) {
      if (!std::isfinite(x)) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, std::abs(x) / allowed);
    }
  }
  return worst;
}

void Adaptive::note(Node& node) const {
  node.t = stepper_.t();
  if (embedded_) return;  // it knows the inside of its step
  node.q.assign(stepper_.q().begin(), stepper_.q().end());
  node.v.assign(stepper_.v().begin(), stepper_.v().end());
  node.lambda.assign(stepper_.lambda().begin(), stepper_.lambda().end());
}

// A step and its error as a part of what is allowed; nothing if it could not be done.
std::optional<double> Adaptive::attempt(double h, const Stepper::Inputs& inputs, Result& result) {
  stepper_.keep_pace(std::max(h, pace_));
  note(tried_[0]);
  if (!embedded_) return attempt_halves(h, inputs, result);
  if (!advance(h, inputs, result)) return std::nullopt;
  const std::size_t n = stepper_.q().size();
  stepper_.error_of_step({deviation_.data(), n}, {deviation_.data() + n, n});
  return relative(deviation_);
}

std::optional<double> Adaptive::attempt_halves(double h, const Stepper::Inputs& inputs, Result& result) {
  if (!advance(h, inputs, result)) return std::nullopt;
  std::ranges::copy(stepper_.v(), std::ranges::copy(stepper_.q(), deviation_.begin()).out);
  stepper_.restore(before_);
  if (!advance(0.5 * h, inputs, result)) return std::nullopt;
  note(tried_[1]);
  if (!advance(0.5 * h, inputs, result)) return std::nullopt;
  const std::size_t n = stepper_.q().size();
  for (std::size_t i = 0; i < n; ++i) {
    deviation_[i] -= stepper_.q()[i];
    deviation_[n + i] -= stepper_.v()[i];
  }
  return relative(deviation_) / (std::pow(2.0, order_) - 1.0);
}

// The end, or a knot before it.
double Adaptive::next_stop(double end) const {
  const auto knot = std::upper_bound(options_.knots.begin(), options_.knots.end(), stepper_.t());
  return knot == options_.knots.end() ? end : std::min(*knot, end);
}

Adaptive::Result Adaptive::advance_past(double t, double end, const Stepper::Inputs& inputs) {
  constexpr double safety = 0.9, least = 0.2, most = 5.0;
  constexpr double slower = 0.8;  // Baumgarte's terms get faster so much per step at most
  Result result;
  const double span = end - stepper_.t();
  const double exponent = -1.0 / (embedded_ ? order_ : order_ + 1);  // the error of order 4 of 5(4) falls with h⁵
  if (h_ <= 0.0) h_ = 0.01 * (t - stepper_.t());
  while (stepper_.t() < t && !is_paused()) {
    const double stop = next_stop(end), left = stop - stepper_.t();
    if (options_.largest > 0.0) h_ = std::min(h_, options_.largest);
    // Two equal last steps rather than a tiny one.
    const double h = h_ >= left ? left : 2.0 * h_ > left ? 0.5 * left : h_;
    stepper_.save(before_);
    const std::optional<double> error = attempt(h, inputs, result);
    const double allowed = !error ? 0.0 : *error > 0.0 ? safety * std::pow(*error, exponent) : most;
    if (error && *error <= 1.0) {
      if (h == left) stepper_.set_t(stop);
      note(tried_[2]);
      std::swap(tried_, last_);
      ++accepted_;
      pace_ = std::max(h, slower * pace_);
      h_ = std::max(h_ > h ? h_ : 0.0, h * std::clamp(allowed, least, most));
      continue;
    }
    stepper_.restore(before_);
    ++rejected_;
    h_ = h * std::clamp(allowed, 0.1, 0.9);
    if (h_ < options_.smallest * span) return result;
  }
  result.done = true;
  return result;
}

// Hermite's polynomial through values and slopes at 0, ½ and 1, from the squares of Lagrange's; its derivative are the
// velocities.
void Adaptive::at(double t, const Stepper::Inputs& inputs, std::span<double> q, std::span<double> v,
                  std::span<double> lambda) const {
  const double h = last_[2].t - last_[0].t, s = (t - last_[0].t) / h;
  if (embedded_) return stepper_.inside(s, inputs, q, v, lambda);
  constexpr double place[] = {0.0, 0.5, 1.0},
                   slope[] = {-3.0, 0.0, 3.0};  // of Lagrange's polynomials at their own places
  const double L[] = {(1.0 - s) * (1.0 - 2.0 * s), 4.0 * s * (1.0 - s), s * (2.0 * s - 1.0)},
               D[] = {4.0 * s - 3.0, 4.0 - 8.0 * s, 4.0 * s - 1.0};
  std::fill(q.begin(), q.end(), 0.0);
  std::fill(v.begin(), v.end(), 0.0);
  std::fill(lambda.begin(), lambda.end(), 0.0);
  for (std::size_t k = 0; k < 3; ++k) {
    const double off = s - place[k], value = (1.0 - 2.0 * slope[k] * off) * L[k] * L[k], rate = off * L[k] * L[k] * h,
                 value_slope = (-2.0 * slope[k] * L[k] + (1.0 - 2.0 * slope[k] * off) * 2.0 * D[k]) * L[k] / h,
                 rate_slope = (L[k] + 2.0 * off * D[k]) * L[k];
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += value * last_[k].q[i] + rate * last_[k].v[i];
      v[i] += value_slope * last_[k].q[i] + rate_slope * last_[k].v[i];
    }
    for (std::size_t i = 0; i < lambda.size(); ++i) lambda[i] += L[k] * last_[k].lambda[i];
  }
}

}  // namespace invar
