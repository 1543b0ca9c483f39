// Derivatives by sweeps over the graph in node order: forward for many rows that share their inner parts, backward for
// one row with many columns; jacobian() counts the work of both and takes the smaller.
#include "invar/expr/derivative.h"

#include <algorithm>
#include <limits>

#include "invar/base/error.h"
#include "invar/expr/local.h"
#include "invar/expr/symbol_places.h"
#include "invar/expr/walk.h"

namespace invar {

namespace {

struct Entry {
  int col;
  Expr value;
};
using SparseRow = std::vector<Entry>;

// For every node whether there are symbols of x below it.
PerNode<char> activity(const Exprs& nodes, const SymbolPlaces& x) {
  PerNode<char> active(nodes, 0);
  const auto is_active = [&](const Expr& e) { return !e.is_constant() && active[e] != 0; };
  for (const Expr& node : nodes)
    active[node] =
        node.op() == Op::symbol ? x.contains(node) : is_active(node.a()) || (node.arity() == 2 && is_active(node.b()));
  return active;
}

// How many symbols of x there are below each node, added up; more than `most` is told as no_matter_how_many.
constexpr std::size_t no_matter_how_many = std::numeric_limits<std::size_t>::max();

std::size_t forward_work(const Exprs& nodes, const SymbolPlaces& x, std::size_t most) {
  struct Part {
    std::size_t first = 0, end = 0;
  };
  PerNode<Part> part(nodes, {});  // of `places`, where those of a node stand together, ascending
  std::vector<std::size_t> places;
  const auto below = [&](const Expr& e) { return e.is_constant() ? Part{} : part[e]; };
  for (const Expr& node : nodes) {
    const std::size_t first = places.size();
    if (node.op() == Op::symbol) {
      if (x.contains(node)) places.push_back(x.of(node));
    } else {
      const Part a = below(node.a()), b = node.arity() == 2 ? below(node.b()) : Part{};
      places.resize(first + (a.end - a.first) + (b.end - b.first));
      const auto at = [&](std::size_t i) { return places.begin() + static_cast<std::ptrdiff_t>(i); };
      places.erase(std::set_union(at(a.first), at(a.end), at(b.first), at(b.end), at(first)), places.end());
    }
    part[node] = {first, places.size()};
    if (places.size() > most) return no_matter_how_many;
  }
  return places.size();
}

// The nodes below a formula, that is no constant, of which it can be derived.
Exprs active_below(const Expr& f, const PerNode<char>& active) {
  return Store::handles(f, nodes_below({&f, 1}, [&](std::uint32_t id) { return active.at(id) != 0; }));
}

// How many of them there are below the rows, likewise.
std::size_t backward_work(std::span<const Expr> f, const PerNode<char>& active, std::size_t most) {
  std::size_t work = 0;
  for (const Expr& row : f) {
    work += nodes_below({&row, 1}, [&](std::uint32_t id) { return active.at(id) != 0; }).size();
    if (work > most) return no_matter_how_many;
  }
  return work;
}

// row += factor · other
void accumulate(SparseRow& row, const Expr& factor, const SparseRow& other) {
  if (factor.is_constant(0.0)) return;
  SparseRow sum;
  sum.reserve(row.size() + other.size());
  auto r = row.begin();
  for (const Entry& e : other) {
    while (r != row.end() && r->col < e.col) sum.push_back(std::move(*r++));
    Expr value = factor * e.value;
    if (r != row.end() && r->col == e.col) value = (r++)->value + value;
    if (!value.is_constant(0.0)) sum.push_back({e.col, std::move(value)});
  }
  std::move(r, row.end(), std::back_inserter(sum));
  row = std::move(sum);
}

std::vector<SparseRow> forward_rows(std::span<const Expr> f, std::span<const Expr> x, const Exprs& nodes,
                                    const PerNode<char>& active) {
  PerNode<SparseRow> row(nodes, {});
  for (std::size_t j = 0; j < x.size(); ++j)
    if (row.contains(x[j])) row[x[j]] = {{static_cast<int>(j), 1.0}};
  // How often a row is still needed: those of inner nodes are dropped after their last use.
  PerNode<std::uint32_t> uses(nodes, 0);
  const auto for_operands = [](const Expr& node, const auto& visit) {
    if (const Expr a = node.a(); !a.is_constant()) visit(a);
    if (node.arity() == 2)
      if (const Expr b = node.b(); !b.is_constant()) visit(b);
  };
  for (const Expr& node : nodes)
    if (node.arity() > 0) for_operands(node, [&](const Expr& e) { ++uses[e]; });
  for (const Expr& e : f)
    if (!e.is_constant()) ++uses[e];
  for (const Expr& node : nodes) {
    if (node.arity() == 0) continue;
    if (active[node] != 0) {
      const Partials d = partials(node);
      const Expr a = node.a();
      if (!a.is_constant()) accumulate(row[node], d.a, row[a]);
      if (node.arity() == 2)
        if (const Expr b = node.b(); !b.is_constant()) accumulate(row[node], d.b, row[b]);
    }
    for_operands(node, [&](const Expr& e) {
      if (--uses[e] == 0) row[e] = {};
    });
  }
  std::vector<SparseRow> rows;
  for (const Expr& e : f) rows.push_back(e.is_constant() ? SparseRow{} : row[e]);
  return rows;
}

SparseRow backward_row(const Expr& f, const SymbolPlaces& x, const PerNode<char>& active) {
  const Exprs nodes = active_below(f, active);
  if (nodes.empty()) return {};
  PerNode<Expr> adjoint(nodes, 0.0);
  adjoint[f] = 1.0;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const Expr w = adjoint[*node];
    if (node->arity() == 0 || w.is_constant(0.0)) continue;
    const Partials d = partials(*node);
    const Expr a = node->a();
    if (!a.is_constant() && active[a] != 0) adjoint[a] += w * d.a;
    if (node->arity() == 2)
      if (const Expr b = node->b(); !b.is_constant() && active[b] != 0) adjoint[b] += w * d.b;
  }
  SparseRow row;
  for (const Expr& node : nodes)
    if (node.op() == Op::symbol && !adjoint[node].is_constant(0.0))
      row.push_back({static_cast<int>(x.of(node)), adjoint[node]});
  std::sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) { return a.col < b.col; });
  return row;
}

