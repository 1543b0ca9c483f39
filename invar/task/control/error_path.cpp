// See error_path.h.
#include "invar/task/control/error_path.h"

#include <cmath>

namespace invar {

ErrorPath::ErrorPath(TimeFunctionPtr followed, double bandwidth, int order, bool integral)
    : followed_(std::move(followed)), bandwidth_(bandwidth), order_(order), integral_(integral) {
  clear();
}

void ErrorPath::clear() { polynomial_.assign(static_cast<std::size_t>(order_ + (integral_ ? 1 : 0)), 0.0); }

// P = exp(bτ) E: P_k = Σ_i E_i b^(k-i)/(k-i)! with the Taylor coefficients E_i.
void ErrorPath::start(double t0, std::span<const double> error) {
  t0_ = t0;
  std::vector<double> e(error.begin(), error.end());
  double factorial = 1.0;
  for (std::size_t k = 2; k < e.size(); ++k) e[k] /= (factorial *= static_cast<double>(k));
  for (std::size_t k = 0; k < e.size(); ++k) {
    polynomial_[k] = 0.0;
    double weight = 1.0;
    for (std::size_t i = 0; i <= k; ++i) {
      if (i > 0) weight *= bandwidth_ / static_cast<double>(i);
      polynomial_[k] += weight * e[k - i];
    }
  }
}

void ErrorPath::series(double t, Side side, std::span<double> out) const {
  followed_->series(t, side, out);
  const double tau = t - t0_;
  // P moved to t, by Horner's scheme.
  std::vector<double> p = polynomial_;
  for (std::size_t i = 0; i + 1 < p.size(); ++i)
    for (std::size_t k = p.size() - 1; k > i; --k) p[k - 1] += tau * p[k];
  const std::size_t shift = integral_ ? 1 : 0;
  const double decay = std::exp(-bandwidth_ * tau);
  for (std::size_t k = 0; k < out.size(); ++k) {
    double sum = 0.0, weight = decay;
    for (std::size_t i = 0; i <= k + shift; ++i) {
      if (i > 0) weight *= -bandwidth_ / static_cast<double>(i);
      if (k + shift - i < p.size()) sum += weight * p[k + shift - i];
    }
    out[k] -= integral_ ? sum * static_cast<double>(k + 1) : sum;
  }
}

}  // namespace invar
