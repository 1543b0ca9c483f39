// See power_series.h. Sums and products by the rules of Cauchy; every other operation v(a, b) by its own derivative:
//   k v_k = Σ_{j=1..k} j (a_j (∂v/∂a)_{k-j} + b_j (∂v/∂b)_{k-j}),
// where the partials are formulas of the same graph, whose series are found the same way.
#include "invar/tape/power_series.h"

#include <unordered_map>

#include "invar/expr/local.h"

namespace invar {

namespace {

class Coefficients {
 public:
  Coefficients(std::span<const Expr> s, std::span<const Exprs> series) {
    for (std::size_t k = 0; k < s.size(); ++k) symbol_.emplace(s[k].id(), series[k]);
  }

  // Each coefficient is found from older ones, so asking in ascending order keeps the recursion shallow.
  Expr operator()(const Expr& e, std::size_t k) {
    if (e.is_constant()) return k == 0 ? e : Expr(0.0);
    if (e.op() == Op::symbol) return of_symbol(e, k);
    while (known_[e.id()].size() <= k) {
      const Expr next = of_operation(e, known_[e.id()].size());
      known_[e.id()].push_back(next);
    }
    return known_[e.id()][k];
  }

 private:
  Expr of_symbol(const Expr& s, std::size_t k) const {
    const auto found = symbol_.find(s.id());
    if (found == symbol_.end()) return k == 0 ? s : Expr(0.0);
    return k < found->second.size() ? found->second[k] : Expr(0.0);
  }

  // Σ_{j=first..k} a_j b_{k-j}
  Expr product(const Expr& a, const Expr& b, std::size_t k, std::size_t first = 0) {
    Expr sum = 0.0;
    for (std::size_t j = first; j <= k; ++j) sum += (*this)(a, j) * (*this)(b, k - j);
    return sum;
  }

  Expr square(const Expr& a, std::size_t k) {
    Expr twice = 0.0;
    for (std::size_t j = 0; 2 * j < k; ++j) twice += (*this)(a, j) * (*this)(a, k - j);
    return k % 2 == 0 ? 2.0 * twice + pow((*this)(a, k / 2), 2.0) : 2.0 * twice;
  }

  Expr by_derivative(const Expr& e, std::size_t k) {
    const Partials d = partials(e);
    Expr sum = 0.0;
    for (std::size_t j = 1; j <= k; ++j) {
      const auto weight = static_cast<double>(j);
      const Expr a = (*this)(e.a(), j), b = e.arity() == 2 ? (*this)(e.b(), j) : Expr(0.0);
      if (!a.is_constant(0.0)) sum += weight * a * (*this)(d.a, k - j);
      if (!b.is_constant(0.0)) sum += weight * b * (*this)(d.b, k - j);
    }
    return sum / static_cast<double>(k);
  }

  Expr of_operation(const Expr& e, std::size_t k) {
    const Expr a = e.a(), b = e.arity() == 2 ? e.b() : Expr(0.0);
    switch (e.op()) {
      case Op::negate: return -(*this)(a, k);
      case Op::add: return (*this)(a, k) + (*this)(b, k);
      case Op::subtract: return (*this)(a, k) - (*this)(b, k);
      case Op::multiply: return product(a, b, k);
      case Op::divide: return ((*this)(a, k) - (k > 0 ? product(b, e, k, 1) : Expr(0.0))) / (*this)(b, 0);
      case Op::power:
        if (b.is_constant(2.0)) return square(a, k);
        break;
      default: break;
    }
    return k == 0 ? apply(e.op(), (*this)(a, 0), (*this)(b, 0)) : by_derivative(e, k);
  }

  std::unordered_map<std::uint32_t, Exprs> symbol_, known_;
};

}  // namespace

Exprs power_series(std::span<const Expr> f, std::span<const Expr> s, std::span<const Exprs> series, int order) {
  Coefficients coefficient(s, series);
  const auto n = static_cast<std::size_t>(order) + 1;
  const Exprs nodes = ordered(f);
  for (std::size_t k = 0; k < n; ++k)
    for (const Expr& node : nodes) coefficient(node, k);
  Exprs result;
  result.reserve(f.size() * n);
  for (const Expr& e : f)
    for (std::size_t k = 0; k < n; ++k) result.push_back(coefficient(e, k));
  return result;
}

}  // namespace invar
