// The derivative of every operation, written once.
#include "invar/expr/local.h"

#include "invar/base/error.h"

namespace invar {

Partials partials(const Expr& node) {
  const Expr a = node.a();
  const Expr b = node.arity() == 2 ? node.b() : Expr(0.0);
  switch (node.op()) {
    case Op::negate: return {-1.0, 0.0};
    case Op::add: return {1.0, 1.0};
    case Op::subtract: return {1.0, -1.0};
    case Op::multiply: return {b, a};
    case Op::divide: return {1.0 / b, -(node / b)};
    case Op::power:
      if (b.is_constant()) return {b * pow(a, b.value() - 1.0), 0.0};
      return {b * pow(a, b - 1.0), node * log(a)};
    case Op::sqrt: return {0.5 / node, 0.0};
    case Op::exp: return {node, 0.0};
    case Op::log: return {1.0 / a, 0.0};
    case Op::sin: return {cos(a), 0.0};
    case Op::cos: return {-sin(a), 0.0};
    case Op::tan: return {1.0 + pow(node, 2.0), 0.0};
    case Op::asin: return {1.0 / sqrt(1.0 - pow(a, 2.0)), 0.0};
    case Op::acos: return {-1.0 / sqrt(1.0 - pow(a, 2.0)), 0.0};
    case Op::atan: return {1.0 / (1.0 + pow(a, 2.0)), 0.0};
    case Op::atan2: {
      const Expr r2 = pow(a, 2.0) + pow(b, 2.0);
      return {b / r2, -(a / r2)};
    }
    case Op::sinh: return {cosh(a), 0.0};
    case Op::cosh: return {sinh(a), 0.0};
    case Op::tanh: return {1.0 - pow(node, 2.0), 0.0};
    case Op::abs: return {sign(a), 0.0};
    case Op::sign: return {0.0, 0.0};
    case Op::stumpff: {  // c_k' = (k c_{k+2} - c_{k+1})/2
      const int k = static_cast<int>(a.value());
      return {0.0, 0.5 * (k * stumpff(k + 2, b) - stumpff(k + 1, b))};
    }
    case Op::lerch: {  // a_k' = (1/(1-s) - k a_{k+2})/2
      const int k = static_cast<int>(a.value());
      return {0.0, 0.5 * (1.0 / (1.0 - b) - k * lerch(k + 2, b))};
    }
    case Op::constant:
    case Op::symbol: break;
  }
  throw ContractViolation("partials: not an operation");
}

}  // namespace invar
