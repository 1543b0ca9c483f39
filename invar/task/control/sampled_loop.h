// Plant and controller together, from sample to sample: measure, compute, wait, limit, hold.
#pragma once

#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "invar/scheme/steps/stepper.h"
#include "invar/task/control/controller.h"
#include "invar/task/run/problem_start.h"

namespace invar {

class SampledLoop {
 public:
  // The plant's own start is made consistent; `limited` false leaves out limits and noise.
  SampledLoop(const Problem& plant, const ProblemStart& start, const ControlSettings& settings, Controller& controller,
              bool limited);

  // The controller forgets; the plant is where it starts.
  void start();
  void start_at(const State& state);

  // Computes the inputs of the sample at t. False if there are none; fault() says why.
  bool control();
  // The plant until the next sample. Likewise.
  bool advance();

  double t() const { return stepper_.t(); }
  std::span<const double> q() const { return stepper_.q(); }
  std::span<const double> v() const { return stepper_.v(); }
  std::span<const double> lambda() { return stepper_.lambda(); }
  std::span<const double> inputs() const { return held_; }
  bool saturated() const { return saturated_; }  // is an input of this sample at a limit?
  const std::string& fault() const { return fault_; }
  const System& system() const { return plant_start_.system(); }  // without redundant constraints
  // Any state of the plant made consistent.
  State consistent(const State& state) const { return plant_start_.consistent(state); }
  const State& plant_start() const { return start_; }

  // What the next sample depends on besides the plant: inputs that are held or on their way, and what the controller
  // remembers.
  std::vector<double> memory() const;
  void remember(std::span<const double> memory);

 private:
  void limit(std::span<double> u);

  const ProblemStart plant_start_;
  const ControlSettings settings_;
  Controller& controller_;
  bool limited_;
  State start_;
  Stepper stepper_;
  std::uint64_t sample_ = 0;
  bool first_ = true;  // nothing is held yet
  std::deque<std::vector<double>> waiting_;
  std::vector<double> held_, command_, q_, v_;
  bool saturated_ = false;
  std::mt19937_64 random_;
  std::string fault_;
};

// The largest |eigenvalue| of the map from one sample to the next around the rest at the start of the references, with
// a plant as the model says: errors grow by this factor per sample. Nothing if the loop does not stand still there.
struct LoopStability {
  double spectral_radius = 0.0;
  std::vector<double> inputs;  // at rest
  std::string trouble;         // why there is no figure; empty if there is one
};
LoopStability loop_stability(const Problem& model);

}  // namespace invar
