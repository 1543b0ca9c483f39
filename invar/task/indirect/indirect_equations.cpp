// See indirect_equations.h.
//
// Gonzalez's formulas divide by squared lengths:
//   DH  = a + (H(x₁) - H(x₀) - a·d)/(d·d) d,        a = ∇H(½(x₀+x₁)),  d = x₁-x₀                   (8.34), (8.36)
//   DDH = A + (DH₊ - DH₋ - A D)/(D·D) Dᵀ,           A = ∇²H(x),        D = ½(x₊-x₋)                (8.50), (8.52)
// and likewise DDF with A = ∂F/∂x.
// The numerators are O(|d|³) and O(|D|), so that ε² beside d·d and D·D removes the singular points: DH is then ∇H and
// DDH is ∇²H where nothing moves. In phase space nothing else is singular: at a point of return p still changes. ε is
// so small that moving systems do not feel it. H(x₁) - H(x₀) = g·d is formed with the g of the exact chain rule for
// differences: subtracting two energies would leave a noise that grows with the number of intervals. Squares of lengths
// in phase space add those of coordinates and momenta, whatever their units.
//
// For one degree of freedom without friction and limits H is a sum T(p) + U(q) and the formulas become divided
// differences of U alone, DU = U[q₀,q₁] and DDU = 2 U[q₋,q,q₊] (8.7), (8.21). Here a point of return with q₊ = q₋ is
// quite usual. U[q₀,q₁] is formed by the same chain rule, regular for q₁ → q₀. In the second quotient U[q,q₊] - U[q₋,q]
// = U[q,q₊] - U[q,q₋] is a difference in one argument, so that its limit is a Taylor series of U[q,·] about ½(q₋+q₊) in
// d = q₊-q₋, taken to d² where |d| is small: its error d⁴/1920 is then below the round-off of the quotient.
#include "invar/task/indirect/indirect_equations.h"

#include <algorithm>
#include <cmath>

#include "invar/expr/derivative.h"
#include "invar/expr/discrete.h"
#include "invar/expr/lists.h"
#include "invar/scheme/scheme.h"
#include "invar/system/equations.h"

namespace invar {

namespace {

constexpr double small_in_phase_space =
    1e-10;                           // ε: its square is below round-off beside steps that are not much smaller
constexpr double small_step = 0.01;  // δ: d⁴/1920 < 1e-14 where a step covers a fifth of the length on which U varies

Expr dot(const Exprs& a, const Exprs& b) {
  Expr sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Exprs sum(const Exprs& a, const Exprs& b) {
  Exprs c;
  for (std::size_t i = 0; i < a.size(); ++i) c.push_back(a[i] + b[i]);
  return c;
}

Exprs first_half(const Exprs& x) { return {x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2)}; }
Exprs second_half(const Exprs& x) { return {x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end()}; }

// J a = (a_p, -a_q)
Exprs turned(const Exprs& a) { return joined(second_half(a), scaled(-1.0, first_half(a))); }

// H of a system without constraints, by M = L D Lᵀ: with L w = p - b it is V - T₀ + Σ ½ w_i²/D_i, where T = ½ v·M v +
// b·v + T₀.
struct Hamiltonian {
  Exprs x;                  // symbols q, p
  Expr potential, kinetic;  // U = V - T₀, and the rest
  bool separable = true;    // the rest does not contain q
  Expr value;
  Exprs gradient;

  Hamiltonian(const Graph& graph, const Equations& e) {
    const std::size_t n = e.q.size();
    const Exprs rest(n, 0.0);
    Exprs w;
    for (std::size_t i = 0; i < n; ++i) w.push_back(graph.parameter("momentum"));
    x = joined(e.q, w);
    potential = e.potential - substitute(e.kinetic, e.v, rest);
    std::vector<Exprs> l(n, Exprs(n, 0.0));
    Exprs d;
    for (std::size_t i = 0; i < n; ++i) {
      w[i] -= substitute(e.momentum[i], e.v, rest);
      for (std::size_t k = 0; k < i; ++k) w[i] -= l[i][k] * w[k];
      for (std::size_t j = i; j < n; ++j) {
        Expr s = e.mass().at(static_cast<int>(j), static_cast<int>(i));
        for (std::size_t k = 0; k < i; ++k) s -= l[j][k] * d[k] * l[i][k];
        if (j == i) d.push_back(s);
        l[j][i] = s / d[i];
      }
      kinetic += 0.5 * w[i] * w[i] / d[i];
    }
    separable = !depends(kinetic, e.q);
    value = kinetic + potential;
    gradient = invar::gradient(value, x);
  }
};

// f as a formula of q and v.
struct Friction {
  Exprs q, v, force;

