// See characters.h.
#include "invar/base/characters.h"

#include <algorithm>
#include <vector>

namespace invar {

std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned lead = byte(i);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(i + k) & 0xc0) != 0x80) return 0;
  const unsigned second = byte(i + 1);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool surrogate = lead == 0xed && second >= 0xa0;
  const bool beyond = lead == 0xf4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

bool is_hidden(std::string_view character) {
  if (character.size() == 2) return character[0] == '\xc2' && static_cast<unsigned char>(character[1]) < 0xa0;
  if (character.size() != 3 || character.substr(0, 1) != "\xe2") return false;
  const auto second = static_cast<unsigned char>(character[1]), third = static_cast<unsigned char>(character[2]);
  return (second == 0x80 && (third == 0x8e || third == 0x8f || (third >= 0xa8 && third <= 0xae))) ||
         (second == 0x81 && third >= 0xa6 && third <= 0xa9);
}

namespace {

// The character at `i`, or what stands for it in a message.
std::string_view visible(std::string_view text, std::size_t i) {
  const std::size_t length = utf8_length(text, i);
  const std::string_view character = text.substr(i, length);
  if (length == 1 && is_space(text[i])) return " ";
  return length == 0 || is_control(text[i]) || is_hidden(character) ? "\uFFFD" : character;
}

}  // namespace

std::string excerpt(std::string_view text, std::size_t limit, std::size_t centre) {
  // Only characters that can be shown are kept, so that an error at the end of a huge text costs no memory. A byte that
  // begins no character counts as one.
  const std::size_t first = centre > limit ? centre - limit : 0;
  std::vector<std::string_view> kept;
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size() && count <= centre + limit; ++count) {
    const std::string_view character = text.substr(i, std::max<std::size_t>(utf8_length(text, i), 1));
    if (count >= first) kept.push_back(visible(text, i));
    i += character.size();
  }
  const std::size_t begin = count <= limit ? 0 : std::min(centre > limit / 2 ? centre - limit / 2 : 0, count - limit);
  const std::size_t end = std::min(count, begin + limit);
  std::string result = begin > 0 ? "…" : "";
  for (std::size_t k = begin; k < end; ++k) result += kept[k - first];
  return end < count ? result + "…" : result;
}

}  // namespace invar
