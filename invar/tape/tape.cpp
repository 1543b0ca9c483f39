// From the graph to values in single-assignment form: integer powers become products, lone products join their sums.
#include "invar/tape/tape.h"

#include <bit>
#include <cmath>
#include <map>
#include <unordered_map>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/expr/store.h"

namespace invar {

namespace {

constexpr double longest_chain = 64;  // highest power made of products; beyond it pow() is as fast

std::string quoted(const Store& store, const Store::Node& symbol) {
  return "\"" + store.function(symbol.a).name + std::string(symbol.b, '\'') + "\"";
}

// Which nodes of a graph are needed, and their places among those, with little more than a bit for each of the others.
class NeededNodes {
 public:
  explicit NeededNodes(std::size_t nodes) : bits_(nodes / 64 + 1), before_(bits_.size()) {}
  void insert(std::uint32_t id) { bits_[id / 64] |= std::uint64_t{1} << id % 64; }
  bool contains(std::uint32_t id) const { return (bits_[id / 64] >> id % 64 & 1) != 0; }
  // After the last insert: how many there are.
  std::uint32_t count() {
    std::uint32_t sum = 0;
    for (std::size_t word = 0; word < bits_.size(); ++word) {
      before_[word] = sum;
      sum += static_cast<std::uint32_t>(std::popcount(bits_[word]));
    }
    return sum;
  }
  std::uint32_t place(std::uint32_t id) const {
    const std::uint64_t younger = bits_[id / 64] & ((std::uint64_t{1} << id % 64) - 1);
    return before_[id / 64] + static_cast<std::uint32_t>(std::popcount(younger));
  }
  // Ascending, so that operands come first.
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::size_t word = 0; word < bits_.size(); ++word)
      for (std::uint64_t left = bits_[word]; left != 0; left &= left - 1)
        visit(static_cast<std::uint32_t>(64 * word + static_cast<std::size_t>(std::countr_zero(left))));
  }

 private:
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> before_;  // by word, those in the words before it
};

class Translation {
 public:
  Translation(std::span<const Expr> inputs, std::span<const Expr> outputs);

  std::vector<TapeValue> values;
  std::vector<std::uint32_t> outputs;

 private:
  void find_needed(std::span<const Expr> inputs, std::span<const Expr> roots);
  std::uint32_t& value_of(std::uint32_t id) { return value_of_[needed_.place(id)]; }
  void translate(std::uint32_t id);
  std::uint32_t push(Code code, std::uint32_t a, std::uint32_t b = 0);
  std::uint32_t constant(double number);
  std::uint32_t power(std::uint32_t base, const Store::Node& exponent, std::uint32_t exponent_id);
  std::uint32_t integer_power(std::uint32_t base, int n);

  const Store* store_ = nullptr;
  NeededNodes needed_;
  std::vector<std::uint32_t> value_of_;  // by place among the needed nodes
  std::unordered_map<std::uint64_t, std::uint32_t> constants_;
  std::map<std::pair<std::uint32_t, int>, std::uint32_t> powers_;  // by base and exponent; 0 stands for the root
};

Translation::Translation(std::span<const Expr> inputs, std::span<const Expr> roots) : needed_(0) {
  for (const auto& exprs : {inputs, roots})
    for (const Expr& e : exprs) {
      if (e.is_constant()) continue;
      if (!store_) store_ = e.store();
      expects(store_ == e.store(), "formulas of one graph");
    }
  find_needed(inputs, roots);
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    expects(inputs[i].op() == Op::symbol, "inputs that are symbols");
    expects(value_of(inputs[i].id()) == no_index, "inputs that are distinct");
    value_of(inputs[i].id()) = push(Code::symbol, i);
  }
  needed_.each([this](std::uint32_t id) { translate(id); });
  for (const Expr& root : roots) outputs.push_back(root.is_constant() ? constant(root.value()) : value_of(root.id()));
}

void Translation::find_needed(std::span<const Expr> inputs, std::span<const Expr> roots) {
  std::uint32_t end = 0;
  for (const auto& exprs : {inputs, roots})
    for (const Expr& e : exprs)
      if (!e.is_constant()) end = std::max(end, e.id() + 1);
  needed_ = NeededNodes(end);
  for (const auto& exprs : {inputs, roots})
    for (const Expr& e : exprs)
      if (!e.is_constant()) needed_.insert(e.id());
  for (std::uint32_t id = end; id-- > 0;) {
    if (!needed_.contains(id)) continue;
    const Store::Node& node = store_->node(id);
    const int operands = arity(node.op);
    if (operands >= 1) needed_.insert(node.a);
    if (operands == 2) needed_.insert(node.b);
  }
  const std::uint32_t count = needed_.count();
  value_of_.assign(count, no_index);
  values.reserve(count);
}

