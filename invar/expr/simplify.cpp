// Rules by which a new node takes its canonical form. Each rule makes the formula smaller or moves it towards
//   sums:      a + b, a - b with the signs outside:         a + (-b) → a - b, 2x + 3x → 5x
//   products:  one number in front, signs outside:          (2x)(3y) → 6(xy), (-a)b → -(ab), x/4 → 0.25x
//   powers:    positive exponents, collected:               x·x² → x³, x^-2 → 1/x², x^0.5 → √x
// so that equal formulas written differently mostly meet in one node. Domains are taken as open: x/x is 1, 0·x is 0.
#include <cmath>
#include <utility>

#include "invar/base/error.h"
#include "invar/expr/expr.h"
#include "invar/expr/special.h"
#include "invar/expr/store.h"

namespace invar {

namespace {

Store& store_of(const Expr& a, const Expr& b) {
  return const_cast<Store&>(*(a.is_constant() ? b.store() : a.store()));  // NOLINT: handles are const, the graph grows
}

bool is(const Expr& e, Op op) { return e.op() == op; }

bool is_integer(double x) { return std::nearbyint(x) == x && std::abs(x) < 1e9; }

Expr reciprocal(const Expr& e) { return store_of(e, e).binary(Op::divide, 1.0, e); }

// e = factor · rest
struct Scaled {
  double factor;
  Expr rest;
};

Scaled scaled(const Expr& e) {
  if (is(e, Op::negate)) return {-1.0, e.a()};
  if (is(e, Op::multiply) && e.a().is_constant()) return {e.a().value(), e.b()};
  if (is(e, Op::divide) && e.a().is_constant()) return {e.a().value(), reciprocal(e.b())};
  return {1.0, e};
}

// e = base^exponent with an integer exponent
struct Raised {
  Expr base;
  double exponent;
};

Raised raised(const Expr& e) {
  if (is(e, Op::power) && e.b().is_constant() && is_integer(e.b().value())) return {e.a(), e.b().value()};
  return {e, 1.0};
}

Expr fold(Op op, const Expr& a, const Expr& b = 0.0) { return evaluate(op, a.value(), b.value()); }

Expr commutative(Op op, Expr a, Expr b) {
  Store& store = store_of(a, b);
  if (b.is_constant() || (!a.is_constant() && b.id() < a.id())) std::swap(a, b);
  return store.binary(op, a, b);
}

bool is_reciprocal(const Expr& e) { return is(e, Op::divide) && e.a().is_constant(1.0); }

Expr times(double factor, const Expr& e) {
  if (e.is_constant()) return factor * e.value();
  if (factor == 0.0) return 0.0;
  if (factor == 1.0) return e;
  if (is_reciprocal(e)) return store_of(e, e).binary(Op::divide, factor, e.b());
  if (const Scaled s = scaled(e); s.factor != 1.0) return times(factor * s.factor, s.rest);
  if (factor == -1.0) return store_of(e, e).unary(Op::negate, e);
  return commutative(Op::multiply, factor, e);
}

// number + e, with a number inside e taken along.
Expr shifted(double number, const Expr& e) {
  if (is(e, Op::add) && e.a().is_constant()) return shifted(number + e.a().value(), e.b());
  if (is(e, Op::subtract) && e.a().is_constant()) return number + e.a().value() - e.b();
  return number == 0.0 ? e : commutative(Op::add, number, e);
}

// a and b carry neither a number nor a sign.
Expr bare_product(const Expr& a, const Expr& b) {
  const Raised x = raised(a), y = raised(b);
  if (x.base == y.base) return pow(x.base, x.exponent + y.exponent);
  return commutative(Op::multiply, a, b);
}

Expr bare_quotient(const Expr& a, const Expr& b) {
  if (is_reciprocal(a)) return 1.0 / (a.b() * b);
  const Raised x = raised(a), y = raised(b);
  if (x.base == y.base) return pow(x.base, x.exponent - y.exponent);
  return store_of(a, b).binary(Op::divide, a, b);
}

Expr odd(Op op, const Expr& a) {
  if (a.is_constant()) return fold(op, a);
  const Scaled s = scaled(a);
  return s.factor < 0.0 ? -apply(op, -a) : store_of(a, a).unary(op, a);
}

Expr even(Op op, const Expr& a) {
  if (a.is_constant()) return fold(op, a);
  return store_of(a, a).unary(op, scaled(a).factor < 0.0 ? -a : a);
}

Expr plain(Op op, const Expr& a) { return a.is_constant() ? fold(op, a) : store_of(a, a).unary(op, a); }

Expr family(Op op, int k, const Expr& s) {
  expects(k >= (op == Op::lerch ? 1 : 0), "a member of the family");
  if (s.is_constant()) return evaluate(op, k, s.value());
  return store_of(s, s).binary(op, static_cast<double>(k), s);
}

}  // namespace

Expr operator-(const Expr& a) {
  if (a.is_constant()) return -a.value();
  if (is(a, Op::negate)) return a.a();
  if (is(a, Op::subtract)) return a.b() - a.a();
  if (is(a, Op::add) && a.a().is_constant()) return -a.a().value() - a.b();
  return times(-1.0, a);
}

Expr operator+(const Expr& a, const Expr& b) {
  if (a.is_constant() && b.is_constant()) return fold(Op::add, a, b);
  if (a.is_constant(0.0)) return b;
  if (b.is_constant(0.0)) return a;
  const Scaled x = scaled(a), y = scaled(b);
  if (x.rest == y.rest) return times(x.factor + y.factor, x.rest);
  if (y.factor < 0.0) return a - (-b);
  if (x.factor < 0.0) return b - (-a);
  if (a.is_constant()) return shifted(a.value(), b);
  if (b.is_constant()) return shifted(b.value(), a);
  return commutative(Op::add, a, b);
}

Expr operator-(const Expr& a, const Expr& b) {
  if (a.is_constant() && b.is_constant()) return fold(Op::subtract, a, b);
  if (a.is_constant(0.0)) return -b;
  if (b.is_constant(0.0)) return a;
  const Scaled x = scaled(a), y = scaled(b);
  if (x.rest == y.rest) return times(x.factor - y.factor, x.rest);
  if (y.factor < 0.0) return a + (-b);
  if (x.factor < 0.0) return -((-a) + b);
  if (b.is_constant()) return a + (-b.value());
  return store_of(a, b).binary(Op::subtract, a, b);
}

Expr operator*(const Expr& a, const Expr& b) {
  if (a.is_constant() && b.is_constant()) return fold(Op::multiply, a, b);
  const Scaled x = scaled(a), y = scaled(b);
  if (a.is_constant()) return times(a.value() * y.factor, y.rest);
  if (b.is_constant()) return times(b.value() * x.factor, x.rest);
  return times(x.factor * y.factor, bare_product(x.rest, y.rest));
}

Expr operator/(const Expr& a, const Expr& b) {
  if (a.is_constant() && b.is_constant()) return fold(Op::divide, a, b);
  if (b.is_constant() && (b.value() == 0.0 || std::isfinite(1.0 / b.value()))) return a * (1.0 / b.value());
  if (a.is_constant(0.0)) return 0.0;
  const Scaled y = scaled(b);
  if (a.is_constant()) return times(a.value() / y.factor, is_reciprocal(y.rest) ? y.rest.b() : reciprocal(y.rest));
  const Scaled x = scaled(a);
  return times(x.factor / y.factor, bare_quotient(x.rest, y.rest));
}

Expr pow(const Expr& base, const Expr& exponent) {
  if (base.is_constant() && exponent.is_constant()) return fold(Op::power, base, exponent);
  if (!exponent.is_constant()) return store_of(base, exponent).binary(Op::power, base, exponent);
  const double n = exponent.value();
  if (n == 0.0) return 1.0;
  if (n == 1.0) return base;
  if (n < 0.0) return 1.0 / pow(base, -n);
  if (n == 0.5) return sqrt(base);
  if (!is_integer(n)) return store_of(base, base).binary(Op::power, base, exponent);
  const Scaled s = scaled(base);
  if (s.factor != 1.0) return std::pow(s.factor, n) * pow(s.rest, n);
  if (is_reciprocal(base)) return 1.0 / pow(base.b(), n);
  if (is(base, Op::sqrt) && is_integer(n / 2)) return pow(base.a(), n / 2);
  const Raised r = raised(base);
  return store_of(base, base).binary(Op::power, r.base, r.exponent * n);
}

Expr sqrt(const Expr& a) { return plain(Op::sqrt, a); }
Expr exp(const Expr& a) { return plain(Op::exp, a); }
Expr log(const Expr& a) { return plain(Op::log, a); }
Expr sin(const Expr& a) { return odd(Op::sin, a); }
Expr cos(const Expr& a) { return even(Op::cos, a); }
Expr tan(const Expr& a) { return odd(Op::tan, a); }
Expr asin(const Expr& a) { return odd(Op::asin, a); }
Expr acos(const Expr& a) { return plain(Op::acos, a); }
Expr atan(const Expr& a) { return odd(Op::atan, a); }
Expr sinh(const Expr& a) { return odd(Op::sinh, a); }
Expr cosh(const Expr& a) { return even(Op::cosh, a); }
Expr tanh(const Expr& a) { return odd(Op::tanh, a); }
Expr abs(const Expr& a) { return even(Op::abs, a); }
Expr sign(const Expr& a) { return odd(Op::sign, a); }

Expr atan2(const Expr& y, const Expr& x) {
  if (y.is_constant() && x.is_constant()) return fold(Op::atan2, y, x);
  return store_of(y, x).binary(Op::atan2, y, x);
}

Expr stumpff(int k, const Expr& s) { return family(Op::stumpff, k, s); }
Expr lerch(int k, const Expr& s) { return family(Op::lerch, k, s); }

Expr apply(Op op, const Expr& a, const Expr& b) {
  switch (op) {
    case Op::negate: return -a;
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::power: return pow(a, b);
    case Op::sqrt: return sqrt(a);
    case Op::exp: return exp(a);
    case Op::log: return log(a);
    case Op::sin: return sin(a);
    case Op::cos: return cos(a);
    case Op::tan: return tan(a);
    case Op::asin: return asin(a);
    case Op::acos: return acos(a);
    case Op::atan: return atan(a);
    case Op::atan2: return atan2(a, b);
    case Op::sinh: return sinh(a);
    case Op::cosh: return cosh(a);
    case Op::tanh: return tanh(a);
    case Op::abs: return abs(a);
    case Op::sign: return sign(a);
    case Op::stumpff: return stumpff(static_cast<int>(a.value()), b);
    case Op::lerch: return lerch(static_cast<int>(a.value()), b);
    case Op::constant:
    case Op::symbol: break;
  }
  throw ContractViolation("apply: not an operation");
}

double evaluate(Op op, double a, double b) {
  switch (op) {
    case Op::negate: return -a;
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::power: return std::pow(a, b);
    case Op::sqrt: return std::sqrt(a);
    case Op::exp: return std::exp(a);
    case Op::log: return std::log(a);
    case Op::sin: return std::sin(a);
    case Op::cos: return std::cos(a);
    case Op::tan: return std::tan(a);
    case Op::asin: return std::asin(a);
    case Op::acos: return std::acos(a);
    case Op::atan: return std::atan(a);
    case Op::atan2: return std::atan2(a, b);
    case Op::sinh: return std::sinh(a);
    case Op::cosh: return std::cosh(a);
    case Op::tanh: return std::tanh(a);
    case Op::abs: return std::abs(a);
    case Op::sign: return static_cast<double>((a > 0.0) - (a < 0.0));
    case Op::stumpff: return special::stumpff(static_cast<int>(a), b);
    case Op::lerch: return special::lerch(static_cast<int>(a), b);
    case Op::constant:
    case Op::symbol: break;
  }
  throw ContractViolation("evaluate: not an operation");
}

}  // namespace invar
