// What one operation contributes to a derivative. Only the expr folder includes this.
#pragma once

#include <vector>

#include "invar/expr/expr.h"

namespace invar {

// Partial derivatives of a node with respect to its operands.
struct Partials {
  Expr a;
  Expr b;
};
Partials partials(const Expr& node);

// One value per node of a list, found by node.
template <class T>
class PerNode {
 public:
  PerNode(const Exprs& nodes, const T& initial) : values_(nodes.size(), initial) {
    if (!nodes.empty()) place_.resize(nodes.back().id() + 1, missing);
    for (std::size_t i = 0; i < nodes.size(); ++i) place_[nodes[i].id()] = static_cast<std::uint32_t>(i);
  }
  bool contains(const Expr& e) const { return !e.is_constant() && e.id() < place_.size() && place_[e.id()] != missing; }
  T& operator[](const Expr& e) { return values_[place_[e.id()]]; }
  const T& operator[](const Expr& e) const { return values_[place_[e.id()]]; }

 private:
  static constexpr std::uint32_t missing = 0xffffffff;
  std::vector<std::uint32_t> place_;
  std::vector<T> values_;
};

}  // namespace invar