  bool any() const {
    return std::any_of(force.begin(), force.end(), [](const Expr& f) { return !f.is_constant(0.0); });
  }
  Exprs at(const Exprs& position, const Exprs& velocity) const {
    return substitute(force, joined(q, v), joined(position, velocity));
  }
};

// DH, DF and products with DDF.
class Differences {
 public:
  Differences(const Graph& graph, const Hamiltonian& h, const Friction& friction, bool conserving, bool limited,
              const Expr& small)
      : graph_(graph),
        h_(h),
        friction_(friction),
        conserving_(conserving),
        divided_(h.x.size() == 2 && h.separable && !friction.any() && !limited),
        small_(small) {}

  bool by_divided_differences() const { return divided_; }

  // f in an interval.
  Exprs friction(const Exprs& x0, const Exprs& x1) const {
    return friction_.at(first_half(mean(x0, x1)), second_half(first(x0, x1)));
  }
  Exprs rate(const Exprs& x0, const Exprs& x1) const {
    return sum(turned(first(x0, x1)), joined(Exprs(friction_.q.size(), 0.0), friction(x0, x1)));
  }

  Exprs first(const Exprs& x0, const Exprs& x1) const {
    Exprs middle = substitute(h_.gradient, h_.x, mean(x0, x1));
    if (!conserving_) return middle;
    if (divided_) return {quotient(x0[0], x1[0]), middle[1]};
    const Exprs d = difference(x1, x0);
    const Exprs slope = discrete_gradient(h_.value, h_.x, x0, x1);
    return sum(middle, scaled(dot(difference(slope, middle), d) / (dot(d, d) + small_ * small_), d));
  }

  // (yᵀ DDF)ᵀ with DDF so that y·DDF·½(x₊-x₋) has `more` than y·(DF₊ - DF₋).
  Exprs second(const Exprs& before, const Exprs& x, const Exprs& after, const Exprs& y, const Expr& more) const {
    const Exprs of_gradient = scaled(-1.0, turned(y));  // yᵀ J
    if (divided_) {
      const Expr of_momentum = gradient(h_.gradient[1], h_.x)[1];
      return {of_gradient[0] * second_quotient(before[0], x[0], after[0]), of_gradient[1] * of_momentum};
    }
    const Exprs d = scaled(0.5, difference(after, before));
    const Expr power = dot(second_half(y), friction_.at(first_half(h_.x), second_half(h_.gradient)));
    const Exprs slope = sum(directional(h_.gradient, h_.x, of_gradient), gradient(power, h_.x));
    const Exprs exact = substitute(slope, h_.x, x);
    const Expr rest = dot(y, difference(rate(x, after), rate(before, x))) + more - dot(exact, d);
    return sum(exact, scaled(rest / (dot(d, d) + small_ * small_), d));
  }

 private:
  // U[a, b]
  Expr quotient(const Expr& a, const Expr& b) const {
    return discrete_gradient(h_.potential, Exprs{h_.x[0]}, Exprs{a}, Exprs{b}).front();
  }

  Expr second_quotient(const Expr& before, const Expr& q, const Expr& after) const {
    if (!conserving_)
      return discrete_gradient(gradient(h_.potential, h_.x)[0], Exprs{h_.x[0]}, Exprs{0.5 * (before + q)},
                               Exprs{0.5 * (q + after)})
          .front();
    const Expr d = after - before;
    const Expr sign_of_size = sign(d * d - small_ * small_);
    const Expr large = 0.5 * (sign_of_size + abs(sign_of_size));  // 1 or 0
    const Expr far = (quotient(q, after) - quotient(before, q)) / (large * d + (1.0 - large));
    const Exprs b = {graph_.parameter("end")};
    const Expr slope = gradient(quotient(q, b[0]), b)[0];
    const Expr series = slope + d * d / 24.0 * gradient(gradient(slope, b)[0], b)[0];
    const Expr near = substitute(series, b, Exprs{0.5 * (before + after)});
    return 2.0 * (large * far + (1.0 - large) * near);
  }