void Translation::translate(std::uint32_t id) {
  poll_interrupt_now_and_then();
  const Store::Node& node = store_->node(id);
  std::uint32_t& value = value_of(id);
  switch (node.op) {
    case Op::constant: value = constant(node.value()); return;
    case Op::symbol:
      if (value == no_index)
        throw InputError("the formula contains " + quoted(*store_, node) + ", which has no value here");
      return;
    case Op::stumpff:
    case Op::lerch:
      value =
          push(static_cast<Code>(node.op), static_cast<std::uint32_t>(store_->node(node.a).value()), value_of(node.b));
      return;
    case Op::power: value = power(value_of(node.a), store_->node(node.b), node.b); return;
    default: value = push(static_cast<Code>(node.op), value_of(node.a), arity(node.op) == 2 ? value_of(node.b) : 0);
  }
}

std::uint32_t Translation::push(Code code, std::uint32_t a, std::uint32_t b) {
  values.push_back({.code = code, .a = a, .b = b});
  return static_cast<std::uint32_t>(values.size() - 1);
}

std::uint32_t Translation::constant(double number) {
  const auto [place, is_new] = constants_.try_emplace(std::bit_cast<std::uint64_t>(number), 0);
  if (is_new) {
    place->second = push(Code::constant, 0);
    values.back().number = number;
  }
  return place->second;
}

// x^n with 2n integer becomes a chain of products, x^(m + 1/2) = x^m √x.
std::uint32_t Translation::power(std::uint32_t base, const Store::Node& exponent, std::uint32_t exponent_id) {
  const double n = std::abs(exponent.value());
  if (exponent.op != Op::constant || n > longest_chain || std::floor(2 * n) != 2 * n)
    return push(Code::power, base, value_of(exponent_id));
  const int whole = static_cast<int>(n);
  std::uint32_t result = whole > 0 ? integer_power(base, whole) : no_index;
  if (n != whole) {
    const auto [root, is_new] = powers_.try_emplace({base, 0}, 0);
    if (is_new) root->second = push(Code::sqrt, base);
    result = whole > 0 ? push(Code::multiply, result, root->second) : root->second;
  }
  if (result == no_index) return constant(1.0);
  return exponent.value() < 0 ? push(Code::divide, constant(1.0), result) : result;
}

std::uint32_t Translation::integer_power(std::uint32_t base, int n) {
  if (n == 1) return base;
  if (const auto known = powers_.find({base, n}); known != powers_.end()) return known->second;
  const std::uint32_t left = integer_power(base, n % 2 == 0 ? n / 2 : n - 1);
  return powers_[{base, n}] = push(Code::multiply, left, n % 2 == 0 ? left : base);
}

}  // namespace

int operand_count(Code code) {
  if (code == Code::negated_product) return 2;
  return code > Code::lerch ? 3 : arity(as_op(code));
}

void fuse(std::vector<TapeValue>& values, std::span<const std::uint32_t> outputs) {
  std::vector<std::uint32_t> uses(values.size());
  for (const TapeValue& v : values) {
    const bool family = v.code == Code::stumpff || v.code == Code::lerch;
    const int operands = operand_count(v.code);
    if (operands >= 1 && !family) ++uses[v.a];
    if (operands >= 2) ++uses[v.b];
    if (operands == 3) ++uses[v.c];
  }
  for (const std::uint32_t output : outputs) ++uses[output];
  const auto lone_product = [&](std::uint32_t v) { return values[v].code == Code::multiply && uses[v] == 1; };
  for (TapeValue& v : values) {
    const auto join = [&](Code code, std::uint32_t product, std::uint32_t rest) {
      v = {.code = code, .a = values[product].a, .b = values[product].b, .c = rest};
    };
    if (v.code == Code::add && lone_product(v.a))
      join(Code::multiply_add, v.a, v.b);
    else if (v.code == Code::add && lone_product(v.b))
      join(Code::multiply_add, v.b, v.a);
    else if (v.code == Code::subtract && lone_product(v.a))
      join(Code::multiply_subtract, v.a, v.b);
    else if (v.code == Code::subtract && lone_product(v.b))
      join(Code::subtract_product, v.b, v.a);
    else if (v.code == Code::negate && lone_product(v.a))
      join(Code::negated_product, v.a, 0);
  }
}

Tape make_tape(std::span<const Expr> inputs, std::span<const Expr> outputs) {
  Translation translation(inputs, outputs);
  fuse(translation.values, translation.outputs);
  return schedule(translation.values, translation.outputs, inputs.size());
}

}  // namespace invar
