// See dimension.h.
#include "invar/model/columns/dimension.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

namespace invar {

Dimension operator*(const Dimension& a, const Dimension& b) {
  return {a.kilogram + b.kilogram, a.metre + b.metre, a.second + b.second};
}

Dimension power(const Dimension& a, int exponent) {
  return {a.kilogram * exponent, a.metre * exponent, a.second * exponent};
}

namespace {

constexpr std::array<std::pair<std::string_view, Dimension>, 12> names = {{{"N", {1, 1, -2}},
                                                                           {"N m", {1, 2, -2}},
                                                                           {"N/m", {1, 0, -2}},
                                                                           {"N/m²", {1, -1, -2}},
                                                                           {"m", {0, 1, 0}},
                                                                           {"kg", {1, 0, 0}},
                                                                           {"s", {0, 0, 1}},
                                                                           {"rad", {}},
                                                                           {"1", {}},
                                                                           {"J", joule},
                                                                           {"W", {1, 2, -3}},
                                                                           {"Hz", {0, 0, -1}}}};

std::optional<Dimension> word(std::string_view text) {
  int exponent = 1;
  for (const auto& [mark, value] : {std::pair{"²", 2}, std::pair{"³", 3}, std::pair{"^2", 2}, std::pair{"^3", 3}})
    if (text.ends_with(mark)) {
      exponent = value;
      text.remove_suffix(std::string_view(mark).size());
      break;
    }
  for (const auto& [name, dimension] : names)
    if (text == name) return power(dimension, exponent);
  return std::nullopt;
}

std::string part(std::string_view name, int exponent) {
  static constexpr std::array marks = {"", "", "²", "³"};
  if (exponent < static_cast<int>(marks.size())) return std::string(name) + marks[static_cast<std::size_t>(exponent)];
  return fmt::format("{}^{}", name, exponent);
}

// Known for certain, or but for a factor that may have a unit of its own.
struct Guess {
  Dimension dimension;
  bool sure;
};

using Guesses = std::unordered_map<std::uint32_t, std::optional<Guess>>;

std::optional<Guess> of(const Expr& e, const Guesses& known) {
  return e.is_constant() ? std::optional<Guess>(Guess{{}, false}) : known.at(e.id());
}

std::optional<Guess> product(const std::optional<Guess>& a, const std::optional<Guess>& b, int sign) {
  if (!a || !b) return std::nullopt;
  return Guess{a->dimension * power(b->dimension, sign), a->sure && b->sure};
}

std::optional<Guess> sum(const Expr& a, const Expr& b, const Guesses& known) {
  const std::optional<Guess> x = of(a, known), y = of(b, known);
  if (a.is_constant() || !x) return y;  // a number beside a quantity has its unit
  if (b.is_constant() || !y) return x;
  return !x->sure && y->sure ? y : x;
}

std::optional<Guess> root(const std::optional<Guess>& a) {
  if (!a) return a;
  const auto& [kilogram, metre, second] = a->dimension;
  if (kilogram % 2 != 0 || metre % 2 != 0 || second % 2 != 0) return std::nullopt;
  return Guess{{kilogram / 2, metre / 2, second / 2}, a->sure};
}

std::optional<Guess> raised(const Expr& base, const Expr& exponent, const Guesses& known) {
  const std::optional<Guess> a = of(base, known);
  if (!a || !exponent.is_constant()) return std::nullopt;
  const double p = exponent.value();
  if (p == std::round(p) && std::abs(p) < 100.0) return Guess{power(a->dimension, static_cast<int>(p)), a->sure};
  const std::optional<Guess> half = p * 2.0 == std::round(p * 2.0) && std::abs(p) < 100.0 ? root(a) : std::nullopt;
  return half ? std::optional<Guess>(Guess{power(half->dimension, static_cast<int>(2.0 * p)), half->sure})
              : std::nullopt;
}

}  // namespace

std::optional<Dimension> read_dimension(std::string_view unit) {
  Dimension all;
  int sign = 1;
  for (std::size_t at = 0; at < unit.size();) {
    const std::size_t end = std::min(unit.find_first_of(" /", at), unit.size());
    const auto one = word(unit.substr(at, end - at));
    if (!one) return std::nullopt;
    all = all * power(*one, sign);
    if (end < unit.size() && unit[end] == '/') sign = -1;
    at = end + 1;
  }
  return unit.empty() ? std::nullopt : std::optional<Dimension>(all);
}

std::string unit_name(const Dimension& dimension) {
  for (const auto& [name, own] : names)
    if (own == dimension && name != "rad") return std::string(name);
  std::string above, below;
  for (const auto& [name, exponent] :
       {std::pair{"kg", dimension.kilogram}, std::pair{"m", dimension.metre}, std::pair{"s", dimension.second}}) {
    std::string& side = exponent > 0 ? above : below;
    if (exponent != 0) side += (side.empty() ? "" : " ") + part(name, std::abs(exponent));
  }
  if (above.empty()) above = "1";
  if (below.empty()) return above;
  return above + (below.find(' ') == std::string::npos ? "/" + below : "/(" + below + ")");
}

std::optional<Dimension> dimension_of(const Expr& formula,
                                      const std::function<std::optional<Dimension>(const Expr&)>& of_symbol) {
  if (formula.is_constant()) return std::nullopt;
  Guesses known;
  std::vector<Expr> open = {formula};  // operands come before what is made of them
  while (!open.empty()) {
    const Expr e = open.back();
    if (known.contains(e.id())) {
      open.pop_back();
      continue;
    }
    const std::size_t before = open.size();
    for (int i = 0; i < e.arity(); ++i)
      if (const Expr operand = i == 0 ? e.a() : e.b(); !operand.is_constant() && !known.contains(operand.id()))
        open.push_back(operand);
    if (open.size() > before) continue;
    open.pop_back();
    std::optional<Guess>& found = known[e.id()];
    switch (e.op()) {
      case Op::symbol:
        if (const auto told = of_symbol(e)) found = Guess{*told, true};
        break;
      case Op::negate:
      case Op::abs: found = of(e.a(), known); break;
      case Op::add:
      case Op::subtract: found = sum(e.a(), e.b(), known); break;
      case Op::multiply: found = product(of(e.a(), known), of(e.b(), known), 1); break;
      case Op::divide: found = product(of(e.a(), known), of(e.b(), known), -1); break;
      case Op::power: found = raised(e.a(), e.b(), known); break;
      case Op::sqrt: found = root(of(e.a(), known)); break;
      default: found = Guess{{}, true};  // of functions of numbers, which give numbers
    }
  }
  const std::optional<Guess>& whole = known.at(formula.id());
  return whole ? std::optional<Dimension>(whole->dimension) : std::nullopt;
}

}  // namespace invar
