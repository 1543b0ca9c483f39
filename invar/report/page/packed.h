// Numbers as the page reads them: their bytes, the lower ones first, as base64.
#pragma once

#include <bit>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace invar {

std::string base64(std::span<const unsigned char> bytes);

// Doubles are the numbers of the result to the last bit; single precision is for pictures.
template <class Number, class List = std::vector<double>>
std::string packed_text(const List& values) {
  static_assert(std::endian::native == std::endian::little);
  std::vector<unsigned char> bytes(values.size() * sizeof(Number));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto x = static_cast<Number>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(Number), &x, sizeof(Number));
  }
  return base64(bytes);
}

}  // namespace invar
