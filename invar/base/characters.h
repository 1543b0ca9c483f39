// Characters of text that people write, and how it may be shown in messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace invar {

// Not <cctype>: its answers depend on the locale and it may not be asked about negative chars.
inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
inline bool is_control(char c) { return (c >= 0 && c < 0x20) || c == 0x7f; }

// Number of bytes of the UTF-8 character at `i`; 0 if there is none.
std::size_t utf8_length(std::string_view text, std::size_t i);

// Control characters that hide in UTF-8: C1 controls, line separators, and marks that reorder the text around them.
bool is_hidden(std::string_view character);

// `text` as it may stand in a one-line message: control characters and broken UTF-8 replaced, at most `limit`
// characters around character number `centre`, with … where something was cut off.
std::string excerpt(std::string_view text, std::size_t limit, std::size_t centre = 0);

}  // namespace invar
