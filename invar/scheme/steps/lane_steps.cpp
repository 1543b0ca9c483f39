// See lane_steps.h.
#include "invar/scheme/steps/lane_steps.h"

#include <algorithm>
#include <cmath>

#include "invar/expr/lists.h"
#include "invar/system/articulated.h"
#include "invar/system/equations.h"

namespace invar {

namespace {

constexpr std::size_t few = 8;  // coordinates, beyond which elimination makes formulas longer than solving takes

// M a = f by M = L D Lᵀ.
Exprs eliminated(const Exprs& mass, Exprs f) {
  const std::size_t n = f.size();
  Exprs l = mass, d(n);
  for (std::size_t j = 0; j < n; ++j) {
    d[j] = l[j * n + j];
    for (std::size_t i = j + 1; i < n; ++i) {
      const Expr factor = l[i * n + j] / d[j];
      for (std::size_t k = j + 1; k <= i; ++k) l[i * n + k] -= factor * l[k * n + j];
      f[i] -= factor * f[j];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) f[i] -= l[k * n + i] * f[k];
    f[i] = f[i] / d[i];
  }
  return f;
}

}  // namespace

Exprs lane_accelerations(const System& system, const Equations& e) {
  if (is_open_tree(system)) return tree_accelerations(system, e);
  Exprs f = at(e, e.dynamics, {e.t, e.q, e.v, Exprs(e.a.size(), Expr(0.0)), e.lambda, e.u});
  for (Expr& x : f) x = -x;
  return eliminated(dense(e.mass()), std::move(f));
}

bool LaneSteps::fits(const System& system) {
  if (system.coordinates.empty()) return false;
  return is_open_tree(system) || (system.constraints.empty() && system.coordinates.size() <= few);
}

LaneSteps::LaneSteps(const System& system, const RungeKutta& method, std::span<const Reference> references)
    : method_(&method),
      n_(system.coordinates.size()),
      inputs_(system.inputs.size()),
      balls_(is_open_tree(system) ? system.tree->balls() : std::vector<std::size_t>()),
      given_({}, {}),
      acceleration_(Exprs(), Exprs()) {
  expects(fits(system), "accelerations that are formulas");
  const Equations e = equations(system);
  const Exprs acceleration = lane_accelerations(system, e);
  given_ = ReferenceValues(acceleration, references);
  Exprs arguments = {e.t};
  for (const Exprs& part : {e.q, e.v, e.u, invar::parameters(system), given_.symbols()}) append(arguments, part);
  acceleration_ = Function(arguments, acceleration, "accelerations");
  in_.resize(acceleration_.input_count() * block);
  begin_.resize(2 * n_ * block);
  rate_.resize(method.c.size() * n_ * block);
  change_.resize(rate_.size());
  references_.resize(given_.symbols().size());
  set_parameters(parameter_values(system));
}

void LaneSteps::set_parameters(std::span<const double> values) { parameters_.assign(values.begin(), values.end()); }

void LaneSteps::advance(double h, const Copies& copies, std::size_t from, std::size_t to) {
  for (std::size_t first = from; first < to; first += block)
    advance_block(h, copies, first, std::min(block, to - first));
}

void LaneSteps::set_instant(std::size_t lanes, std::span<const double> t, double later) {
  for (std::size_t p = 0; p < lanes; ++p) in_[p] = t[p] + later;
  if (references_.empty()) return;
  const std::size_t place = 1 + 2 * n_ + inputs_ + parameters_.size();
  for (std::size_t p = 0; p < lanes; ++p) {
    given_(in_[p], references_, later > 0.0 ? Side::left : Side::right);
    for (std::size_t k = 0; k < references_.size(); ++k) in_[(place + k) * lanes + p] = references_[k];
  }
}

void LaneSteps::add(std::size_t numbers, double h, std::span<const double> weight, const std::vector<double>& y,
                    std::span<double> sum) const {
  for (std::size_t i = 0; i < weight.size(); ++i) {
    if (weight[i] == 0.0) continue;
    const double factor = h * weight[i];
    const double* const stage = y.data() + i * numbers;
    for (std::size_t k = 0; k < numbers; ++k) sum[k] += factor * stage[k];
  }
}

void LaneSteps::set_unit_length(std::size_t lanes, std::span<double> q, std::span<double> v) const {
  for (const std::size_t ball : balls_)
    for (std::size_t p = 0; p < lanes; ++p) {
      double length = 0.0, along = 0.0;
      for (std::size_t i = ball; i < ball + 4; ++i) length += q[i * lanes + p] * q[i * lanes + p];
      const double share = 1.0 / std::sqrt(length);
      for (std::size_t i = ball; i < ball + 4; ++i) along += (q[i * lanes + p] *= share) * v[i * lanes + p];
      for (std::size_t i = ball; i < ball + 4; ++i) v[i * lanes + p] -= along * q[i * lanes + p];
    }
}

void LaneSteps::advance_block(double h, const Copies& copies, std::size_t first, std::size_t lanes) {
  const auto& [t, state, u, going] = copies;
  const std::size_t count = t.size(), numbers = n_ * lanes;
  const auto rows = [&](std::span<double> list, std::size_t row) { return list.subspan(row * lanes); };
  for (std::size_t i = 0; i < 2 * n_; ++i)
    std::copy_n(state.begin() + static_cast<std::ptrdiff_t>(i * count + first), lanes, rows(begin_, i).begin());
  for (std::size_t k = 0; k < inputs_; ++k)
    std::copy_n(u.begin() + static_cast<std::ptrdiff_t>(k * count + first), lanes, rows(in_, 1 + 2 * n_ + k).begin());
  for (std::size_t k = 0; k < parameters_.size(); ++k)
    std::fill_n(rows(in_, 1 + 2 * n_ + inputs_ + k).begin(), lanes, parameters_[k]);
  const std::span<double> q = rows(in_, 1).first(numbers), v = rows(in_, 1 + n_).first(numbers);
  for (std::size_t i = 0; i < method_->c.size(); ++i) {
    if (i == 0 || method_->c[i] != method_->c[i - 1]) set_instant(lanes, t.subspan(first), method_->c[i] * h);
    std::copy_n(begin_.begin(), 2 * numbers, q.begin());
    add(numbers, h, method_->a[i], rate_, q);
    add(numbers, h, method_->a[i], change_, v);
    if (i > 0) set_unit_length(lanes, q, v);
    std::ranges::copy(v, rate_.begin() + static_cast<std::ptrdiff_t>(i * numbers));
    const std::span<double> a(change_.data() + i * numbers, numbers);
    acceleration_.lanes(lanes, std::span(in_).first(acceleration_.input_count() * lanes), a, scratch_);
    for (std::size_t k = 0; k < numbers; ++k)
      if (!std::isfinite(a[k])) going[first + k % lanes] = 0;
  }
  std::copy_n(begin_.begin(), 2 * numbers, q.begin());
  add(numbers, h, method_->end_weights(), rate_, q);
  add(numbers, h, method_->end_weights(), change_, v);
  set_unit_length(lanes, q, v);
  for (std::size_t p = 0; p < lanes; ++p) {
    if (going[first + p] == 0) continue;
    t[first + p] += h;
    for (std::size_t i = 0; i < 2 * n_; ++i) state[i * count + first + p] = q[i * lanes + p];
  }
}

}  // namespace invar