// Forward or backward, whatever is less work; this is found out with little more work than that.
std::vector<SparseRow> rows_of_jacobian(std::span<const Expr> f, std::span<const Expr> x) {
  const Exprs nodes = ordered(f);
  const SymbolPlaces places(x);
  const PerNode<char> active = activity(nodes, places);
  for (std::size_t most = 4 * nodes.size();; most *= 2) {
    const std::size_t forward = forward_work(nodes, places, most);
    const std::size_t backward = backward_work(f, active, std::min(most, forward));
    if (forward == no_matter_how_many && backward == no_matter_how_many) continue;
    if (forward <= backward) return forward_rows(f, x, nodes, active);
    std::vector<SparseRow> rows;
    for (const Expr& row : f) rows.push_back(row.is_constant() ? SparseRow{} : backward_row(row, places, active));
    return rows;
  }
}

SparseExprs by_columns(const std::vector<SparseRow>& rows, std::size_t cols) {
  SparseExprs m;
  m.pattern.rows = static_cast<int>(rows.size());
  m.pattern.cols = static_cast<int>(cols);
  m.pattern.start.assign(cols + 1, 0);
  for (const SparseRow& row : rows)
    for (const Entry& e : row) ++m.pattern.start[static_cast<std::size_t>(e.col) + 1];
  for (std::size_t j = 0; j < cols; ++j) m.pattern.start[j + 1] += m.pattern.start[j];
  m.pattern.row.resize(static_cast<std::size_t>(m.pattern.start.back()));
  m.value.resize(m.pattern.row.size());
  std::vector<int> next(m.pattern.start.begin(), m.pattern.start.end() - 1);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Entry& e : rows[i]) {
      const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(e.col)]++);
      m.pattern.row[place] = static_cast<int>(i);
      m.value[place] = e.value;
    }
  return m;
}

}  // namespace

Expr SparseExprs::at(int row, int col) const {
  const auto first = pattern.row.begin() + pattern.start[static_cast<std::size_t>(col)];
  const auto last = pattern.row.begin() + pattern.start[static_cast<std::size_t>(col) + 1];
  const auto found = std::lower_bound(first, last, row);
  return found != last && *found == row ? value[static_cast<std::size_t>(found - pattern.row.begin())] : Expr(0.0);
}

SparseExprs jacobian(std::span<const Expr> f, std::span<const Expr> x) {
  return by_columns(rows_of_jacobian(f, x), x.size());
}

Exprs gradient(const Expr& f, std::span<const Expr> x) {
  Exprs g(x.size(), 0.0);
  if (f.is_constant()) return g;
  const Exprs nodes = ordered({&f, 1});
  const SymbolPlaces places(x);
  for (const Entry& e : backward_row(f, places, activity(nodes, places))) g[static_cast<std::size_t>(e.col)] = e.value;
  return g;
}

SparseExprs hessian(std::span<const Expr> f, std::span<const Expr> weight, std::span<const Expr> x) {
  expects(f.size() == weight.size(), "one weight per formula");
  Expr sum = 0.0;
  for (std::size_t i = 0; i < f.size(); ++i) sum += weight[i] * f[i];
  std::vector<SparseRow> rows = rows_of_jacobian(gradient(sum, x), x);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::erase_if(rows[i], [&](const Entry& e) { return e.col > static_cast<int>(i); });
  return by_columns(rows, x.size());
}

Exprs directional(std::span<const Expr> f, std::span<const Expr> x, std::span<const Expr> direction) {
  expects(x.size() == direction.size(), "one direction component per symbol");
  const Exprs nodes = ordered(f);
  PerNode<Expr> tangent(nodes, 0.0);
  for (std::size_t j = 0; j < x.size(); ++j)
    if (tangent.contains(x[j])) tangent[x[j]] = direction[j];
  for (const Expr& node : nodes) {
    if (node.arity() == 0) continue;
    const Expr a = node.a();
    const Expr b = node.arity() == 2 ? node.b() : Expr(0.0);
    const Expr da = a.is_constant() ? Expr(0.0) : tangent[a];
    const Expr db = b.is_constant() ? Expr(0.0) : tangent[b];
    if (da.is_constant(0.0) && db.is_constant(0.0)) continue;
    const Partials d = partials(node);
    tangent[node] = d.a * da + d.b * db;
  }
  Exprs result;
  for (const Expr& e : f) result.push_back(e.is_constant() ? Expr(0.0) : tangent[e]);
  return result;
}

Exprs ddt(std::span<const Expr> f) {
  const Exprs all = symbols(f);
  Exprs rates;
  for (const Expr& s : all) switch (s.kind()) {
      case SymbolKind::time: rates.push_back(1.0); break;
      case SymbolKind::parameter: rates.push_back(0.0); break;
      default: rates.push_back(s.derivative(s.order() + 1));
    }
  return directional(f, all, rates);
}

Expr ddt(const Expr& f) { return ddt(std::span(&f, 1)).front(); }

}  // namespace invar
