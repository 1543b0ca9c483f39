// A controller given as a function of what is measured.
#pragma once

#include <span>
#include <vector>

#include "invar/task/control/controller.h"

namespace invar {

class LawController final : public Controller {
 public:
  // `start` is where the model starts.
  LawController(ControlLaw law, State start, std::size_t inputs);

  const State& wanted_start() const override { return start_; }
  std::vector<double> inputs_at_start() const override { return first_; }
  void start() override { begun_ = false; }
  bool sample(const Sample& sample, std::span<double> u) override;

 private:
  ControlLaw law_;
  State start_;
  std::vector<double> first_;
  bool begun_ = false;
};

}  // namespace invar
