// Where a symbol stands in a list of symbols, found at once: for many short questions about one long list.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include "invar/expr/expr.h"

namespace invar {

class SymbolPlaces {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  explicit SymbolPlaces(std::span<const Expr> symbols);
  std::size_t of(const Expr& symbol) const;  // the last place, if it stands there twice
  bool contains(const Expr& symbol) const { return of(symbol) != none; }

 private:
  const Store* store_;
  std::unordered_map<std::uint32_t, std::size_t> place_;  // by node
};

// Does the formula contain any of them?
bool depends(const Expr& f, const SymbolPlaces& x);
// Its degree as a polynomial in them; nothing if it is none.
std::optional<int> degree(const Expr& f, const SymbolPlaces& x);
// n if f(s x) = sⁿ f(x) can be seen from how f is written; nothing otherwise.
std::optional<int> homogeneity(const Expr& f, const SymbolPlaces& x);

}  // namespace invar
