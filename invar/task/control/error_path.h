// A reference that starts where an output is and approaches the one it shall follow: γ - e with an error e that decays.
//
// E = ∫e or, without integral, e itself obeys (d/dt + b)^r E = 0, so E(t₀+τ) = exp(-bτ) P(τ) with a polynomial P whose
// coefficients follow from the derivatives of E at t₀.
#pragma once

#include "invar/model/trajectory/profile.h"

namespace invar {

class ErrorPath : public TimeFunction {
 public:
  // `order` derivatives of the error are given (0 … order-1); with `integral` also its integral.
  ErrorPath(TimeFunctionPtr followed, double bandwidth, int order, bool integral);

  int order() const { return order_; }
  const TimeFunction& followed() const { return *followed_; }

  // Error and its derivatives at t₀, with the integral first if there is one.
  void start(double t0, std::span<const double> error);
  // No error from now on.
  void clear();

  void series(double t, Side side, std::span<double> out) const override;
  std::vector<double> knots() const override { return followed_->knots(); }
  int smoothness() const override { return followed_->smoothness(); }
  std::string describe() const override { return followed_->describe(); }

 private:
  TimeFunctionPtr followed_;
  double bandwidth_;
  int order_;
  bool integral_;
  double t0_ = 0.0;
  std::vector<double> polynomial_;  // coefficients of P
};

}  // namespace invar
