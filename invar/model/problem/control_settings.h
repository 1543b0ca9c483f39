// Closed-loop control: what the controller is, and how the plant differs from the model that it knows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "invar/expr/expr.h"

namespace invar {

// Limits of one input: its size, and how fast it can change.
struct InputLimits {
  double lower, upper, rate;  // infinite if there is none
};

struct ControlSettings {
  double until = 1.0;
  double period = 0.01;                          // of the samples
  int substeps = 4;                              // of the plant, per sample
  std::string controller = "feedforward";        // computed-torque, output-feedback
  std::string scheme = "auto";                   // of the plant
  double bandwidth = 5.0;                        // output-feedback: errors decay with this rate, 1/s
  bool integral = true;                          // output-feedback: remove lasting errors
  std::vector<double> proportional, derivative;  // computed-torque: gains of coordinates
  std::vector<InputLimits> limits;               // of inputs
  std::vector<double> noise;                     // standard deviations of the measured q and v
  std::uint64_t seed = 1;
  int delay = 0;  // samples between measurement and action
  bool asked = false;
};

}  // namespace invar
