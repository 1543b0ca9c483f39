// See difference_rule.h.
#include "invar/scheme/difference_rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "invar/base/error.h"
#include "invar/expr/lists.h"

namespace invar {

namespace {

// The slope at c_i of ℓ_j(x) = x/c_j Π_k (x - c_k)/(c_j - c_k), which is one at c_j and zero at 0 and the other nodes.
double slope(const std::vector<double>& c, std::size_t i, std::size_t j) {
  const std::size_t s = c.size();
  double sum = 0.0;
  for (std::size_t skip = 0; skip <= s; ++skip) {
    if (skip == j) continue;
    double product = 1.0 / (skip == s ? c[j] : c[j] - c[skip]);
    for (std::size_t k = 0; k <= s; ++k) {
      if (k == j || k == skip) continue;
      product *= k == s ? c[i] / c[j] : (c[i] - c[k]) / (c[j] - c[k]);
    }
    sum += product;
  }
  return sum;
}

struct Stage {
  Exprs q, v, lambda, mu, nu;
};

std::vector<Stage> unknown_stages(const DifferenceRule& rule, ConstraintForm form, const Equations& e, Interval& step) {
  const Node& n0 = step.n0;
  std::vector<Stage> stages;
  for (std::size_t i = 0; i + 1 < rule.nodes.size(); ++i) {
    Exprs guess;
    for (std::size_t k = 0; k < n0.q.size(); ++k) guess.push_back(n0.q[k] + rule.nodes[i] * step.h * n0.v[k]);
    stages.push_back({step.unknowns(Kind::position, guess),
                      step.unknowns(Kind::velocity, n0.v),
                      step.unknowns(Kind::multiplier, n0.lambda),
                      {},
                      {}});
  }
  stages.push_back({step.n1.q, step.n1.v, step.n1.lambda, {}, {}});
  const bool holonomic = std::find(e.level.begin(), e.level.end(), Level::position) != e.level.end();
  for (Stage& s : stages) {
    if (holonomic && form == ConstraintForm::stabilised)
      s.mu = step.unknowns(Kind::correction, Exprs(e.lambda.size(), 0.0));
    if (form != ConstraintForm::extended) continue;
    for (const Level level : e.level) {
      s.mu.push_back(level == Level::position ? step.unknowns(Kind::correction, {0.0}).front() : Expr(0.0));
      s.nu.push_back(level != Level::acceleration ? step.unknowns(Kind::acceleration, {0.0}).front() : Expr(0.0));
    }
  }
  return stages;
}

Exprs unknowns_of(const Stage& s) {
  Exprs result;
  for (const Exprs& part : {s.q, s.v, s.lambda, s.mu, s.nu})
    for (const Expr& x : part)
      if (!x.is_constant(0.0)) result.push_back(x);
  return result;
}

// The constraints whose own level lies above the one at which the formulas stand.
void add_derivatives(Residual& r, const std::string& name, const Equations& e, const Interval& step, const Exprs& f,
                     Level at_level) {
  for (std::size_t c = 0; c < f.size(); ++c)
    if (e.level[c] == Level::position || (e.level[c] == Level::velocity && at_level == Level::acceleration))
      r.add(name + " \"" + step.constraints[c] + "\"", f[c]);
}

// h y' at stage i, y being the positions or the velocities; a node that carries the one before has them in this order.
Exprs h_rates(const DifferenceRule& rule, std::size_t i, const std::vector<Stage>& stages, Exprs Stage::* part,
              const Interval& step) {
  const bool velocity = part == &Stage::v;
  const Node& n0 = step.n0;
  const Exprs& from = velocity ? n0.v : n0.q;
  const std::size_t n = n0.q.size();
  const Expr omega = rule.two_step ? step.h / n0.carried[2 * n] : Expr(1.0);
  Exprs rates;
  for (std::size_t k = 0; k < n; ++k) {
    Exprs y;
    for (const Stage& s : stages) y.push_back((s.*part)[k]);
    const Expr before = rule.two_step ? n0.carried[(velocity ? n : 0) + k] : Expr(0.0);
    rates.push_back(rule.h_rate(i, y, from[k], before, omega));
  }
  return rates;
}

void carry_node_before(Interval& step) {
  step.n1.carried = joined(step.n0.q, step.n0.v);
  step.n1.carried.push_back(step.h);
}

}  // namespace

Expr DifferenceRule::h_rate(std::size_t i, const Exprs& y, const Expr& y_0, const Expr& before,
                            const Expr& omega) const {
  expects(y.size() == nodes.size(), "a value at each stage");
  if (two_step)
    return (1.0 + 2.0 * omega) / (1.0 + omega) * y[0] - (1.0 + omega) * y_0 + pow(omega, 2.0) / (1.0 + omega) * before;
  Expr sum = 0.0;
  for (std::size_t j = 0; j < y.size(); ++j) sum += weight[i][j] * (y[j] - y_0);
  return sum;
}

DifferenceRule collocation(const std::vector<double>& nodes) {
  DifferenceRule rule{nodes, {}, false};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    rule.weight.emplace_back();
    for (std::size_t j = 0; j < nodes.size(); ++j) rule.weight.back().push_back(slope(nodes, i, j));
  }
  return rule;
}

