// Interning of nodes and the handles to them; the rules by which new nodes simplify are in simplify.cpp.
#include "invar/expr/expr.h"

#include <algorithm>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/expr/store.h"

namespace invar {

namespace {

// From so many nodes with one younger operand on, as the length of a step has, a hash table finds them sooner.
constexpr int crowd = 8;

std::uint64_t hash(const Store::Node& n) {
  auto mix = [](std::uint64_t h, std::uint64_t x) {
    h ^= x + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccdULL;
  };
  std::uint64_t h = mix(static_cast<std::uint64_t>(n.op), n.a);
  h = mix(h, n.b);
  return h ^ (h >> 32);
}

}  // namespace

int arity(Op op) {
  switch (op) {
    case Op::constant:
    case Op::symbol: return 0;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::atan2:
    case Op::stumpff:
    case Op::lerch: return 2;
    default: return 1;
  }
}

std::size_t Store::size() const {
  const std::scoped_lock lock(growing_);
  return entries_.size();
}

std::uint32_t Store::intern(const Node& node, std::uint32_t& last_user) {
  int met = 0;
  for (std::uint32_t id = last_user; id != none; ++met) {
    const Entry& entry = entries_[id];
    if (entry.node == node) return id;
    id = entry.next;
  }
  return met < crowd ? last_user = enter(node, last_user) : intern_by_hash(node);
}

std::uint32_t Store::intern_by_hash(const Node& node) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(node) & mask;
  for (; slots_[slot] != none; slot = (slot + 1) & mask)
    if (entries_[slots_[slot]].node == node) return slots_[slot];
  const std::uint32_t id = slots_[slot] = enter(node, none);
  if (++filled_ * 2 > slots_.size()) grow();
  return id;
}

std::uint32_t Store::enter(const Node& node, std::uint32_t next) {
  const auto id = static_cast<std::uint32_t>(entries_.size());
  expects(id < none, "fewer than four thousand million nodes");
  entries_.push_back({node, none, next});
  return id;
}

void Store::grow() {
  std::vector<std::uint32_t> slots(slots_.size() * 2, none);
  const std::size_t mask = slots.size() - 1;
  for (const std::uint32_t id : slots_) {
    if (id == none) continue;
    std::size_t slot = hash(entries_[id].node) & mask;
    while (slots[slot] != none) slot = (slot + 1) & mask;
    slots[slot] = id;
  }
  slots_ = std::move(slots);
}

std::uint32_t Store::id_of(const Expr& e) {
  if (e.is_constant()) return intern_by_hash(constant(e.value()));
  expects(e.store() == this, "formulas of one graph");
  return e.id();
}

// Whatever is derived from formulas comes by here, so that it can be stopped; not while the lock is held, since whoever
// is asked may have to wait for a thread that builds, too.
Expr Store::binary(Op op, const Expr& a, const Expr& b) {
  poll_interrupt_now_and_then();
  expects(!a.is_constant() || !b.is_constant(), "an operation that is no number");
  const std::scoped_lock lock(growing_);
  const Node node = {op, id_of(a), id_of(b)};
  const std::uint32_t younger = a.is_constant() ? node.b : b.is_constant() ? node.a : std::max(node.a, node.b);
  return handle(intern(node, entries_[younger].users));
}

Expr Store::unary(Op op, const Expr& a) {
  poll_interrupt_now_and_then();
  const std::scoped_lock lock(growing_);
  const Node node = {op, a.id(), 0};
  expects(a.store() == this, "a formula of this graph");
  return handle(intern(node, entries_[node.a].users));
}

Expr Store::symbol(std::uint32_t function, int order) {
  expects(order >= 0, "a derivative order that is not negative");
  const std::scoped_lock lock(growing_);
  return handle(intern({Op::symbol, function, static_cast<std::uint32_t>(order)}, functions_[function].symbols));
}

std::uint32_t Store::function(std::string name, SymbolKind kind) {
  const std::scoped_lock lock(growing_);
  functions_.push_back({std::move(name), kind, none});
  return static_cast<std::uint32_t>(functions_.size() - 1);
}

Op Expr::op() const { return store_ ? store_->node(id_).op : Op::constant; }

double Expr::value() const {
  expects(is_constant(), "a constant");
  return value_;
}

int Expr::arity() const { return invar::arity(op()); }

Expr Expr::operand(std::uint32_t id) const {
  const Store::Node& node = store_->node(id);
  return node.op == Op::constant ? Expr(node.value()) : Expr(store_, id);
}

Expr Expr::a() const {
  expects(arity() >= 1, "an operation");
  return operand(store_->node(id_).a);
}

Expr Expr::b() const {
  expects(arity() == 2, "an operation on two operands");
  return operand(store_->node(id_).b);
}

SymbolKind Expr::kind() const {
  expects(op() == Op::symbol, "a symbol");
  return store_->function(store_->node(id_).a).kind;
}

const std::string& Expr::name() const {
  expects(op() == Op::symbol, "a symbol");
  return store_->function(store_->node(id_).a).name;
}

int Expr::order() const {
  expects(op() == Op::symbol, "a symbol");
  return static_cast<int>(store_->node(id_).b);
}

Expr Expr::derivative(int order) const {
  expects(kind() == SymbolKind::variable || kind() == SymbolKind::reference, "the symbol of a function of time");
  return store_->symbol(store_->node(id_).a, order);
}

std::uint32_t Expr::id() const {
  expects(!is_constant(), "a node of a graph");
  return id_;
}

const std::string& Variable::name() const { return store_->function(function_).name; }

Expr at(const Variable& x, int order) { return x.store_->symbol(x.function_, order); }

Graph::Graph() : store_(std::make_shared<Store>()) { store_->function("t", SymbolKind::time); }

Expr Graph::time() const { return store_->symbol(0, 0); }

Variable Graph::variable(std::string name) const {
  return {store_, store_->function(std::move(name), SymbolKind::variable)};
}

Variable Graph::reference(std::string name) const {
  return {store_, store_->function(std::move(name), SymbolKind::reference)};
}

Expr Graph::parameter(std::string name) const {
  return store_->symbol(store_->function(std::move(name), SymbolKind::parameter), 0);
}

std::size_t Graph::size() const { return store_->size(); }

Exprs Store::handles(const Expr& any, std::span<const std::uint32_t> ids) {
  Exprs list;
  list.reserve(ids.size());
  for (const std::uint32_t id : ids) {
    poll_interrupt_now_and_then();
    list.push_back(Expr(any.store_, id));
  }
  return list;
}

}  // namespace invar
