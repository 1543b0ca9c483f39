// What somebody who mistyped a name may have meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace invar {

// The known name nearest to `name`, if any is near enough to be meant.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known);

}  // namespace invar
