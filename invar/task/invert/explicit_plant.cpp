// See explicit_plant.h.
#include "invar/task/invert/explicit_plant.h"

#include <algorithm>
#include <cmath>

#include "invar/expr/lists.h"

namespace invar {

struct ExplicitPlant::Formulas {
  Equations e;
  Exprs residual;  // with zeros for a and λ
  SparseExprs matrix;
  Exprs constraint;  // Φ at position level, zero of others, then Φ̇
  Exprs parameters;

  // All in one list, for what they contain.
  Exprs all() const {
    Exprs list = residual;
    append(list, matrix.value);
    append(list, constraint);
    return list;
  }
  Exprs arguments(const Exprs& given) const {
    Exprs list = {e.t};
    for (const Exprs& part : {e.q, e.v, e.u, parameters, given}) append(list, part);
    return list;
  }
};

std::optional<ExplicitPlant> ExplicitPlant::make(const System& system, std::span<const Reference> signals) {
  Formulas f{equations(system), {}, {}, {}, parameters(system)};
  const Equations& e = f.e;
  const Exprs unknowns = joined(e.a, e.lambda), equation = joined(e.dynamics, e.constraint_acceleration);
  f.matrix = jacobian(equation, unknowns);
  for (const Expr& entry : f.matrix.value)
    if (depends(entry, unknowns)) return std::nullopt;
  f.residual = substitute(equation, unknowns, Exprs(unknowns.size(), 0.0));
  for (std::size_t i = 0; i < e.constraint.size(); ++i)
    f.constraint.push_back(e.level[i] == Level::position ? e.constraint[i] : 0.0);
  append(f.constraint, e.constraint_rate);
  return ExplicitPlant(system, f, signals);
}

ExplicitPlant::ExplicitPlant(const System& system, const Formulas& f, std::span<const Reference> signals)
    : n_(f.e.q.size()),
      m_(f.e.lambda.size()),
      inputs_(f.e.u.size()),
      given_(f.all(), signals),
      linear_(f.arguments(given_.symbols()), joined(f.residual, f.matrix.value), "equations of motion"),
      constraints_(f.arguments(given_.symbols()), f.constraint, "constraints"),
      solver_(f.matrix.pattern),
      method_(&find_scheme("dormand-prince")->explicit_method()),
      in_(linear_.input_count()),
      linear_out_(linear_.output_count()),
      constraints_out_(constraints_.output_count()),
      right_(n_ + m_) {
  std::ranges::copy(parameter_values(system), in_.begin() + static_cast<std::ptrdiff_t>(1 + 2 * n_ + inputs_));
}

void ExplicitPlant::start(const State& state) {
  t_ = state.t;
  q_ = state.q;
  v_ = state.v;
}

void ExplicitPlant::set_instant(double t, Side at_knots) {
  in_[0] = t;
  const std::size_t given = given_.symbols().size();
  given_(t, {in_.data() + in_.size() - given, given}, at_knots);
}

// Of the motion in in_.
bool ExplicitPlant::accelerate(std::span<double> a) {
  linear_(in_, linear_out_, linear_scratch_);
  if (!solver_.factor(std::span(linear_out_).subspan(n_ + m_))) return false;
  for (std::size_t i = 0; i < n_ + m_; ++i) right_[i] = -linear_out_[i];
  solver_.solve(right_);
  std::copy_n(right_.begin(), n_, a.begin());
  return std::ranges::all_of(a, [](double x) { return std::isfinite(x); });
}

// M Δ + Gᵀ μ = 0, G Δ = -Φ: first for positions, then for velocities.
void ExplicitPlant::project() {
  if (m_ == 0) return;
  for (std::vector<double>* const part : {&q_, &v_}) {
    const bool positions = part == &q_;
    std::ranges::copy(q_, in_.begin() + 1);
    std::ranges::copy(v_, in_.begin() + static_cast<std::ptrdiff_t>(1 + n_));
    constraints_(in_, constraints_out_, constraints_scratch_);
    std::fill_n(right_.begin(), n_, 0.0);
    for (std::size_t i = 0; i < m_; ++i) right_[n_ + i] = -constraints_out_[positions ? i : m_ + i];
    solver_.solve(right_);
    for (std::size_t k = 0; k < n_; ++k) (*part)[k] += right_[k];
  }
}

bool ExplicitPlant::advance(double h, const Inputs& inputs) {
  const RungeKutta& method = *method_;
  const std::size_t stages = method.end_weights().size();
  rate_.resize(stages * n_);
  change_.resize(stages * n_);
  const auto add = [&](const std::vector<double>& weight, const std::vector<double>& y, double* sum) {
    for (std::size_t i = 0; i < std::min(weight.size(), stages); ++i)
      for (std::size_t k = 0; weight[i] != 0.0 && k < n_; ++k) sum[k] += h * weight[i] * y[i * n_ + k];
  };
  double* const q = in_.data() + 1;
  double* const v = q + n_;
  for (std::size_t i = 0; i < stages; ++i) {
    const double instant = t_ + method.c[i] * h;
    set_instant(instant, i == 0 ? Side::right : Side::left);
    inputs(instant, {v + n_, inputs_});
    std::ranges::copy(q_, q);
    std::ranges::copy(v_, v);
    add(method.a[i], rate_, q);
    add(method.a[i], change_, v);
    std::copy_n(v, n_, rate_.begin() + static_cast<std::ptrdiff_t>(i * n_));
    if (!accelerate({change_.data() + i * n_, n_})) return false;
  }
  add(method.end_weights(), rate_, q_.data());
  add(method.end_weights(), change_, v_.data());
  t_ += h;
  project();
  return true;
}

}  // namespace invar
