// A look at the text of a TOML file before toml++ parses it, for what toml++ 3.3 does not survive.
//
// - It destroys the tables of a dotted key (`a.b.c = 1`, `[a.b.c]`) by recursion: 100 kB of `a.a.a…` overflow the
// stack.
// - Letters outside ASCII and control characters make it run into its own "unreachable" code, unless they stand in a
//   string or a comment. TOML forbids them elsewhere.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace invar::model {

struct Trouble {
  std::size_t offset;  // of the byte at fault
  std::string reason;
};

std::optional<Trouble> find_trouble(std::string_view toml, int most_key_parts);

}  // namespace invar::model
