// Explicit Euler steps on the rotation group, index-1 equations: ν₁ = ν₀ + h ν₀', q₁ = q₀ ∘ map(h ν₀).
#include "invar/scheme/runge_kutta.h"
#include "invar/scheme/table.h"

namespace invar {

namespace {

const RungeKutta& method() {
  static const RungeKutta euler = {.c = {0.0}, .a = {{}}, .b = {1.0}, .error = {}, .inside = {}};
  return euler;
}

Residual residual(const Equations& e, Interval& step, const SchemeOptions& options) {
  return runge_kutta_step(method(), Rotations::on_group, e, step, options);
}

}  // namespace

const Scheme lie_euler = {{.name = "lie-euler",
                           .title = "Euler steps on the rotation group",
                           .source = "Zenzerović 2012",
                           .order = 1,
                           .velocity_at_nodes = true,
                           .needs_mass = true,
                           .own_unknowns = true,
                           .on_rotations = true},
                          carries_nothing,
                          residual,
                          nullptr,
                          method};

}  // namespace invar
