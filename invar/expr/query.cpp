// Questions to a formula and replacement inside it.
#include <algorithm>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/expr/local.h"
#include "invar/expr/symbol_places.h"
#include "invar/expr/walk.h"

namespace invar {

Exprs ordered(std::span<const Expr> roots) {
  const auto any = std::find_if(roots.begin(), roots.end(), [](const Expr& root) { return !root.is_constant(); });
  if (any == roots.end()) return {};
  return Store::handles(*any, nodes_below(roots, [](std::uint32_t) { return true; }));
}

Exprs substitute(std::span<const Expr> f, std::span<const Expr> from, std::span<const Expr> to) {
  expects(from.size() == to.size(), "as many replacements as symbols");
  const Exprs nodes = ordered(f);
  PerNode<Expr> image(nodes, 0.0);
  for (const Expr& node : nodes)
    if (node.arity() == 0) image[node] = node;
  for (std::size_t j = 0; j < from.size(); ++j) {
    expects(from[j].op() == Op::symbol, "replacement of symbols");
    if (image.contains(from[j])) image[from[j]] = to[j];
  }
  auto of = [&](const Expr& e) { return e.is_constant() ? e : image[e]; };
  for (const Expr& node : nodes)
    if (node.arity() > 0) image[node] = apply(node.op(), of(node.a()), node.arity() == 2 ? of(node.b()) : Expr(0.0));
  Exprs result;
  for (const Expr& e : f) result.push_back(of(e));
  return result;
}

Expr substitute(const Expr& f, std::span<const Expr> from, std::span<const Expr> to) {
  return substitute(std::span(&f, 1), from, to).front();
}

std::optional<int> degree(const Expr& f, std::span<const Expr> x) { return degree(f, SymbolPlaces(x)); }

std::optional<int> degree(const Expr& f, const SymbolPlaces& x) {
  constexpr int no_polynomial = -1;
  if (f.is_constant()) return 0;
  const Exprs nodes = ordered({&f, 1});
  PerNode<int> deg(nodes, 0);
  for (const Expr& node : nodes)
    if (node.op() == Op::symbol && x.contains(node)) deg[node] = 1;
  auto of = [&](const Expr& e) { return e.is_constant() ? 0 : deg[e]; };
  for (const Expr& node : nodes) {
    if (node.arity() == 0) continue;
    const int a = of(node.a());
    const int b = node.arity() == 2 ? of(node.b()) : 0;
    int& d = deg[node];
    if (a == 0 && b == 0)
      d = 0;
    else if (a == no_polynomial || b == no_polynomial)
      d = no_polynomial;
    else if (node.op() == Op::add || node.op() == Op::subtract)
      d = std::max(a, b);
    else if (node.op() == Op::negate)
      d = a;
    else if (node.op() == Op::multiply)
      d = a + b;
    else if (node.op() == Op::divide && b == 0)
      d = a;
    else if (node.op() == Op::power && node.b().is_constant() && node.b().value() == static_cast<int>(node.b().value()))
      d = a * static_cast<int>(node.b().value());
    else
      d = no_polynomial;
  }
  return deg[f] == no_polynomial ? std::nullopt : std::optional(deg[f]);
}

std::optional<int> homogeneity(const Expr& f, const SymbolPlaces& x) {
  constexpr int unknown = -1;
  if (f.is_constant()) return 0;
  const Exprs nodes = ordered({&f, 1});
  PerNode<int> of_node(nodes, 0);
  const auto of = [&](const Expr& e) { return e.is_constant() ? 0 : of_node[e]; };
  for (const Expr& node : nodes) {
    int& n = of_node[node];
    if (node.arity() == 0) {
      n = node.op() == Op::symbol && x.contains(node) ? 1 : 0;
      continue;
    }
    const int a = of(node.a()), b = node.arity() == 2 ? of(node.b()) : 0;
    const bool sum = node.op() == Op::add || node.op() == Op::subtract;
    if (a == unknown || b == unknown)
      n = unknown;
    else if (sum)
      n = a == b ? a : unknown;
    else if (node.op() == Op::negate || (node.op() == Op::divide && b == 0))
      n = a;
    else if (node.op() == Op::multiply)
      n = a + b;
    else if (node.op() == Op::power && node.b().is_constant(2.0))
      n = 2 * a;
    else
      n = a == 0 && b == 0 ? 0 : unknown;
  }
  return of_node[f] == unknown ? std::nullopt : std::optional(of_node[f]);
}

Exprs symbols(std::span<const Expr> f) {
  Exprs all = ordered(f);
  std::erase_if(all, [](const Expr& e) { return e.op() != Op::symbol; });
  return all;
}

bool depends(std::span<const Expr> f, std::span<const Expr> x) {
  const Exprs all = symbols(f);
  if (all.empty()) return false;
  NodeSet found;
  for (const Expr& s : all) found.insert(s.id());
  return std::any_of(x.begin(), x.end(),
                     [&](const Expr& s) { return s.store() == all[0].store() && found.contains(s.id()); });
}

bool depends(const Expr& f, std::span<const Expr> x) { return depends(std::span(&f, 1), x); }

SymbolPlaces::SymbolPlaces(std::span<const Expr> symbols) : store_(symbols.empty() ? nullptr : symbols[0].store()) {
  place_.reserve(symbols.size());
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    expects(symbols[i].op() == Op::symbol && symbols[i].store() == store_, "symbols of one graph");
    place_[symbols[i].id()] = i;
  }
}

std::size_t SymbolPlaces::of(const Expr& symbol) const {
  if (symbol.store() != store_ || !store_) return none;
  const auto found = place_.find(symbol.id());
  return found == place_.end() ? none : found->second;
}

bool depends(const Expr& f, const SymbolPlaces& x) {
  const Exprs all = symbols({&f, 1});
  return std::any_of(all.begin(), all.end(), [&](const Expr& s) { return x.contains(s); });
}

std::optional<int> highest_order(const Expr& f, const Variable& x) {
  std::optional<int> order;
  for (const Expr& s : symbols({&f, 1}))
    if (s.kind() == SymbolKind::variable || s.kind() == SymbolKind::reference)
      if (s.derivative(0) == at(x)) order = std::max(order.value_or(0), s.order());
  return order;
}

Exprs terms(const Expr& f) {
  struct Signed {
    Expr e;
    bool negative;
  };
  Exprs found;
  std::vector<Signed> open = {{f, false}};
  while (!open.empty()) {
    const auto [e, negative] = open.back();
    open.pop_back();
    switch (e.op()) {
      case Op::negate: open.push_back({e.a(), !negative}); break;
      case Op::add:
      case Op::subtract:
        open.push_back({e.b(), negative != (e.op() == Op::subtract)});
        open.push_back({e.a(), negative});
        break;
      default: found.push_back(negative ? -e : e);
    }
  }
  return found;
}

}  // namespace invar
