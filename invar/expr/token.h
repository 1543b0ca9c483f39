// Cuts the text of a formula into numbers, names and signs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace invar {

struct Token {
  enum class Kind { number, name, sign, end };
  Kind kind = Kind::end;
  std::size_t begin = 0;  // first byte in the text
  std::size_t end = 0;    // one past the last
  std::string_view text;  // of a name without its primes
  double value = 0.0;     // of a number
  int primes = 0;         // after a name

  bool is(char sign) const { return kind == Kind::sign && text[0] == sign; }
};

// The first token at or after byte `from`. Throws FormulaError for a byte that no formula has and for bad numbers.
// Since such bytes end the reading, everything before a token is ASCII and a byte offset is also a character offset.
Token next_token(std::string_view text, std::size_t from);

}  // namespace invar
