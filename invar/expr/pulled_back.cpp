// Weighted sums of derivatives by one backward sweep.
#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/expr/local.h"

namespace invar {

namespace {

// For every node whether it changes with x.
PerNode<char> changing_with(std::span<const Expr> x, const Exprs& nodes) {
  PerNode<char> changes(nodes, 0);
  for (const Expr& s : x)
    if (changes.contains(s)) changes[s] = 1;
  const auto of = [&](const Expr& e) { return !e.is_constant() && changes[e] != 0; };
  for (const Expr& node : nodes)
    if (node.arity() > 0) changes[node] = of(node.a()) || (node.arity() == 2 && of(node.b()));
  return changes;
}

}  // namespace

Exprs pulled_back(std::span<const Expr> f, std::span<const Expr> x, std::span<const Expr> weight) {
  expects(f.size() == weight.size(), "one weight per formula");
  Exprs rows, weights;
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (f[i].is_constant() || weight[i].is_constant(0.0)) continue;
    rows.push_back(f[i]);
    weights.push_back(weight[i]);
  }
  const Exprs nodes = ordered(rows);
  const PerNode<char> changes = changing_with(x, nodes);
  PerNode<Expr> adjoint(nodes, 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) adjoint[rows[i]] += weights[i];
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const Expr w = adjoint[*node];
    if (node->arity() == 0 || w.is_constant(0.0) || !changes[*node]) continue;
    const Partials d = partials(*node);
    const Expr a = node->a();
    if (!a.is_constant() && changes[a]) adjoint[a] += w * d.a;
    if (node->arity() == 2)
      if (const Expr b = node->b(); !b.is_constant() && changes[b]) adjoint[b] += w * d.b;
  }
  Exprs result;
  for (const Expr& s : x) result.push_back(adjoint.contains(s) ? adjoint[s] : Expr(0.0));
  return result;
}

}  // namespace invar
