// A function continued: operations on the inputs and outputs of another function, one after the other, for what is
// known step by step and not as formulas, elimination for instance.
//
// Numbers are computed at once, equal operations are done once, and signs move outwards until they meet a sum.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "invar/tape/function.h"

namespace invar {

struct TapeValue;

class StraightLine {
 public:
  // A value is its number.
  enum class Value : std::uint32_t {};

  explicit StraightLine(const Function& from);
  ~StraightLine();
  StraightLine(const StraightLine&) = delete;
  StraightLine& operator=(const StraightLine&) = delete;

  Value input(std::size_t k) const { return inputs_[k]; }
  Value more_input();  // after those of the function
  Value output(std::size_t k) const { return outputs_[k]; }
  Value number(double x);

  Value negate(Value a);
  Value add(Value a, Value b);
  Value subtract(Value a, Value b);
  Value multiply(Value a, Value b);
  Value divide(Value a, Value b);
  Value abs(Value a);

  // All operations so far, operands before their users, and the results of the function that is continued.
  std::span<const TapeValue> values() const;
  std::span<const Value> outputs() const { return outputs_; }

  // The function from the same inputs to these values; the name is for reports.
  Function result(std::span<const Value> outputs, std::string_view name = "formulas") const;

 private:
  const TapeValue& of(Value v) const;
  bool is_number(Value v) const;
  bool is_number(Value v, double x) const;
  bool is_negated(Value v) const;
  Value inside(Value v) const;  // of a sign
  Value push(int code, Value a, Value b = {});

  std::vector<TapeValue> values_;
  std::vector<Value> inputs_, outputs_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::unordered_map<std::uint64_t, std::uint32_t> done_;  // by operation and operands
};

}  // namespace invar
