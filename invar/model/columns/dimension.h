// What formulas measure, as far as the units of their symbols tell: λ of a constraint Φ does work with it, so that it
// is measured in J by what Φ is measured in.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "invar/expr/expr.h"

namespace invar {

// Powers of kg, m and s; angles are numbers.
struct Dimension {
  int kilogram = 0, metre = 0, second = 0;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

Dimension operator*(const Dimension& a, const Dimension& b);
Dimension power(const Dimension& a, int exponent);
inline constexpr Dimension joule = {1, 2, -2};

// "m", "rad", "N m", "kg m²/s", "1/s" …; nothing if a word of it is unknown.
std::optional<Dimension> read_dimension(std::string_view unit);
// The usual name: N, N m for what is a moment, N/m, kg m²/s.
std::string unit_name(const Dimension& dimension);

// Nothing if no symbol tells. In sums one that is known tells for all; of numbers and parameters, which may have units
// of their own, nothing is known, but where a product has no other part than these it is taken for a plain multiple.
std::optional<Dimension> dimension_of(const Expr& formula,
                                      const std::function<std::optional<Dimension>(const Expr&)>& of_symbol);

}  // namespace invar
