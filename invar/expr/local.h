// What one operation contributes to a derivative. Only the expr folder includes this.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "invar/expr/expr.h"

namespace invar {

// Partial derivatives of a node with respect to its operands.
struct Partials {
  Expr a;
  Expr b;
};
Partials partials(const Expr& node);

// One value per node of a list in ascending order, found by node: through a table, or by bisection if the nodes are few
// among many, as those of one short formula in a large graph.
template <class T>
class PerNode {
 public:
  PerNode(const Exprs& nodes, const T& initial) : values_(nodes.size(), initial) {
    constexpr std::size_t sparse = 16;
    if (nodes.empty()) return;
    first_ = nodes.front().id();
    const std::size_t range = nodes.back().id() - first_ + 1;
    if (range <= sparse * nodes.size()) {
      place_.resize(range, missing);
      for (std::size_t i = 0; i < nodes.size(); ++i) place_[nodes[i].id() - first_] = static_cast<std::uint32_t>(i);
    } else {
      for (const Expr& node : nodes) ids_.push_back(node.id());
    }
  }
  bool contains(const Expr& e) const { return !e.is_constant() && find(e.id()) != missing; }
  T& operator[](const Expr& e) { return values_[find(e.id())]; }
  const T& operator[](const Expr& e) const { return values_[find(e.id())]; }
  const T& at(std::uint32_t id) const { return values_[find(id)]; }

 private:
  static constexpr std::uint32_t missing = 0xffffffff;

  std::uint32_t find(std::uint32_t id) const {
    if (ids_.empty()) return id >= first_ && id - first_ < place_.size() ? place_[id - first_] : missing;
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
    return found != ids_.end() && *found == id ? static_cast<std::uint32_t>(found - ids_.begin()) : missing;
  }

  std::uint32_t first_ = 0;
  std::vector<std::uint32_t> place_, ids_;  // one of them
  std::vector<T> values_;
};

}  // namespace invar
