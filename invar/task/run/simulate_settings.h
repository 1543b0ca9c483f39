// The settings of a simulation. They stand above the other tasks, which begin where a simulation with these inputs
// would, and repeat it to judge what they found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/model/problem/setting_error.h"
#include "invar/scheme/scheme.h"
#include "invar/task/run/input_signal.h"

namespace invar {

struct SimulateSettings {
  double until = 1.0;
  double step = 0.01;
  std::string method = "auto";
  double rho = 0.8;                            // spectral radius at infinity of generalized-alpha
  RotationMap map = RotationMap::exponential;  // in Lie-group schemes
  bool project = true;                         // explicit schemes move every node onto the constraints …
  std::optional<Baumgarte> baumgarte = {};     // … or pull the motion towards them
  bool stabilise = false;                      // keep position constraints at velocity level too
  bool minimal_extension = false;              // and at acceleration level: index 1
  double adaptive = 0.0;                       // error of a step, relative; zero: all steps are equal
  double absolute = 0.0;                       // and that is added to it; zero: as much
  double first_step = 0.0;                     // of adaptive steps; zero: by itself
  double tolerance = 1e-12;                    // of Newton's method, relative
  int every = 1;                               // record each so many steps
  std::vector<InputSignal> inputs;             // those not listed are zero
};

// The first setting that breaks a rule; check() throws it as an InputError.
std::optional<SettingError> find_error(const SimulateSettings& settings);
void check(const SimulateSettings& settings);

namespace model {
struct Reading;
class Section;
// [simulate]
void read_simulate(Reading& reading, Section& top);
}  // namespace model

}  // namespace invar
