// Formulas as graphs: every distinct subexpression is one node, simplified once when it is built.
//
// A Graph owns the nodes; an Expr is a handle to one of them (or a plain number, which needs no graph). The operands of
// a node are always older than the node, so ascending node numbers are an evaluation order and no algorithm on graphs
// needs recursion: a nest of a million levels is as harmless as a flat sum.
//
//   Graph g;
//   Variable x = g.variable("x");                       // an unknown function of time
//   Expr energy = 0.5 * pow(at(x, 1), 2) + cos(at(x));  // x' and x are symbols of one function
//   Expr power = ddt(energy);                           // total time derivative: contains x''
//
// Threads may share a graph, to build and to read. Built by one thread, the same formulas always get the same numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace invar {

enum class Op : std::uint8_t {
  constant,
  symbol,
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,  // first operand to the second, which is mostly a constant
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  abs,
  sign,
  stumpff,  // c_k(s), first operand k
  lerch,    // a_k(s), first operand k
};

enum class SymbolKind : std::uint8_t {
  time,       // t, whose time derivative is 1
  variable,   // an unknown function of time
  reference,  // a given function of time (γ, γ', γ'' …)
  parameter,  // constant in time
};

class Graph;
class Variable;
class Store;

class Expr {
 public:
  Expr(double value = 0.0) : value_(value) {}  // NOLINT: numbers are expressions

  Op op() const;
  bool is_constant() const { return store_ == nullptr; }
  bool is_constant(double value) const { return is_constant() && value_ == value; }
  double value() const;  // of a constant
  Expr a() const;        // first operand of an operation
  Expr b() const;        // second operand of power, atan2, stumpff, lerch, + - * /
  int arity() const;     // 0, 1 or 2

  // Of a symbol.
  SymbolKind kind() const;
  const std::string& name() const;   // without primes
  int order() const;                 // how often differentiated with respect to time
  Expr derivative(int order) const;  // the symbol of the same function with this order (variable or reference)

  // Position in the graph: operands have smaller ids than what is built from them. Not for constants.
  std::uint32_t id() const;
  const Store* store() const { return store_.get(); }

  // Equal handles are the same formula.
  friend bool operator==(const Expr& x, const Expr& y) {
    if (x.store_ != y.store_) return false;
    return x.store_ ? x.id_ == y.id_ : x.value_ == y.value_;
  }

 private:
  friend class Store;
  friend class Graph;
  friend class Variable;
  Expr(std::shared_ptr<Store> store, std::uint32_t id) : store_(std::move(store)), id_(id) {}
  Expr operand(std::uint32_t id) const;

  std::shared_ptr<Store> store_;  // null for a constant
  union {
    std::uint32_t id_;
    double value_;
  };
};

using Exprs = std::vector<Expr>;

// A function of time; at(x, k) is the symbol of its k-th derivative.
class Variable {
 public:
  const std::string& name() const;
  friend Expr at(const Variable& x, int order);
  friend bool operator==(const Variable&, const Variable&) = default;

 private:
  friend class Graph;
  Variable(std::shared_ptr<Store> store, std::uint32_t function) : store_(std::move(store)), function_(function) {}

  std::shared_ptr<Store> store_;
  std::uint32_t function_;
};

Expr at(const Variable& x, int order = 0);

class Graph {
 public:
  Graph();
  Expr time() const;                          // always the same symbol
  Variable variable(std::string name) const;  // a new function each time, whatever its name
  Variable reference(std::string name) const;
  Expr parameter(std::string name) const;
  std::size_t size() const;  // nodes so far

 private:
  std::shared_ptr<Store> store_;
};

Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr operator-(const Expr& a);
inline Expr& operator+=(Expr& a, const Expr& b) { return a = a + b; }
inline Expr& operator-=(Expr& a, const Expr& b) { return a = a - b; }
inline Expr& operator*=(Expr& a, const Expr& b) { return a = a * b; }

Expr pow(const Expr& base, const Expr& exponent);
Expr sqrt(const Expr& a);
Expr exp(const Expr& a);
Expr log(const Expr& a);
Expr sin(const Expr& a);
Expr cos(const Expr& a);
Expr tan(const Expr& a);
Expr asin(const Expr& a);
Expr acos(const Expr& a);
Expr atan(const Expr& a);
Expr atan2(const Expr& y, const Expr& x);
Expr sinh(const Expr& a);
Expr cosh(const Expr& a);
Expr tanh(const Expr& a);
Expr abs(const Expr& a);
Expr sign(const Expr& a);

// Smooth primitives on a squared argument, with no singular point at s = 0 and closed under differentiation.
// Stumpff functions c_k(s) = Σ_j (-s)^j/(2j+k)!:  c_0(x²) = cos x, c_1(x²) = sin x/x, c_2(x²) = (1 - cos x)/x², …
Expr stumpff(int k, const Expr& s);
// a_k(s) = Σ_j s^j/(2j+k), |s| < 1:  a_1(x²) = artanh(x)/x, a_1(-x²) = arctan(x)/x.
Expr lerch(int k, const Expr& s);

// The operation `op` on given operands (b is ignored by unary operations); what the named functions above call.
Expr apply(Op op, const Expr& a, const Expr& b = 0.0);

// The value of one operation in double precision, shared by constant folding and the interpreter.
double evaluate(Op op, double a, double b);

// The nodes below and including `roots`, each once, operands first. Constants are left out.
Exprs ordered(std::span<const Expr> roots);

}  // namespace invar
