#include "invar/report/page/packed.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace invar {

std::string base64(std::span<const unsigned char> bytes) {
  static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* next = text.data();
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t given = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < given ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k <= given; ++k) next[k] = digits[group >> (18 - 6 * k) & 63];
    next += 4;
  }
  return text;
}

}  // namespace invar
