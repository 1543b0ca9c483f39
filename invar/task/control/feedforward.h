// Control without looking: the inputs of inverse dynamics, each held for one sample at its value in the middle of it.
#pragma once

#include "invar/record/trajectory.h"
#include "invar/task/control/controller.h"

namespace invar {

class Feedforward : public Controller {
 public:
  explicit Feedforward(const Problem& problem);

  const State& wanted_start() const override { return start_; }
  std::vector<double> inputs_at_start() const override;
  void start() override {}
  bool sample(const Sample& sample, std::span<double> u) override;
  std::vector<std::string> doubts() const override { return doubts_; }
  bool feeds_back() const override { return false; }

 private:
  double period_;
  State start_;
  Trajectory inputs_;  // at every half sample, and elsewhere
  std::vector<std::string> doubts_;
};

}  // namespace invar
