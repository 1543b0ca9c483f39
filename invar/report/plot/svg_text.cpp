// UTF-8 by the byte: only complete characters of a legal length and value pass.
#include "invar/report/plot/svg_text.h"

#include <cstdint>
#include <vector>

namespace invar {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

bool is_tail(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Bytes of the character at the start of `text`, 0 if it is none that XML allows.
std::size_t character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return 0;
  std::uint32_t code = lead & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if (!is_tail(text[i])) return 0;
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool legal = code >= smallest[size] && code <= 0x10FFFF && !surrogate && code != 0xFFFE && code != 0xFFFF;
  return legal ? size : 0;
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> list;
  while (!text.empty()) {
    const std::size_t size = character(text);
    list.push_back(size ? text.substr(0, size) : replacement);
    text.remove_prefix(size ? size : 1);
  }
  return list;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (std::string_view c : characters(text)) {
    if (c == "&")
      result += "&amp;";
    else if (c == "<")
      result += "&lt;";
    else if (c == ">")
      result += "&gt;";
    else if (c == "\"")
      result += "&quot;";
    else if (c == "'")
      result += "&#39;";
    else
      result += c;
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t count) {
  const std::vector<std::string_view> all = characters(text);
  std::string result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + 1 == count && all.size() > count) return result + "…";
    result += all[i];
  }
  return result;
}

std::size_t length(std::string_view text) { return characters(text).size(); }

}  // namespace invar
