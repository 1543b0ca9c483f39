// Many points that take the steps of one program together (step_program.h): each with its own start and parameters.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "invar/device/device.h"
#include "invar/device/step_program.h"

namespace invar {

class StepBatch {
 public:
  StepBatch(Device& device, StepProgram program, std::size_t count);
  // With a kernel that has been built.
  StepBatch(Device& device, StepProgram program, std::size_t count, std::shared_ptr<Kernel> kernel);

  std::size_t count() const { return count_; }
  Kernel::Size kernel_size() const { return kernel_->size(); }

  // Quantity by quantity: number k of point p stands at k * count() + p. All points go on from there.
  void start(std::span<const double> states, std::span<const double> own);

  // Takes the steps to the times that follow `times.front()`.
  void advance(std::span<const double> times, const StepProgram::Inputs& inputs);

  // The range is that of what is now, and of what follows.
  void watch_from_here();

  std::vector<double> states() const;
  std::vector<double> range() const;  // the least values, then the greatest
  // By point: the step, counted from the start, that the program could not take; none where it went on.
  static constexpr std::int64_t none = -1;
  std::vector<std::int64_t> left() const;
  // Of Newton's method, on average; zero where nothing is solved.
  double iterations_per_step() const;
  // A point that another has taken on to where all of them are: its state, and it goes on.
  void take_back(std::size_t p, std::span<const double> state);

 private:
  std::size_t count_;
  StepProgram program_;
  std::shared_ptr<Kernel> kernel_;
  DeviceArray state_, own_, rows_, left_, range_, memory_;
  std::int64_t done_ = 0;
};

}  // namespace invar
