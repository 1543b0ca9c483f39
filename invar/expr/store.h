// The node store behind a Graph: interning, symbols. Only the expr and tape folders include this.
//
// A new node is looked for among those that were made with the younger of its operands: they are few, and mostly they
// were made not long ago, so that what is read is in the processor's cache, however large the graph. Nodes whose
// operand has many others, and numbers, are looked for in a hash table.
//
// Threads may build in one store: nodes are entered one at a time. What a thread has a handle of it reads without
// waiting.
#pragma once

#include <bit>
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
  // As small as can be, since long models have many millions of them.
  struct Node {
    Op op;
    std::uint32_t
        a;  // operands; for a symbol the function and the order; for a constant its bits, the lower ones first
    std::uint32_t b;

    double value() const { return std::bit_cast<double>(std::uint64_t{b} << 32 | a); }
    friend bool operator==(const Node&, const Node&) = default;
  };
  static Node constant(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return {Op::constant, static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
  }
  struct TimeFunction {
    std::string name;
    SymbolKind kind = SymbolKind::time;
    std::uint32_t symbols = none;  // the last one made; the others follow
  };

  Expr binary(Op op, const Expr& a, const Expr& b);
  Expr unary(Op op, const Expr& a);
  Expr symbol(std::uint32_t function, int order);
  // Those of nodes that are no constants, in the graph of any formula.
  static Exprs handles(const Expr& any, std::span<const std::uint32_t> ids);
  std::uint32_t function(std::string name, SymbolKind kind);

  const Node& node(std::uint32_t id) const { return entries_[id].node; }
  const TimeFunction& function(std::uint32_t index) const { return functions_[index]; }
  std::size_t size() const;

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct Entry {
    Node node;
    std::uint32_t users;  // the last node made with this one as its younger operand
    std::uint32_t next;   // the one before this that has the same younger operand
  };

  Expr handle(std::uint32_t id) { return {shared_from_this(), id}; }
  // While the lock is held.
  std::uint32_t id_of(const Expr& e);  // also of a constant
  std::uint32_t intern(const Node& node, std::uint32_t& last_user);
  std::uint32_t intern_by_hash(const Node& node);
  std::uint32_t enter(const Node& node, std::uint32_t next);
  void grow();

  mutable std::mutex growing_;
  StableList<Entry> entries_;
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64, none);  // open addressing, a power of two
  std::size_t filled_ = 0;                                                   // slots
  StableList<TimeFunction> functions_;
};

int arity(Op op);

}  // namespace invar
