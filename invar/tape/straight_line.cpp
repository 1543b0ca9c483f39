// See straight_line.h. The tape is taken apart into values again, and one is made of all.
#include "invar/tape/straight_line.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "invar/base/error.h"
#include "invar/tape/tape.h"

namespace invar {

namespace {

// Values are few enough for an operation and two of them to fit.
constexpr int operand_bits = 28;

std::uint64_t operation_key(Code code, std::uint32_t a, std::uint32_t b) {
  expects(std::max(a, b) >> operand_bits == 0, "fewer values than 2^28");
  return (static_cast<std::uint64_t>(code) << (2 * operand_bits)) | (static_cast<std::uint64_t>(a) << operand_bits) | b;
}

std::uint32_t id(StraightLine::Value v) { return static_cast<std::uint32_t>(v); }

}  // namespace

StraightLine::StraightLine(const Function& from) {
  const Tape& tape = *from.tape_;
  std::vector<std::uint32_t> held(tape.register_count, no_index);  // values, by register
  for (std::size_t k = 0; k < tape.constants.size(); ++k) held[k] = id(number(tape.constants[k]));
  for (std::uint32_t k = 0; k < tape.input_count; ++k) {
    held[tape.first_input() + k] = static_cast<std::uint32_t>(values_.size());
    inputs_.push_back(Value(values_.size()));
    values_.push_back({.code = Code::symbol, .a = k});
  }
  for (const Instruction& i : tape.code) {
    const Code code = i.operation();
    const bool family = code == Code::stumpff || code == Code::lerch;
    const int count = operand_count(code);
    values_.push_back({.code = code,
                       .a = family ? i.a : held[i.a],
                       .b = count >= 2 ? held[i.b] : 0,
                       .c = count == 3 ? held[i.c] : 0});
    held[i.to] = static_cast<std::uint32_t>(values_.size() - 1);
  }
  for (const std::uint32_t reg : tape.outputs) outputs_.push_back(Value(held[reg]));
}

StraightLine::~StraightLine() = default;

std::span<const TapeValue> StraightLine::values() const { return values_; }

const TapeValue& StraightLine::of(Value v) const { return values_[id(v)]; }
bool StraightLine::is_number(Value v) const { return of(v).code == Code::constant; }
bool StraightLine::is_number(Value v, double x) const { return is_number(v) && of(v).number == x; }
bool StraightLine::is_negated(Value v) const { return of(v).code == Code::negate; }
StraightLine::Value StraightLine::inside(Value v) const { return Value(of(v).a); }

StraightLine::Value StraightLine::more_input() {
  inputs_.push_back(Value(values_.size()));
  values_.push_back({.code = Code::symbol, .a = static_cast<std::uint32_t>(inputs_.size() - 1)});
  return inputs_.back();
}

StraightLine::Value StraightLine::number(double x) {
  const auto [place, is_new] = numbers_.try_emplace(std::bit_cast<std::uint64_t>(x), 0);
  if (is_new) {
    place->second = static_cast<std::uint32_t>(values_.size());
    values_.push_back({.code = Code::constant, .number = x});
  }
  return Value(place->second);
}

StraightLine::Value StraightLine::push(int operation, Value a, Value b) {
  const Code code = static_cast<Code>(operation);
  if ((code == Code::add || code == Code::multiply) && id(b) < id(a)) std::swap(a, b);
  const auto [place, is_new] = done_.try_emplace(operation_key(code, id(a), id(b)), 0);
  if (is_new) {
    place->second = static_cast<std::uint32_t>(values_.size());
    values_.push_back({.code = code, .a = id(a), .b = id(b)});
  }
  return Value(place->second);
}

StraightLine::Value StraightLine::negate(Value a) {
  if (is_number(a)) return number(-of(a).number);
  if (is_negated(a)) return inside(a);
  if (of(a).code == Code::subtract) return subtract(Value(of(a).b), inside(a));
  return push(static_cast<int>(Code::negate), a);
}

StraightLine::Value StraightLine::add(Value a, Value b) {
  if (is_number(a) && is_number(b)) return number(of(a).number + of(b).number);
  if (is_number(a, 0.0)) return b;
  if (is_number(b, 0.0)) return a;
  if (is_negated(b)) return subtract(a, inside(b));
  if (is_negated(a)) return subtract(b, inside(a));
  return push(static_cast<int>(Code::add), a, b);
}

StraightLine::Value StraightLine::subtract(Value a, Value b) {
  if (is_number(a) && is_number(b)) return number(of(a).number - of(b).number);
  if (is_number(a, 0.0)) return negate(b);
  if (is_number(b, 0.0)) return a;
  if (a == b) return number(0.0);
  if (is_negated(b)) return add(a, inside(b));
  if (is_negated(a)) return negate(add(inside(a), b));
  return push(static_cast<int>(Code::subtract), a, b);
}

StraightLine::Value StraightLine::multiply(Value a, Value b) {
  if (is_number(a) && is_number(b)) return number(of(a).number * of(b).number);
  if (is_number(a, 0.0) || is_number(b, 0.0)) return number(0.0);
  if (is_number(a, 1.0)) return b;
  if (is_number(b, 1.0)) return a;
  if (is_number(a, -1.0)) return negate(b);
  if (is_number(b, -1.0)) return negate(a);
  if (is_negated(a)) return negate(multiply(inside(a), b));
  if (is_negated(b)) return negate(multiply(a, inside(b)));
  return push(static_cast<int>(Code::multiply), a, b);
}

StraightLine::Value StraightLine::divide(Value a, Value b) {
  if (is_number(a) && is_number(b)) return number(of(a).number / of(b).number);
  if (is_number(b, 1.0)) return a;
  if (is_number(b, -1.0)) return negate(a);
  if (is_negated(a)) return negate(divide(inside(a), b));
  if (is_negated(b)) return negate(divide(a, inside(b)));
  return push(static_cast<int>(Code::divide), a, b);
}

StraightLine::Value StraightLine::abs(Value a) {
  if (is_number(a)) return number(std::abs(of(a).number));
  if (is_negated(a)) return abs(inside(a));
  return push(static_cast<int>(Code::abs), a);
}

Function StraightLine::result(std::span<const Value> outputs, std::string_view name) const {
  std::vector<TapeValue> values = values_;
  std::vector<std::uint32_t> wanted;
  for (const Value v : outputs) wanted.push_back(id(v));
  fuse(values, wanted);
  return {std::make_shared<const Tape>(schedule(values, wanted, inputs_.size())), name};
}

}  // namespace invar