DifferenceRule backward_differentiation() { return {{1.0}, {}, true}; }

ConstraintForm constraint_form(const SchemeOptions& options, ConstraintForm usual) {
  return options.minimal_extension ? ConstraintForm::extended : usual;
}

void require_extendable(const Scheme& scheme, const SchemeOptions& options) {
  if (scheme.rule == nullptr)
    throw InputError(fmt::format(
        "{}: minimal_extension needs a scheme that has accelerations at single instants: implicit-euler, bdf2 or "
        "radau5; others keep velocities on the constraints by stabilise = true",
        scheme.info.name));
  if (options.stabilise)
    throw InputError("minimal_extension and stabilise both keep velocities on the constraints; choose one of them");
}

Residual difference_residual(const DifferenceRule& rule, ConstraintForm form, const Equations& e, Interval& step) {
  const std::vector<Stage> stages = unknown_stages(rule, form, e, step);
  Residual r;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Stage& s = stages[i];
    const Expr t = step.t(rule.nodes[i]);
    const bool extended = form == ConstraintForm::extended;
    const auto along_gradients = [&](const Exprs& factors) {
      if (extended) return at(e, e.reaction, {step.n0.t, step.n0.q, step.n0.v, {}, factors, {}});
      return at(e, e.reaction, {t, s.q, s.v, {}, factors, {}});
    };
    Exprs a = scaled(1.0 / step.h, h_rates(rule, i, stages, &Stage::v, step)), slope = s.v;
    if (!s.mu.empty()) slope = difference(slope, along_gradients(s.mu));
    if (!s.nu.empty()) a = difference(a, scaled(-1.0, along_gradients(s.nu)));
    const Point point = {t, s.q, s.v, a, s.lambda, step.input(rule.nodes[i])};
    r.kinematics = r.equations.size();
    r.add("kinematics of", step.coordinates,
          difference(h_rates(rule, i, stages, &Stage::q, step), scaled(step.h, slope)));
    r.add("dynamics of", step.coordinates, scaled(step.h, at(e, e.dynamics, point)));
    r.add("constraint", step.constraints, at(e, e.constraint, point));
    if (extended) {
      add_derivatives(r, "velocity of constraint", e, step, at(e, e.constraint_rate, point), Level::velocity);
      add_derivatives(r, "acceleration of constraint", e, step, scaled(step.h, at(e, e.constraint_acceleration, point)),
                      Level::acceleration);
    }
    if (extended || s.mu.empty()) continue;
    Exprs rate = at(e, e.constraint_rate, point);
    for (std::size_t c = 0; c < rate.size(); ++c)
      if (e.level[c] != Level::position) rate[c] = s.mu[c];
    r.add("velocity of constraint", step.constraints, rate);
  }
  if (rule.two_step) carry_node_before(step);
  if (stages.size() > 1)
    for (const Stage& s : stages) r.coupled.push_back(unknowns_of(s));
  return r;
}

Exprs node_before(const Equations& e, const Expr& h) {
  Exprs carried;
  for (std::size_t i = 0; i < e.q.size(); ++i) carried.push_back(e.q[i] - h * e.v[i] + 0.5 * h * h * e.a[i]);
  for (std::size_t i = 0; i < e.q.size(); ++i) carried.push_back(e.v[i] - h * e.a[i]);
  carried.push_back(h);
  return carried;
}

}  // namespace invar
