// See adaptive.h.
#include "invar/scheme/adaptive.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "invar/expr/error.h"

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

Adaptive::Result Adaptive::advance_to(double t, const Stepper::Inputs& inputs) {
  constexpr double safety = 0.9, least = 0.2, most = 5.0;
  Result result;
  const double span = t - stepper_.t();
  if (h_ <= 0.0) h_ = 0.01 * span;
  while (stepper_.t() < t) {
    const double left = t - stepper_.t();
    // Two equal last steps rather than a tiny one.
    const double h = h_ >= left ? left : 2.0 * h_ > left ? 0.5 * left : h_;
    stepper_.save(before_);
    double allowed = 0.0;
    if (advance(h, inputs, result)) {
      whole_.assign(stepper_.q().begin(), stepper_.q().end());
      whole_.insert(whole_.end(), stepper_.v().begin(), stepper_.v().end());
      stepper_.restore(before_);
      if (advance(0.5 * h, inputs, result) && advance(0.5 * h, inputs, result)) {
        const double e = error();
        allowed = e > 0.0 ? safety * std::pow(e, -1.0 / (order_ + 1)) : most;
        if (e <= 1.0) {
          if (h == left) stepper_.set_t(t);
          ++accepted_;
          h_ = std::max(h_ > h ? h_ : 0.0, h * std::clamp(allowed, least, most));
          continue;
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

}  // namespace invar
