// The settings of inverse dynamics.
#pragma once

#include <optional>
#include <string>

#include "invar/base/kind_names.h"
#include "invar/model/problem/setting_error.h"

namespace invar {

enum class InverseMethod {
  automatic,
  taylor,
  minimal_extension,
  minimal_extension_1,
  projection,
  direct,
  stable_inversion,
  space_time,
};
inline constexpr KindName<InverseMethod> inverse_methods[] = {
    {InverseMethod::automatic, "auto"},
    {InverseMethod::taylor, "taylor"},
    {InverseMethod::minimal_extension, "minimal-extension"},
    {InverseMethod::minimal_extension_1, "minimal-extension-1"},
    {InverseMethod::projection, "projection"},
    {InverseMethod::direct, "direct"},
    {InverseMethod::stable_inversion, "stable-inversion"},
    {InverseMethod::space_time, "space-time"},
};
// Those that solve the equations at every instant; the others integrate, with the error of a scheme.
constexpr bool is_exact(InverseMethod method) {
  return method == InverseMethod::taylor || method == InverseMethod::stable_inversion ||
         method == InverseMethod::space_time;
}
// Those that look for one bounded motion as a whole, not for one that follows a start.
constexpr bool seeks_bounded(InverseMethod method) {
  return method == InverseMethod::stable_inversion || method == InverseMethod::space_time;
}

struct InvertSettings {
  double until = 1.0;
  double step = 0.01;                         // of the times at which results are wanted
  std::string method = "auto";                // its name; see inverse_method()
  std::string integrator = "implicit-euler";  // the name of a scheme, for the methods that need one
  double tolerance = 1e-12;                   // of Newton's method, relative
  bool verify = true;                         // replay the inputs in a simulation
  bool accept_rough_reference = false;        // go on where given functions of time lack derivatives
  // Of bounded motions: time before 0 and after the end in which inputs may act (none: as long as it takes), whether
  // the error of the step is removed by extrapolation, whether oscillations that neither grow nor decay are where they
  // rest at the last instant too, and whether the motion repeats itself after `until`.
  std::optional<double> pre_actuation = {}, post_actuation = {};
  bool extrapolate = true;
  bool rest_at_both_ends = false;
  bool periodic = false;
};

// InputError if there is no such method.
InverseMethod inverse_method(const InvertSettings& settings);

// Why the method cannot find motions that repeat themselves, if they are asked for; or nothing.
std::string objection_to_periodic(const InvertSettings& settings);

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
