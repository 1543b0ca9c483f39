// The functions that a formula can name, each with its operation and number of arguments.
#pragma once

#include <string_view>

#include "invar/expr/expr.h"

namespace invar {

struct OpName {
  std::string_view name;
  Op op;
  int arguments;
  std::string_view usage;  // for messages
};

inline constexpr OpName op_names[] = {
    {"sin", Op::sin, 1, "sin(x)"},          {"cos", Op::cos, 1, "cos(x)"},
    {"tan", Op::tan, 1, "tan(x)"},          {"asin", Op::asin, 1, "asin(x)"},
    {"acos", Op::acos, 1, "acos(x)"},       {"atan", Op::atan, 1, "atan(x)"},
    {"atan2", Op::atan2, 2, "atan2(y, x)"}, {"sinh", Op::sinh, 1, "sinh(x)"},
    {"cosh", Op::cosh, 1, "cosh(x)"},       {"tanh", Op::tanh, 1, "tanh(x)"},
    {"exp", Op::exp, 1, "exp(x)"},          {"log", Op::log, 1, "log(x)"},
    {"sqrt", Op::sqrt, 1, "sqrt(x)"},       {"abs", Op::abs, 1, "abs(x)"},
    {"sign", Op::sign, 1, "sign(x)"},       {"stumpff", Op::stumpff, 2, "stumpff(k, s)"},
    {"lerch", Op::lerch, 2, "lerch(k, s)"},
};

constexpr const OpName* find_op(std::string_view name) {
  for (const OpName& f : op_names)
    if (f.name == name) return &f;
  return nullptr;
}

constexpr const OpName* find_op(Op op) {
  for (const OpName& f : op_names)
    if (f.op == op) return &f;
  return nullptr;
}

}  // namespace invar
