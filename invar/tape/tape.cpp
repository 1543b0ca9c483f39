// From the graph to values in single-assignment form: integer powers become products, lone products join their sums.
#include "invar/tape/tape.h"

#include <bit>
#include <cmath>
#include <map>
#include <unordered_map>

#include "invar/base/error.h"
#include "invar/expr/store.h"

namespace invar {

namespace {

constexpr double longest_chain = 64;  // highest power made of products; beyond it pow() is as fast

std::string quoted(const Store& store, const Store::Node& symbol) {
  return "\"" + store.function(symbol.a).name + std::string(symbol.b, '\'') + "\"";
}

class Translation {
 public:
  Translation(std::span<const Expr> inputs, std::span<const Expr> outputs);

  std::vector<TapeValue> values;
  std::vector<std::uint32_t> outputs;

 private:
  std::vector<std::uint32_t> needed_nodes(std::span<const Expr> roots) const;
  void translate(std::uint32_t id);
  std::uint32_t push(Code code, std::uint32_t a, std::uint32_t b = 0);
  std::uint32_t constant(double number);
  std::uint32_t power(std::uint32_t base, const Store::Node& exponent, std::uint32_t exponent_id);
  std::uint32_t integer_power(std::uint32_t base, int n);

  const Store* store_ = nullptr;
  std::vector<std::uint32_t> value_of_;  // by node
  std::unordered_map<std::uint64_t, std::uint32_t> constants_;
  std::map<std::pair<std::uint32_t, int>, std::uint32_t> powers_;  // by base and exponent; 0 stands for the root
};

Translation::Translation(std::span<const Expr> inputs, std::span<const Expr> roots) {
  for (const auto& exprs : {inputs, roots})
    for (const Expr& e : exprs) {
      if (e.is_constant()) continue;
      if (!store_) store_ = e.store();
      expects(store_ == e.store(), "formulas of one graph");
    }
  value_of_.assign(store_ ? store_->size() : 0, no_index);
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    expects(inputs[i].op() == Op::symbol, "inputs that are symbols");
    expects(value_of_[inputs[i].id()] == no_index, "inputs that are distinct");
    value_of_[inputs[i].id()] = push(Code::symbol, i);
  }
  for (const std::uint32_t id : needed_nodes(roots)) translate(id);
  for (const Expr& root : roots) outputs.push_back(root.is_constant() ? constant(root.value()) : value_of_[root.id()]);
}

// Ascending, so that operands come first.
std::vector<std::uint32_t> Translation::needed_nodes(std::span<const Expr> roots) const {
  std::vector<bool> needed(store_ ? store_->size() : 0);
  for (const Expr& root : roots)
    if (!root.is_constant()) needed[root.id()] = true;
  std::vector<std::uint32_t> ids;
  for (auto id = static_cast<std::uint32_t>(needed.size()); id-- > 0;) {
    if (!needed[id]) continue;
    ids.push_back(id);
    const Store::Node& node = store_->node(id);
    const int operands = arity(node.op);
    if (operands >= 1) needed[node.a] = true;
    if (operands == 2) needed[node.b] = true;
  }
  return {ids.rbegin(), ids.rend()};
}

void Translation::translate(std::uint32_t id) {
  const Store::Node& node = store_->node(id);
  std::uint32_t& value = value_of_[id];
  switch (node.op) {
    case Op::constant: value = constant(node.value()); return;
    case Op::symbol:
      if (value == no_index)
        throw InputError("the formula contains " + quoted(*store_, node) + ", which has no value here");
      return;
    case Op::stumpff:
    case Op::lerch:
      value =
          push(static_cast<Code>(node.op), static_cast<std::uint32_t>(store_->node(node.a).value()), value_of_[node.b]);
      return;
    case Op::power: value = power(value_of_[node.a], store_->node(node.b), node.b); return;
    default: value = push(static_cast<Code>(node.op), value_of_[node.a], arity(node.op) == 2 ? value_of_[node.b] : 0);
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
    return push(Code::power, base, value_of_[exponent_id]);
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
