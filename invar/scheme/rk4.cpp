// The classical Runge–Kutta method of order four [W. Kutta, Z. Math. Phys. 46 (1901) 435] for equations of motion at
// index 1, on vectors and on the rotation group. Leaving out dmap⁻¹ there, or taking it at +θ, gives order two: that is
// the algorithm as a thesis prints it, kept for comparison.
#include "invar/scheme/runge_kutta.h"
#include "invar/scheme/table.h"

namespace invar {

namespace {

const RungeKutta& method() {
  static const RungeKutta classical = {.c = {0.0, 0.5, 0.5, 1.0},
                                       .a = {{}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
                                       .b = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0},
                                       .error = {},
                                       .inside = {}};
  return classical;
}

const RungeKutta& printed_method() {
  static const RungeKutta printed = [] {
    RungeKutta classical = method();
    classical.as_printed = true;
    return classical;
  }();
  return printed;
}

template <const RungeKutta& (*of)(), Rotations rotations>
Residual residual(const Equations& e, Interval& step, const SchemeOptions& options) {
  return runge_kutta_step(of(), rotations, e, step, options);
}

}  // namespace

const Scheme rk4 = {{.name = "rk4",
                     .synonym = "runge-kutta",
                     .title = "Runge–Kutta, four stages, explicit",
                     .source = "Kutta 1901; Baumgarte 1972",
                     .order = 4,
                     .velocity_at_nodes = true,
                     .needs_mass = true,
                     .own_unknowns = true},
                    carries_nothing,
                    residual<method, Rotations::as_coordinates>,
                    nullptr,
                    method};

const Scheme lie_rk4 = {{.name = "lie-rk4",
                         .title = "Runge–Kutta–Munthe-Kaas, four stages",
                         .source = "Munthe-Kaas 1998",
                         .order = 4,
                         .velocity_at_nodes = true,
                         .needs_mass = true,
                         .own_unknowns = true,
                         .on_rotations = true},
                        carries_nothing,
                        residual<method, Rotations::on_group>,
                        nullptr,
                        method};

const Scheme lie_rk4_printed = {{.name = "lie-rk4-printed",
                                 .title = "lie-rk4 as a thesis prints it, for comparison: of lower order",
                                 .source = "Zenzerović 2012",
                                 .order = 2,
                                 .velocity_at_nodes = true,
                                 .needs_mass = true,
                                 .own_unknowns = true,
                                 .on_rotations = true},
                                carries_nothing,
                                residual<printed_method, Rotations::on_group>,
                                nullptr,
                                printed_method};

}  // namespace invar
