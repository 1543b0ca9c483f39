// The settings of optimal control: where to, at what cost, within which limits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/expr/expr.h"
#include "invar/model/problem/setting_error.h"

namespace invar {

// A formula in coordinates, velocities, inputs and t that must stay between two numbers, of which one may be infinite.
struct Limit {
  std::string name;  // what it is called in messages
  Expr formula;
  double lower, upper;
};

struct OptimizeSettings {
  static constexpr bool finds_inputs = true;
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
};

// The first setting that breaks a rule; check() throws it as an InputError.
std::optional<SettingError> find_error(const OptimizeSettings& settings);
void check(const OptimizeSettings& settings);

namespace model {
struct Reading;
class Section;
// [optimize]
void read_optimize(Reading& reading, Section& top);
}  // namespace model

}  // namespace invar
