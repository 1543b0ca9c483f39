// Closed-loop control: what the controller is, and how the plant differs from the model that it knows.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "invar/model/problem/overrides.h"
#include "invar/model/problem/setting_error.h"
#include "invar/scheme/scheme.h"

namespace invar {

// Limits of one input: its size, and how fast it can change.
struct InputLimits {
  double lower, upper, rate;  // infinite if there is none
};

// A controller of a program: writes the inputs, which are zero before. Called once per sample, in the order of time, so
// that it may remember; only where the first measurement is not the start itself (noise) also for the start, to find
// out with which inputs the loop begins.
struct Sample;
using ControlLaw = std::function<void(const Sample& sample, std::span<double> u)>;

struct ControlSettings {
  static constexpr bool finds_inputs = true;
  double until = 1.0;
  double period = 0.01;                          // of the samples
  int substeps = 4;                              // of the plant, per sample
  std::string controller = "feedforward";        // computed-torque, output-feedback
  ControlLaw law = {};                           // in place of a controller by its name
  std::string scheme = "auto";                   // of the plant
  std::optional<Baumgarte> baumgarte = {};       // in the plant, with an explicit scheme; otherwise it projects
  double bandwidth = 5.0;                        // output-feedback: errors decay with this rate, 1/s
  bool integral = true;                          // output-feedback: remove lasting errors
  std::vector<double> proportional, derivative;  // computed-torque: gains of coordinates
  std::vector<InputLimits> limits;               // of inputs
  std::vector<double> noise;                     // standard deviations of the measured q and v
  std::uint64_t seed = 1;
  int delay = 0;  // samples between measurement and action
};

// The first setting that breaks a rule; check() throws it as an InputError.
std::optional<SettingError> find_error(const ControlSettings& settings);
void check(const ControlSettings& settings);

namespace model {
struct Reading;
class Section;
// [control]
void read_control(Reading& reading, Section& top);
// [plant]: values of parameters that the plant has in place of those of the model; and, once it is read with them, how
// else it differs.
Overrides read_plant_parameters(const Reading& reading, Section& top);
void read_plant(Reading& reading, Section& top);
}  // namespace model

}  // namespace invar
