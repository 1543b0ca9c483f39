// See adaptive.h.
#include "invar/scheme/adaptive.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "invar/base/error.h"

namespace invar {

Adaptive::Adaptive(Stepper& stepper, const Scheme& scheme, const AdaptiveOptions& options)
    : stepper_(stepper), options_(options), order_(scheme.info.order), h_(options.first) {
  if (scheme.start != carries_nothing)
    throw InputError("adaptive: the steps of " + std::string(scheme.info.name) +
                     " must all be of one size; try radau5, lie-rk4 or energy-momentum");
}

bool Adaptive::advance(double h, const Stepper::Inputs& inputs, Result& result) {
  result.last = stepper_.advance(h, inputs);
  result.iterations += static_cast<std::uint64_t>(result.last.iterations);
  return result.last.status == NewtonStatus::converged;
}

// Of the two half steps, as a part of what is allowed.
double Adaptive::error() const {
  const std::size_t n = stepper_.q().size();
  double worst = 0.0;
  for (const bool velocity : {false, true}) {
    const std::span<const double> now = velocity ? stepper_.v() : stepper_.q();
    double scale = 1.0;
    for (double x : now) scale = std::max(scale, 1.0 + std::abs(x));
    for (std::size_t i = 0; i < n; ++i)
      worst = std::max(worst, std::abs(now[i] - whole_[(velocity ? n : 0) + i]) / scale);
  }
  return worst / ((std::pow(2.0, order_) - 1.0) * options_.tolerance);
}

void Adaptive::note(Node& node) const {
  node.t = stepper_.t();
  node.q.assign(stepper_.q().begin(), stepper_.q().end());
  node.v.assign(stepper_.v().begin(), stepper_.v().end());
  node.lambda.assign(stepper_.lambda().begin(), stepper_.lambda().end());
}

Adaptive::Result Adaptive::advance_past(double t, double end, const Stepper::Inputs& inputs) {
  constexpr double safety = 0.9, least = 0.2, most = 5.0;
  Result result;
  const double span = end - stepper_.t();
  if (h_ <= 0.0) h_ = 0.01 * (t - stepper_.t());
  while (stepper_.t() < t) {
    const double left = end - stepper_.t();
    // Two equal last steps rather than a tiny one.
    const double h = h_ >= left ? left : 2.0 * h_ > left ? 0.5 * left : h_;
    stepper_.save(before_);
    note(tried_[0]);
    double allowed = 0.0;
    if (advance(h, inputs, result)) {
      whole_.assign(stepper_.q().begin(), stepper_.q().end());
      whole_.insert(whole_.end(), stepper_.v().begin(), stepper_.v().end());
      stepper_.restore(before_);
      if (advance(0.5 * h, inputs, result)) {
        note(tried_[1]);
        if (advance(0.5 * h, inputs, result)) {
          const double e = error();
          allowed = e > 0.0 ? safety * std::pow(e, -1.0 / (order_ + 1)) : most;
          if (e <= 1.0) {
            if (h == left) stepper_.set_t(end);
            note(tried_[2]);
            std::swap(tried_, last_);
            ++accepted_;
            h_ = std::max(h_ > h ? h_ : 0.0, h * std::clamp(allowed, least, most));
            continue;
          }
        }
      }
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
void Adaptive::at(double t, std::span<double> q, std::span<double> v, std::span<double> lambda) const {
  const double h = last_[2].t - last_[0].t, s = (t - last_[0].t) / h;
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
