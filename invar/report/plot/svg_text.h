// Text for SVG: escaped, valid UTF-8, cut to a length that fits.
#pragma once

#include <string>
#include <string_view>

namespace invar {

// Safe between tags and in attributes. What XML cannot hold (control characters, broken UTF-8) becomes U+FFFD.
std::string escaped(std::string_view text);
// At most `count` characters, the last one … if something was left out. Broken UTF-8 becomes U+FFFD.
std::string shortened(std::string_view text, std::size_t count);
// Characters, for an estimate of the width.
std::size_t length(std::string_view text);

}  // namespace invar
