// For tests: random formulas from a seeded generator.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <random>
#include <span>
#include <vector>

#include "invar/expr/expr.h"

namespace invar::test {

// Where the operations of a random formula are used.
enum class Domain {
  any,     // anywhere: values may be NaN or infinite
  smooth,  // where they are defined and have all derivatives, whatever the (moderate) values of the symbols
};

inline std::size_t pick(std::mt19937_64& random, std::size_t count) {
  return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
}

// One operation on a and b, or on arguments made from them that lie inside its domain.
inline Expr random_operation(std::mt19937_64& random, const Expr& a, const Expr& b, Domain domain) {
  constexpr Op ops[] = {Op::negate, Op::add,   Op::add,  Op::subtract, Op::multiply, Op::multiply, Op::multiply,
                        Op::divide, Op::power, Op::sqrt, Op::exp,      Op::log,      Op::sin,      Op::cos,
                        Op::tan,    Op::asin,  Op::acos, Op::atan,     Op::atan2,    Op::sinh,     Op::cosh,
                        Op::tanh,   Op::abs,   Op::sign, Op::stumpff,  Op::lerch};
  const Op op = ops[pick(random, std::size(ops))];
  const double whole = static_cast<double>(1 + pick(random, 3));
  if (op == Op::stumpff) return stumpff(static_cast<int>(whole) - 1, domain == Domain::any ? a : 2.0 * sin(a));
  if (op == Op::lerch) return lerch(static_cast<int>(whole), domain == Domain::any ? a : 0.5 * sin(a));
  if (domain == Domain::any) return op == Op::power && pick(random, 3) > 0 ? pow(a, whole) : apply(op, a, b);
  const Expr bounded = 0.5 * sin(a), positive = 1.5 + sin(b);
  switch (op) {
    case Op::divide: return a / positive;
    case Op::power: return pick(random, 2) == 0 ? pow(bounded, whole) : pow(positive, bounded);
    case Op::sqrt:
    case Op::log:
    case Op::abs:
    case Op::sign: return apply(op, positive);
    case Op::exp:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::sinh:
    case Op::cosh: return apply(op, bounded);
    case Op::atan2: return atan2(a, positive);
    default: return apply(op, a, b);
  }
}

// A formula of the symbols x, grown by `operations` random steps, of which later ones build on earlier ones.
inline Expr random_expr(std::mt19937_64& random, std::span<const Expr> x, int operations,
                        Domain domain = Domain::smooth) {
  std::vector<Expr> pool(x.begin(), x.end());
  const auto operand = [&]() -> Expr {
    if (pick(random, 6) == 0) return std::uniform_real_distribution<double>(-3.0, 3.0)(random);
    if (pick(random, 6) == 0) return static_cast<double>(pick(random, 9)) - 4.0;
    const std::size_t recent = std::min<std::size_t>(pool.size(), x.size() + 4);
    return pool[pick(random, 3) == 0 ? pick(random, pool.size()) : pool.size() - 1 - pick(random, recent)];
  };
  for (int i = 0; i < operations; ++i) {
    const Expr a = operand();
    const Expr b = operand();
    pool.push_back(random_operation(random, a, b, domain));
  }
  return pool.back();
}

}  // namespace invar::test
