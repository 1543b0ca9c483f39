// What other languages call what formulas have: `np.sin`, `ln`, `xdot`, `der(x)`, `M_PI`.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace invar {

// How it is written here, as the end of a message ("; write log(x)"); empty if nothing is known about the name.
// `has_velocity` tells whether a name of the model may carry a prime.
std::string foreign_function(std::string_view name);
std::string foreign_name(std::string_view name, const std::function<bool(std::string_view)>& has_velocity);

}  // namespace invar
