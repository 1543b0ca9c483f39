// Finite-difference partials of every operation, and their chain rule in one backward sweep.
#include "invar/expr/discrete.h"

#include <algorithm>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/expr/local.h"

namespace invar {

namespace {

// A quantity at the two ends of an interval.
struct Ends {
  Expr v0, v1;

  Expr mean() const { return 0.5 * (v0 + v1); }
  Expr change() const { return v1 - v0; }
  Expr half_change_squared() const { return 0.25 * pow(change(), 2.0); }
};

Ends map(Expr (*f)(const Expr&), const Ends& a) { return {f(a.v0), f(a.v1)}; }

// Δ(aⁿ)/Δa = Σ a0^k a1^(n-1-k), by halving n.
Expr integer_power(const Ends& a, int n) {
  if (n == 1) return 1.0;
  if (n % 2 == 0) {
    const Ends half = {pow(a.v0, n / 2), pow(a.v1, n / 2)};
    return (half.v0 + half.v1) * integer_power(a, n / 2);
  }
  const Ends rest = {pow(a.v0, n - 1), pow(a.v1, n - 1)};
  return rest.mean() + a.mean() * integer_power(a, n - 1);
}

Expr of_exp(const Ends& a) { return exp(a.mean()) * stumpff(1, -a.half_change_squared()); }

Expr of_log(const Ends& a) { return lerch(1, a.half_change_squared() / pow(a.mean(), 2.0)) / a.mean(); }

Expr of_atan(const Ends& a) {
  const Expr denominator = 1.0 + a.v0 * a.v1;
  return lerch(1, -pow(a.change() / denominator, 2.0)) / denominator;
}

// asin a = atan(a/√(1-a²))
Expr of_asin(const Ends& a) {
  const Ends root = map([](const Expr& x) { return sqrt(1.0 - pow(x, 2.0)); }, a);
  const Ends ratio = {a.v0 / root.v0, a.v1 / root.v1};
  const Expr root_rate = -(a.v0 + a.v1) / (root.v0 + root.v1);
  return of_atan(ratio) * (1.0 - ratio.mean() * root_rate) / root.mean();
}

// a^b = exp(b log a)
Partials of_power(const Ends& a, const Ends& b) {
  const Ends logarithm = map(log, a);
  const Expr outer = of_exp({b.v0 * logarithm.v0, b.v1 * logarithm.v1});
  return {outer * b.mean() * of_log(a), outer * logarithm.mean()};
}

Partials of_atan2(const Ends& y, const Ends& x) {
  const Expr dot = y.v0 * y.v1 + x.v0 * x.v1;
  const Expr cross = y.change() * x.mean() - x.change() * y.mean();
  const Expr factor = lerch(1, -pow(cross / dot, 2.0)) / dot;
  return {factor * x.mean(), -factor * y.mean()};
}

Partials finite_partials(const Expr& node, const Ends& n, const Ends& a, const Ends& b) {
  switch (node.op()) {
    case Op::negate: return {-1.0, 0.0};
    case Op::add: return {1.0, 1.0};
    case Op::subtract: return {1.0, -1.0};
    case Op::multiply: return {b.mean(), a.mean()};
    case Op::divide: return {1.0 / b.mean(), -n.mean() / b.mean()};
    case Op::power:
      if (const Expr e = node.b(); e.is_constant() && e.value() == static_cast<int>(e.value()))
        return {integer_power(a, static_cast<int>(e.value())), 0.0};
      return of_power(a, b);
    case Op::sqrt: return {1.0 / (n.v0 + n.v1), 0.0};
    case Op::exp: return {of_exp(a), 0.0};
    case Op::log: return {of_log(a), 0.0};
    case Op::sin: return {cos(a.mean()) * stumpff(1, a.half_change_squared()), 0.0};
    case Op::cos: return {-sin(a.mean()) * stumpff(1, a.half_change_squared()), 0.0};
    case Op::tan: return {stumpff(1, pow(a.change(), 2.0)) / (cos(a.v0) * cos(a.v1)), 0.0};
    case Op::asin: return {of_asin(a), 0.0};
    case Op::acos: return {-of_asin(a), 0.0};
    case Op::atan: return {of_atan(a), 0.0};
    case Op::atan2: return of_atan2(a, b);
    case Op::sinh: return {cosh(a.mean()) * stumpff(1, -a.half_change_squared()), 0.0};
    case Op::cosh: return {sinh(a.mean()) * stumpff(1, -a.half_change_squared()), 0.0};
    case Op::tanh: return {stumpff(1, -pow(a.change(), 2.0)) / (cosh(a.v0) * cosh(a.v1)), 0.0};
    case Op::abs: return {(a.v0 + a.v1) / (n.v0 + n.v1), 0.0};
    default:
      throw InputError("an energy or constraint with a jump (sign) or a rotation primitive has no discrete gradient");
  }
}

}  // namespace

DiscreteGradient::DiscreteGradient(std::span<const Expr> x, std::span<const Expr> x0, std::span<const Expr> x1)
    : places_(x), x0_(x0.begin(), x0.end()), x1_(x1.begin(), x1.end()) {
  expects(x0.size() == x.size() && x1.size() == x.size(), "two values per symbol");
}

std::vector<DiscreteGradient::Partial> DiscreteGradient::operator()(const Expr& f) const {
  if (f.is_constant()) return {};
  const Exprs nodes = ordered({&f, 1});
  Exprs x, x0, x1;  // those that f contains
  std::vector<Partial> partials;
  for (const Expr& node : nodes)
    if (node.op() == Op::symbol && places_.contains(node)) {
      const std::size_t place = places_.of(node);
      x.push_back(node);
      x0.push_back(x0_[place]);
      x1.push_back(x1_[place]);
      partials.push_back({place, 0.0});
    }
  const Exprs at0 = substitute(nodes, x, x0);
  const Exprs at1 = substitute(nodes, x, x1);
  PerNode<std::size_t> place(nodes, 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
  auto ends = [&](const Expr& e) { return e.is_constant() ? Ends{e, e} : Ends{at0[place[e]], at1[place[e]]}; };
  PerNode<char> active(nodes, 0);
  for (const Expr& s : x) active[s] = 1;
  auto moves = [&](const Expr& e) { return !e.is_constant() && active[e]; };
  for (const Expr& node : nodes)
    if (node.arity() > 0) active[node] = moves(node.a()) || (node.arity() == 2 && moves(node.b()));

  PerNode<Expr> adjoint(nodes, 0.0);
  adjoint[f] = 1.0;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const Expr w = adjoint[*node];
    if (node->arity() == 0 || !active[*node] || w.is_constant(0.0)) continue;
    const Expr a = node->a();
    const Expr b = node->arity() == 2 ? node->b() : Expr(0.0);
    const Partials d = finite_partials(*node, ends(*node), ends(a), ends(b));
    if (moves(a)) adjoint[a] += w * d.a;
    if (moves(b)) adjoint[b] += w * d.b;
  }
  for (std::size_t j = 0; j < x.size(); ++j) partials[j].value = adjoint[x[j]];
  std::sort(partials.begin(), partials.end(), [](const Partial& p, const Partial& q) { return p.place < q.place; });
  return partials;
}

Exprs discrete_gradient(const Expr& f, std::span<const Expr> x, std::span<const Expr> x0, std::span<const Expr> x1) {
  Exprs g(x.size(), 0.0);
  for (const DiscreteGradient::Partial& p : DiscreteGradient(x, x0, x1)(f)) g[p.place] = p.value;
  return g;
}

}  // namespace invar
