// Cuts the text of a formula into numbers, names and signs.
#include "invar/expr/token.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "invar/base/characters.h"
#include "invar/expr/formula_error.h"

namespace invar {
namespace {

// Not <cctype>: its answers depend on the locale and it may not be asked about negative chars.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_sign(char c) { return std::string_view("+-*/^(),'").find(c) != std::string_view::npos; }

[[noreturn]] void fail(std::string reason, std::size_t begin, std::string_view text) {
  throw FormulaError(std::move(reason), static_cast<int>(begin) + 1, text);
}

std::string hex(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'0', 'x', digits[byte >> 4], digits[byte & 15]};
}

// What people type, or paste from a paper, in place of the ASCII notation.
std::string_view ascii_for(std::string_view character) {
  constexpr std::pair<std::string_view, std::string_view> table[] = {
      {"−", "-"},  {"–", "-"},  {"·", "*"}, {"⋅", "*"}, {"×", "*"},  {"÷", "/"},
      {"²", "^2"}, {"³", "^3"}, {"′", "'"}, {"’", "'"}, {"π", "pi"}, {"√", "sqrt(x)"},
  };
  for (const auto& [from, to] : table)
    if (from == character) return to;
  return {};
}

[[noreturn]] void fail_character(std::string_view text, std::size_t i) {
  const std::size_t length = utf8_length(text, i);
  if (length == 0) fail("unexpected byte " + hex(text[i]), i, text);
  const std::string_view character = text.substr(i, length);
  if (is_control(text[i])) fail("unexpected control character " + hex(text[i]), i, text);
  if (is_hidden(character)) fail("unexpected invisible character", i, text);
  std::string reason = "unexpected character '" + std::string(character) + "'";
  if (const std::string_view ascii = ascii_for(character); !ascii.empty())
    reason += "; write " + std::string(ascii);
  else if (length > 1)
    reason += "; names use the letters a-z and A-Z, digits and _";
  fail(std::move(reason), i, text);
}

// from_chars calls both overflow and underflow out of range; the decimal exponent tells which.
[[noreturn]] void fail_range(std::string_view digits, std::size_t begin, std::string_view text) {
  const std::size_t e = digits.find_first_of("eE");
  const std::string_view mantissa = digits.substr(0, e);
  const bool small_exponent = e != std::string_view::npos && digits[e + 1] == '-';
  const std::size_t first = mantissa.find_first_not_of("0.");
  const bool fraction = mantissa.find('.') < first;
  const bool small = e == std::string_view::npos ? fraction : small_exponent;
  fail("number " + excerpt(digits, 40) + " is too " + (small ? "small" : "large"), begin, text);
}

Token number_at(std::string_view text, std::size_t begin) {
  const auto at = [&](std::size_t k) { return k < text.size() ? text[k] : '\0'; };
  std::size_t end = begin;
  int points = 0;
  for (; is_digit(at(end)) || at(end) == '.'; ++end) points += at(end) == '.';
  bool bad = points > 1;
  if (at(end) == 'e' || at(end) == 'E') {
    const bool has_sign = at(end + 1) == '+' || at(end + 1) == '-';
    const std::size_t digits = end + (has_sign ? 2 : 1);
    if (is_digit(at(digits))) {
      for (end = digits; is_digit(at(end));) ++end;
    } else if (!is_letter(at(end + 1))) {  // 2exp(x) is a forgotten *, not a bad exponent
      end = std::min(digits, text.size());
      bad = true;
    }
  }
  const std::string_view digits = text.substr(begin, end - begin);
  Token token{Token::Kind::number, begin, end, digits};
  if (bad) fail("malformed number \"" + excerpt(digits, 40) + "\"", begin, text);
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), token.value);
  if (error == std::errc::result_out_of_range) fail_range(digits, begin, text);
  if (error != std::errc() || stop != digits.data() + digits.size())
    fail("malformed number \"" + excerpt(digits, 40) + "\"", begin, text);
  return token;
}

Token name_at(std::string_view text, std::size_t begin) {
  const auto at = [&](std::size_t k) { return k < text.size() ? text[k] : '\0'; };
  const auto inside = [&](std::size_t k) { return is_letter(at(k)) || is_digit(at(k)); };
  std::size_t end = begin;
  while (inside(end) || (at(end) == '.' && inside(end + 1))) ++end;
  Token token{Token::Kind::name, begin, end, text.substr(begin, end - begin)};
  for (; at(token.end) == '\''; ++token.end) ++token.primes;
  return token;
}

}  // namespace

Token next_token(std::string_view text, std::size_t from) {
  while (from < text.size() && is_space(text[from])) ++from;
  if (from == text.size()) return {Token::Kind::end, from, from, {}};
  const char c = text[from];
  if (is_digit(c) || (c == '.' && from + 1 < text.size() && is_digit(text[from + 1]))) return number_at(text, from);
  if (is_letter(c)) return name_at(text, from);
  if (is_sign(c)) return {Token::Kind::sign, from, from + 1, text.substr(from, 1)};
  fail_character(text, from);
}

}  // namespace invar
