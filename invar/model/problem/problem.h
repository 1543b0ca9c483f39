// What a model file says: a system, where it starts and what is asked of it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "invar/dae/dae.h"
#include "invar/model/mechanism/mechanism.h"
#include "invar/model/problem/control_settings.h"
#include "invar/model/problem/drawing.h"
#include "invar/model/problem/parameter_use.h"
#include "invar/system/reference.h"
#include "invar/system/system.h"

namespace invar {

// An input over time: a formula of t, signals and parameters, or samples joined by straight lines (held beyond the ends).
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
  std::string map = "exponential";  // of rotations in Lie-group schemes, or "cayley"
  bool project = true;              // Lie-group schemes move every node onto the constraints
  bool stabilise = false;           // keep position constraints at velocity level too
  double adaptive = 0.0;            // error of a step, relative; zero: all steps are equal
  double tolerance = 1e-12;         // of Newton's method, relative
  int every = 1;                    // record each so many steps
  std::vector<InputSignal> inputs;  // those not listed are zero
};

struct InvertSettings {
  double until = 1.0;
  double step = 0.01;  // of the times at which results are wanted
  std::string method = "auto";
  std::string integrator = "implicit-euler";  // for the methods that need one
  double tolerance = 1e-12;                   // of Newton's method, relative
  bool verify = true;                         // replay the inputs in a simulation
};

// A formula in coordinates, velocities, inputs and t that must stay between two numbers, of which one may be infinite.
struct Limit {
  std::string name;  // what it is called in messages
  Expr formula;
  double lower, upper;
};

struct OptimizeSettings {
  double horizon = 1.0;                  // or a first guess, if it is free
  double shortest = 1.0, longest = 1.0;  // equal if the horizon is given
  int intervals = 40;
  std::string method = "direct";  // or "indirect"
  std::string scheme = "auto";
  std::optional<Expr> cost;  // per unit time; none: ½ u·u
  std::optional<Expr> end_cost;
  std::vector<Limit> final;    // at the end; of a coordinate, a velocity, an output or a formula
  bool rest = false;           // no velocity at the end
  std::vector<Limit> bounds;   // on the way
  std::string guess = "auto";  // of the motion: "line", "hold", "inverse"; auto tries them
  int refine = 1;              // meshes to solve, each twice as fine as the one before
  double tolerance = 1e-10;
  int iterations = 300;  // at most
  bool asked = false;    // does the file have [optimize]?
};

// The first setting that breaks a rule: { "rho", "must lie between 0 and 1" }.
struct SettingError {
  std::string setting;
  std::string rule;
};
std::optional<SettingError> find_error(const SimulateSettings& settings);
std::optional<SettingError> find_error(const InvertSettings& settings);
std::optional<SettingError> find_error(const OptimizeSettings& settings);
std::optional<SettingError> find_error(const ControlSettings& settings);
void check(const SimulateSettings& settings);  // throws it as an InputError
void check(const InvertSettings& settings);
void check(const OptimizeSettings& settings);
void check(const ControlSettings& settings);

struct Problem {
  std::string name;
  std::string file;                     // for messages; empty if built by program
  std::string text;                     // of the file, as it was read
  std::string formulation = "formula";  // or how the equations of a mechanism are written: director, minimal, lie
  std::shared_ptr<const Mechanism> mechanism;  // if bodies and joints are given
  System system;                               // after [reduce]
  std::vector<std::string> satisfied;          // constraints that [reduce] made superfluous
  std::vector<double> q0, v0;                  // as the user gave them, not yet consistent
  std::vector<Reference> signals;              // that formulas contain, apart from those given by formulas themselves
  std::vector<ServoTarget> targets;            // outputs with a trajectory, in the order of the file
  SimulateSettings simulate;
  InvertSettings invert;
  OptimizeSettings optimize;
  ControlSettings control;
  std::vector<Drawn> drawing;                // of a system of formulas
  std::map<std::string, std::string> units;  // of coordinates, inputs, outputs and multipliers, as far as they are told
  ParameterUse parameter_use;                // what values of parameters went into the numbers above
  std::shared_ptr<const Problem> plant;      // what is controlled, where it differs from this
};

}  // namespace invar
