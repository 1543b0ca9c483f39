// The settings of inverse dynamics.
#pragma once

#include <optional>
#include <string>

#include "invar/model/problem/setting_error.h"

namespace invar {

struct InvertSettings {
  double until = 1.0;
  double step = 0.01;  // of the times at which results are wanted
  std::string method = "auto";
  std::string integrator = "implicit-euler";  // for the methods that need one
  double tolerance = 1e-12;                   // of Newton's method, relative
  bool verify = true;                         // replay the inputs in a simulation
};

// The first setting that breaks a rule; check() throws it as an InputError.
std::optional<SettingError> find_error(const InvertSettings& settings);
void check(const InvertSettings& settings);

namespace model {
struct Reading;
class Section;
// [invert]
void read_invert(Reading& reading, Section& top);
}  // namespace model

}  // namespace invar
