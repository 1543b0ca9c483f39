// The nodes below formulas, as far as one looks. Only the expr folder includes this.
#pragma once

#include <span>
#include <vector>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/expr/node_set.h"
#include "invar/expr/store.h"

namespace invar {

// Those of `roots` and below them, each once, ascending, without constants and without those that `enters(id)` refuses
// together with what only they lead to.
template <class Enters>
std::vector<std::uint32_t> nodes_below(std::span<const Expr> roots, const Enters& enters) {
  NodeSet met;
  std::vector<std::uint32_t> open;
  const Store* store = nullptr;
  const auto visit = [&](std::uint32_t id) {
    if (store->node(id).op != Op::constant && enters(id) && met.insert(id)) open.push_back(id);
  };
  for (const Expr& root : roots) {
    if (root.is_constant()) continue;
    if (!store) store = root.store();
    expects(root.store() == store, "formulas of one graph");
    visit(root.id());
  }
  while (!open.empty()) {
    poll_interrupt_now_and_then();
    const Store::Node& node = store->node(open.back());
    open.pop_back();
    const int operands = arity(node.op);
    if (operands >= 1) visit(node.a);
    if (operands == 2) visit(node.b);
  }
  return met.ascending();
}

}  // namespace invar
