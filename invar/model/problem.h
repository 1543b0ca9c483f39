// What a model file says: a system, where it starts and what is asked of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/system/system.h"

namespace invar {

// An input over time: a formula of t and the parameters, or samples joined by straight lines (held beyond the ends).
struct InputSignal {
  std::string input;  // name
  std::optional<Expr> formula;
  std::vector<double> time;  // ascending
  std::vector<double> value;
};

struct SimulateSettings {
  double until = 1.0;
  double step = 0.01;
  std::string method = "auto";
  double rho = 0.8;                 // spectral radius at infinity of generalized-alpha
  double tolerance = 1e-12;         // of Newton's method, relative
  int every = 1;                    // record each so many steps
  std::vector<InputSignal> inputs;  // those not listed are zero
};

// The first setting that breaks a rule: { "rho", "must lie between 0 and 1" }.
struct SettingError {
  std::string setting;
  std::string rule;
};
std::optional<SettingError> find_error(const SimulateSettings& settings);
void check(const SimulateSettings& settings);  // throws it as an InputError

struct Problem {
  std::string name;
  std::string file;                    // for messages; empty if built by program
  System system;                       // after [reduce]
  std::vector<std::string> satisfied;  // constraints that [reduce] made superfluous
  std::vector<double> q0, v0;          // as the user gave them, not yet consistent
  SimulateSettings simulate;
};

}  // namespace invar
