// See term_size.h.
#include "invar/tape/term_size.h"

#include <cmath>

#include "invar/expr/derivative.h"
#include "invar/expr/local.h"

namespace invar {

Exprs term_sizes(std::span<const Expr> f) {
  const Exprs nodes = ordered(f);
  PerNode<Expr> size(nodes, 0.0);
  auto of = [&](const Expr& e) { return e.is_constant() ? Expr(std::abs(e.value())) : size[e]; };
  for (const Expr& node : nodes) {
    switch (node.op()) {
      case Op::negate: size[node] = of(node.a()); break;
      case Op::add:
      case Op::subtract: size[node] = of(node.a()) + of(node.b()); break;
      case Op::multiply: size[node] = of(node.a()) * of(node.b()); break;
      case Op::divide: size[node] = of(node.a()) / abs(node.b()); break;
      case Op::sqrt: size[node] = sqrt(of(node.a())); break;
      case Op::power:
        size[node] = node.b().is_constant() && node.b().value() > 0.0 ? pow(of(node.a()), node.b()) : abs(node);
        break;
      default: size[node] = abs(node);
    }
  }
  Exprs result;
  for (const Expr& e : f) result.push_back(of(e));
  return result;
}

}  // namespace invar
