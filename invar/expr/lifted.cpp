// A forward sweep, in which every node knows the columns below it until it is used for the last time, finds the parts;
// then each row is a backward sweep that ends at them.
#include "invar/expr/lifted.h"

#include <algorithm>
#include <iterator>

#include "invar/base/error.h"
#include "invar/expr/local.h"
#include "invar/expr/symbol_places.h"
#include "invar/expr/walk.h"

namespace invar {

namespace {

using Columns = std::vector<std::uint32_t>;  // ascending

Columns joined_columns(const Columns& a, const Columns& b) {
  Columns both;
  both.reserve(a.size() + b.size());
  std::ranges::set_union(a, b, std::back_inserter(both));
  return both;
}

template <class Visit>
void for_operands_of(const Expr& node, const Visit& visit) {
  if (node.arity() == 0) return;
  if (const Expr a = node.a(); !a.is_constant()) visit(a);
  if (node.arity() == 2)
    if (const Expr b = node.b(); !b.is_constant()) visit(b);
}

class Lifting {
 public:
  Lifting(std::span<const Expr> f, std::span<const Expr> x, std::size_t most)
      : nodes_(ordered(f)), column_(nodes_, none), changes_(nodes_, 0), count_(x.size()) {
    const SymbolPlaces places(x);
    PerNode<Columns> columns(nodes_, {});
    PerNode<std::uint32_t> uses(nodes_, 0);
    for (const Expr& node : nodes_) for_operands_of(node, [&](const Expr& e) { ++uses[e]; });
    for (const Expr& node : nodes_) {
      Columns below;
      for_operands_of(node,
                      [&](const Expr& e) { below = below.empty() ? columns[e] : joined_columns(below, columns[e]); });
      if (node.op() == Op::symbol && places.contains(node))
        below = {column_[node] = static_cast<std::uint32_t>(places.of(node))};
      changes_[node] = below.empty() ? 0 : 1;
      if (below.size() > most) {
        below = {column_[node] = static_cast<std::uint32_t>(count_ + parts.size())};
        parts.push_back(node);
      }
      columns[node] = std::move(below);
      for_operands_of(node, [&](const Expr& e) {
        if (--uses[e] == 0) columns[e] = {};
      });
    }
  }

  Exprs parts;

  // Of a formula or, with the parts below it, of a part.
  struct Entry {
    std::uint32_t column;
    Expr value;
  };
  std::vector<Entry> row(const Expr& root, bool is_part) const {
    if (root.is_constant() || changes_[root] == 0) return {};
    const auto is_column = [&](const Expr& e) { return column_[e] != none && !(is_part && e == root); };
    if (is_column(root)) return {{column_[root], 1.0}};
    Exprs nodes = below(root), ends;
    for (const Expr& node : nodes)
      for_operands_of(node, [&](const Expr& e) {
        if (is_column(e)) ends.push_back(e);
      });
    Exprs all = nodes;
    all.insert(all.end(), ends.begin(), ends.end());
    const auto older = [](const Expr& a, const Expr& b) { return a.id() < b.id(); };
    std::ranges::sort(all, older);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    PerNode<Expr> adjoint(all, 0.0);
    adjoint[root] = 1.0;
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
      const Expr w = adjoint[*node];
      if (w.is_constant(0.0)) continue;
      const Partials d = partials(*node);
      if (const Expr a = node->a(); !a.is_constant() && changes_[a] != 0) adjoint[a] += w * d.a;
      if (node->arity() == 2)
        if (const Expr b = node->b(); !b.is_constant() && changes_[b] != 0) adjoint[b] += w * d.b;
    }
    std::vector<Entry> entries;
    for (const Expr& end : all)
      if (is_column(end) && !adjoint[end].is_constant(0.0)) entries.push_back({column_[end], adjoint[end]});
    return entries;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  // The root and what changes below it, as far as the columns.
  Exprs below(const Expr& root) const {
    const auto enters = [&](std::uint32_t id) {
      return id == root.id() || (changes_.at(id) != 0 && column_.at(id) == none);
    };
    return Store::handles(root, nodes_below({&root, 1}, enters));
  }

  Exprs nodes_;
  PerNode<std::uint32_t> column_;
  PerNode<char> changes_;
  std::size_t count_;
};

}  // namespace

LiftedJacobian lifted_jacobian(std::span<const Expr> f, std::span<const Expr> x, std::size_t most) {
  expects(f.size() == x.size(), "as many formulas as symbols");
  const Lifting lifting(f, x, most);
  const std::size_t size = x.size() + lifting.parts.size();
  struct Entry {
    std::uint32_t row;
    Expr value;
  };
  std::vector<std::vector<Entry>> columns(size);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (const auto& [column, value] : lifting.row(f[i], false))
      columns[column].push_back({static_cast<std::uint32_t>(i), value});
  for (std::size_t i = x.size(); i < size; ++i) {
    for (const auto& [column, value] : lifting.row(lifting.parts[i - x.size()], true))
      columns[column].push_back({static_cast<std::uint32_t>(i), -value});
    columns[i].push_back({static_cast<std::uint32_t>(i), 1.0});
  }
  LiftedJacobian result;
  result.parts = lifting.parts;
  Pattern& pattern = result.matrix.pattern;
  pattern.rows = pattern.cols = static_cast<int>(size);
  pattern.start.assign(1, 0);
  for (const std::vector<Entry>& column : columns) {
    for (const Entry& entry : column) {
      pattern.row.push_back(static_cast<int>(entry.row));
      result.matrix.value.push_back(entry.value);
    }
    pattern.start.push_back(static_cast<int>(pattern.row.size()));
  }
  return result;
}

}  // namespace invar
