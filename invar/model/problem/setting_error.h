// A setting that breaks a rule, and the rules that several tasks share.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace invar {

// { "rho", "must lie between 0 and 1" }
struct SettingError {
  std::string setting;
  std::string rule;
};

// Of a task that goes from 0 to `until` in steps, by a method that solves to a relative tolerance.
std::optional<SettingError> find_step_error(double until, double step);
std::optional<SettingError> find_tolerance_error(double tolerance);

// For a name that is none of those that a setting can have: must be "a", "b" or "c"
std::string must_be_one_of(const std::vector<std::string>& names);

// Throws it as an InputError.
void require_none(const std::optional<SettingError>& error);

}  // namespace invar
