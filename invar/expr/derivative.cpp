// Derivatives by sweeps over the graph in node order: forward for many rows that share their inner parts, backward for
// one row with many columns; jacobian() counts the work of both and takes the smaller.
#include "invar/expr/derivative.h"

#include <algorithm>

#include "invar/base/error.h"
#include "invar/expr/local.h"

namespace invar {

namespace {

using Columns = std::vector<int>;

struct Entry {
  int col;
  Expr value;
};
using SparseRow = std::vector<Entry>;

template <class Visit>
void for_each_operand(const Expr& node, Visit visit) {
  if (node.arity() >= 1) visit(node.a());
  if (node.arity() == 2) visit(node.b());
}

Columns united(const Columns& x, const Columns& y) {
  Columns both;
  both.reserve(x.size() + y.size());
  std::set_union(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
  return both;
}

// For every node the positions in x of the symbols below it.
PerNode<Columns> dependencies(const Exprs& nodes, std::span<const Expr> x) {
  PerNode<Columns> columns(nodes, {});
  for (std::size_t j = 0; j < x.size(); ++j) {
    expects(x[j].op() == Op::symbol, "derivatives with respect to symbols");
    if (columns.contains(x[j])) columns[x[j]] = {static_cast<int>(j)};
  }
  for (const Expr& node : nodes)
    for_each_operand(node, [&](const Expr& operand) {
      if (!operand.is_constant()) columns[node] = united(columns[node], columns[operand]);
    });
  return columns;
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
                                    const PerNode<Columns>& active) {
  PerNode<SparseRow> row(nodes, {});
  for (std::size_t j = 0; j < x.size(); ++j)
    if (row.contains(x[j])) row[x[j]] = {{static_cast<int>(j), 1.0}};
  for (const Expr& node : nodes) {
    if (node.arity() == 0 || active[node].empty()) continue;
    const Partials d = partials(node);
    const Expr a = node.a();
    if (!a.is_constant()) accumulate(row[node], d.a, row[a]);
    if (node.arity() == 2)
      if (const Expr b = node.b(); !b.is_constant()) accumulate(row[node], d.b, row[b]);
  }
  std::vector<SparseRow> rows;
  for (const Expr& e : f) rows.push_back(e.is_constant() ? SparseRow{} : row[e]);
  return rows;
}

SparseRow backward_row(const Expr& f, std::span<const Expr> x, const Exprs& nodes, const PerNode<Columns>& active) {
  PerNode<Expr> adjoint(nodes, 0.0);
  adjoint[f] = 1.0;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const Expr w = adjoint[*node];
    if (node->arity() == 0 || w.is_constant(0.0) || active[*node].empty()) continue;
    const Partials d = partials(*node);
    const Expr a = node->a();
    if (!a.is_constant() && !active[a].empty()) adjoint[a] += w * d.a;
    if (node->arity() == 2)
      if (const Expr b = node->b(); !b.is_constant() && !active[b].empty()) adjoint[b] += w * d.b;
  }
  SparseRow row;
  for (std::size_t j = 0; j < x.size(); ++j)
    if (adjoint.contains(x[j]) && !adjoint[x[j]].is_constant(0.0)) row.push_back({static_cast<int>(j), adjoint[x[j]]});
  return row;
}

std::vector<SparseRow> rows_of_jacobian(std::span<const Expr> f, std::span<const Expr> x) {
  const Exprs nodes = ordered(f);
  const PerNode<Columns> active = dependencies(nodes, x);
  std::size_t forward_work = 0, backward_work = 0;
  for (const Expr& node : nodes) forward_work += active[node].size();
  std::vector<Exprs> below(f.size());
  for (std::size_t i = 0; i < f.size() && backward_work < forward_work; ++i) {
    below[i] = ordered({&f[i], 1});
    for (const Expr& node : below[i]) backward_work += active[node].empty() ? 0 : 1;
  }
  if (forward_work <= backward_work) return forward_rows(f, x, nodes, active);
  std::vector<SparseRow> rows;
  for (std::size_t i = 0; i < f.size(); ++i)
    rows.push_back(f[i].is_constant() ? SparseRow{} : backward_row(f[i], x, below[i], active));
  return rows;
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
  for (Entry& e : backward_row(f, x, nodes, dependencies(nodes, x))) g[static_cast<std::size_t>(e.col)] = e.value;
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
