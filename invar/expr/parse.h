// Formulas as text: "m/2*(x'^2 + z'^2)".
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "invar/expr/expr.h"
#include "invar/expr/formula_error.h"

namespace invar {

// What a formula may refer to. `find` gives the symbol for a name with `order` primes, or nothing. Names have letters,
// digits, _ and inner dots; the names of the functions in op_names.h and pi are reserved and never looked up.
struct Scope {
  std::function<std::optional<Expr>(std::string_view name, int order)> find;
  std::vector<std::string> names;  // for "did you mean"
};

// Formulas have numbers, names (with primes for time derivatives), + - * / ^ ( ), functions and pi. From loose to
// tight: sums, products, a leading sign, powers; so -x^2 is -(x^2), 2^-3 is 1/8, and 2^3^2 is 2^9. Every number in the
// result is finite: 1/0 is an error.
Expr parse(std::string_view text, const Scope& scope);

// Text that parse() reads back as the same formula. Numbers keep all their digits and must be finite. What the graph
// shares is written out at each place, so text can be far larger than the graph: at `limit` bytes it is cut off and
// ends in …, which parse() refuses.
std::string print(const Expr& f, std::size_t limit = std::size_t{1} << 20);

}  // namespace invar
