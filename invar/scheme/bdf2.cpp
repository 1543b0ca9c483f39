// Two-step backward differentiation with variable steps, ω = h/h₋:
//
//   ẏ(t1) ≈ [ (1+2ω)/(1+ω) y1 - (1+ω) y0 + ω²/(1+ω) y₋ ] / h    for y = q and y = v;  Φ(t1,q1) = 0
//
// A node carries the node before it and the step between them; the first one is made by Taylor expansion backwards.
#include "invar/scheme/table.h"

namespace invar {

namespace {

Exprs start(const Equations& e, const Expr& h) {
  Exprs carried;
  for (std::size_t i = 0; i < e.q.size(); ++i) carried.push_back(e.q[i] - h * e.v[i] + 0.5 * h * h * e.a[i]);
  for (std::size_t i = 0; i < e.q.size(); ++i) carried.push_back(e.v[i] - h * e.a[i]);
  carried.push_back(h);
  return carried;
}

Residual residual(const Equations& e, Interval& step, const SchemeOptions&) {
  const Node& n0 = step.n0;
  Node& n1 = step.n1;
  const std::size_t n = n0.q.size();
  const Expr omega = step.h / n0.carried[2 * n];
  const Expr c1 = (1.0 + 2.0 * omega) / (1.0 + omega), c0 = 1.0 + omega, before = pow(omega, 2.0) / (1.0 + omega);
  auto h_rate = [&](const Exprs& y1, const Exprs& y0, std::size_t offset) {
    Exprs rate;
    for (std::size_t i = 0; i < n; ++i) rate.push_back(c1 * y1[i] - c0 * y0[i] + before * n0.carried[offset + i]);
    return rate;
  };
  const Exprs a = scaled(1.0 / step.h, h_rate(n1.v, n0.v, n));
  const Point end = {n1.t, n1.q, n1.v, a, n1.lambda, step.input(1.0)};
  Residual r;
  r.kinematics = r.equations.size();
  r.add("kinematics of", step.coordinates, difference(h_rate(n1.q, n0.q, 0), scaled(step.h, n1.v)));
  r.add("dynamics of", step.coordinates, scaled(step.h, at(e, e.dynamics, end)));
  add_constraints(r, e, step, end);
  n1.carried = n0.q;
  n1.carried.insert(n1.carried.end(), n0.v.begin(), n0.v.end());
  n1.carried.push_back(step.h);
  return r;
}

}  // namespace

const Scheme bdf2 = {{.name = "bdf2",
                      .title = "two-step backward differentiation",
                      .source = "Hairer, Nørsett, Wanner: Solving ODEs I, ch. III.5",
                      .order = 2},
                     start,
                     residual};

}  // namespace invar
