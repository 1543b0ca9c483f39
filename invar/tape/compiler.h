// The C compiler that turns tapes into machine code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace invar {

// No processor takes so many numbers at once.
inline constexpr std::size_t any_width = 64;

// Where and how to build machine code.
struct Compiler {
  std::string command = "cc";                              // found in PATH; no shell is involved
  std::string cache = {};                                  // folder, private to the user; created with mode 0700
  std::uintmax_t cache_limit = std::uintmax_t{256} << 20;  // bytes; what was not used for longest makes room
  // Of a second of the compiler in seconds of the run: lower where others will profit from what is in the cache, and 0
  // if all that takes time shall be compiled.
  double price = 1.0;
};

}  // namespace invar
