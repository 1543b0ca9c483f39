// The node store behind a Graph: interning, symbols. Only the expr and tape folders include this.
//
// Threads may build in one store: nodes are entered one at a time. What a thread has a handle of it reads without
// waiting.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "invar/expr/expr.h"
#include "invar/expr/stable_list.h"

namespace invar {

class Store : public std::enable_shared_from_this<Store> {
 public:
  struct Node {
    Op op = Op::constant;
    std::uint32_t a = 0;  // operands; for a symbol the function and the order
    std::uint32_t b = 0;
    double value = 0.0;  // of a constant
  };
  struct TimeFunction {
    std::string name;
    SymbolKind kind = SymbolKind::time;
  };

  std::uint32_t intern(const Node& node);
  std::uint32_t intern(const Expr& e);  // also of a constant
  Expr handle(std::uint32_t id);        // constants come back as plain numbers
  Expr binary(Op op, const Expr& a, const Expr& b) { return handle(intern(Node{op, intern(a), intern(b)})); }
  Expr unary(Op op, const Expr& a) { return handle(intern(Node{op, intern(a)})); }
  Expr symbol(std::uint32_t function, int order);
  std::uint32_t function(std::string name, SymbolKind kind);

  const Node& node(std::uint32_t id) const { return nodes_[id]; }
  const TimeFunction& function(std::uint32_t index) const { return functions_[index]; }
  std::size_t size() const;

 private:
  void grow();

  mutable std::mutex growing_;
  StableList<Node> nodes_;
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64, empty);  // open addressing, a power of two
  StableList<TimeFunction> functions_;

  static constexpr std::uint32_t empty = 0xffffffff;
};

int arity(Op op);

}  // namespace invar
