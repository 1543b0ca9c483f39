// Pieces of one-line messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace invar {

// Text of the user as it may be shown, bare and in quotes: no line breaks, not too long.
std::string display(std::string_view text);
std::string in_quotes(std::string_view text);

// `; did you mean "kinetic"?`, or nothing if no known name is near.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace invar
