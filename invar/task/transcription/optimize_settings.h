// The settings of optimal control: where to, at what cost, within which limits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/base/kind_names.h"
#include "invar/expr/expr.h"
#include "invar/model/problem/setting_error.h"

namespace invar {

// A formula in coordinates, velocities, inputs and t that must stay between two numbers, of which one may be infinite.
struct Limit {
  std::string name;  // what it is called in messages
  Expr formula;
  double lower, upper;
};

enum class OptimalMethod { direct, indirect };
enum class GuessKind { automatic, joints, line, hold, inverse };  // of the motion; the first tries the others
inline constexpr KindName<OptimalMethod> optimal_methods[] = {
    {OptimalMethod::direct, "direct"},
    {OptimalMethod::indirect, "indirect"},
};
inline constexpr KindName<GuessKind> guess_kinds[] = {
    {GuessKind::automatic, "auto"}, {GuessKind::joints, "joints"},   {GuessKind::line, "line"},
    {GuessKind::hold, "hold"},      {GuessKind::inverse, "inverse"},
};

struct OptimizeSettings {
  static constexpr bool finds_inputs = true;
  double horizon = 1.0;                  // or a first guess, if it is free
  double shortest = 1.0, longest = 1.0;  // equal if the horizon is given
  int intervals = 40;
  OptimalMethod method = OptimalMethod::direct;
  std::string scheme = "auto";
  std::optional<Expr> cost;  // per unit time; none: ½ u·u
  std::optional<Expr> end_cost;
  std::vector<Limit> final;   // at the end; of a coordinate, a velocity, an output or a formula
  bool rest = false;          // no velocity at the end
  std::vector<Limit> bounds;  // on the way
  GuessKind guess = GuessKind::automatic;
  int refine = 1;  // meshes to solve, each twice as fine as the one before
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
