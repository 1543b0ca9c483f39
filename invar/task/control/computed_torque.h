// Computed torque with servo constraints by implicit Euler (scheme/implicit_euler.cpp): per sample one system of
// equations for the wanted state, the multipliers and the inputs [A. Zelei, G. Stépán, ACROBOTER, part 2, 2011]:
//
//   M (y_i - y_{i-1})/h + … = B u - Gᵀλ - K_P (q_i - q) - K_D (y_i - v),   q_i = q_{i-1} + h y_i,
//   Φ(q_i) = 0,   s(q_i) = γ(t_i)
//
// with the measured q, v. Since the wanted state is carried from sample to sample, what the outputs do not determine moves as the
// equations say, with the numerical damping of the formula.
#pragma once

#include <memory>

#include "invar/task/control/controller.h"

namespace invar {

class ComputedTorque : public Controller {
 public:
  explicit ComputedTorque(const Problem& problem);
  ~ComputedTorque() override;

  const State& wanted_start() const override { return start_; }
  std::vector<double> inputs_at_start() const override;
  void start() override;
  bool sample(const Sample& sample, std::span<double> u) override;
  std::string fault() const override { return fault_; }
  std::vector<double> memory() const override;
  void remember(std::span<const double> memory) override;

 private:
  struct Equations;
  std::unique_ptr<Equations> equations_;
  State start_;
  std::vector<double> at_start_;  // multipliers and inputs
  std::vector<double> q_, y_;     // wanted, at the last sample
  std::string fault_;
};

}  // namespace invar