  const Graph& graph_;
  const Hamiltonian& h_;
  const Friction& friction_;
  bool conserving_;
  bool divided_;  // of one degree of freedom
  Expr small_;
};

// z within limits, by min(a,b) = ½(a + b - |a-b|).
Expr within(const Expr& z, const InputRange& range) {
  Expr u = z;
  if (std::isfinite(range.upper)) u = 0.5 * (u + range.upper - abs(u - range.upper));
  if (std::isfinite(range.lower)) u = 0.5 * (u + range.lower + abs(u - range.lower));
  return u;
}

// B λᵖ, and u.
struct Control {
  Exprs wanted, inputs;

  Control(const std::vector<Exprs>& directions, const InputRanges& ranges, const Exprs& lambda) {
    for (const Exprs& direction : directions) {
      wanted.push_back(dot(direction, second_half(lambda)));
      inputs.push_back(ranges.empty() ? wanted.back() : within(wanted.back(), ranges[inputs.size()]));
    }
  }
};

void add_interval(const Graph& graph, const Hamiltonian& h, const Differences& differences, const InputRanges& ranges,
                  IndirectEquations& e) {
  Exprs x0, x1, lambda;
  for (std::size_t i = 0; i < 2 * e.n; ++i) {
    x0.push_back(graph.parameter("start"));
    lambda.push_back(graph.parameter("costate"));
    x1.push_back(graph.parameter("end"));
  }
  e.interval = joined(joined(x0, lambda), x1);
  e.inputs = Control(e.directions, ranges, lambda).inputs;
  Exprs force(e.n, 0.0);
  for (std::size_t j = 0; j < e.inputs.size(); ++j) force = sum(force, scaled(e.inputs[j], e.directions[j]));
  const Expr power = 0.5 * dot(e.inputs, e.inputs);
  const Expr work = dot(sum(force, differences.friction(x0, x1)), difference(first_half(x1), first_half(x0)));
  const Exprs rate = sum(differences.rate(x0, x1), joined(Exprs(e.n, 0.0), force));
  e.state = difference(difference(x1, x0), scaled(e.given[0], rate));
  e.hamiltonian = dot(lambda, rate) - power;
  e.energy_balance = substitute(h.value, h.x, x1) - substitute(h.value, h.x, x0) - work;
}

void add_node(const Graph& graph, const Differences& differences, const InputRanges& ranges, IndirectEquations& e) {
  std::vector<Exprs> part(5);  // x₋, λ₋, x, λ₊, x₊
  for (Exprs& symbols : part) {
    for (std::size_t i = 0; i < 2 * e.n; ++i) symbols.push_back(graph.parameter("node"));
    e.node = joined(e.node, symbols);
  }
  Expr met = 0.0;  // what limits that are met or left at this node change
  if (!ranges.empty()) {
    const Control before(e.directions, ranges, part[1]), after(e.directions, ranges, part[3]);
    met = dot(difference(after.inputs, before.inputs),
              difference(sum(before.wanted, after.wanted), sum(before.inputs, after.inputs)));
  }
  const Exprs curvature = differences.second(part[0], part[2], part[4], sum(part[1], part[3]), met);
  e.costate = sum(difference(part[3], part[1]), scaled(0.5 * e.given[0], curvature));
}

}  // namespace

IndirectEquations indirect_equations(const System& system, bool conserving, const InputRanges& ranges) {
  const Equations equations = invar::equations(system);
  const Hamiltonian h(system.graph, equations);
  IndirectEquations e;
  e.n = system.coordinates.size();
  const Expr small = system.graph.parameter("small");
  e.given = joined({system.graph.parameter("step"), small}, parameters(system));
  for (const Input& input : system.inputs) e.directions.push_back(input.direction);
  e.q = equations.q;
  e.v = equations.v;
  e.x = h.x;
  e.momenta = equations.momentum;
  e.velocities = second_half(h.gradient);
  Exprs forces = system.forces;
  forces.resize(e.n, 0.0);
  const Friction friction{equations.q, equations.v, forces};
  const Differences differences(system.graph, h, friction, conserving, !ranges.empty(), small);
  add_interval(system.graph, h, differences, ranges, e);
  add_node(system.graph, differences, ranges, e);
  const bool one = differences.by_divided_differences();
  e.smallness = one ? small_step : small_in_phase_space;
  e.measured = one ? 1 : 2 * e.n;
  return e;
}

}  // namespace invar
