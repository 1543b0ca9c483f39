// The pair of orders 5(4) by Dormand and Prince, with dense output of order 4, for equations of motion at index 1, on
// vectors and on the rotation group [J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980) 19;
// L. F. Shampine, Math. Comp. 46 (1986) 135].
//
// The seventh stage stands at the end of the step: its multipliers are those of the new node.
#include "invar/scheme/runge_kutta.h"
#include "invar/scheme/table.h"

namespace invar {

namespace {

const RungeKutta& method() {
  static const RungeKutta pair = {
      .c = {0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0},
      .a = {{},
            {0.2},
            {3.0 / 40.0, 9.0 / 40.0},
            {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
            {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
            {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
            {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}},
      .b = {},
      .error = {71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0},
      .inside = {
          {1.0, -8048581381.0 / 2820520608.0, 8663915743.0 / 2820520608.0, -12715105075.0 / 11282082432.0},
          {0.0, 0.0, 0.0, 0.0},
          {0.0, 131558114200.0 / 32700410799.0, -68118460800.0 / 10900136933.0, 87487479700.0 / 32700410799.0},
          {0.0, -1754552775.0 / 470086768.0, 14199869525.0 / 1410260304.0, -10690763975.0 / 1880347072.0},
          {0.0, 127303824393.0 / 49829197408.0, -318862633887.0 / 49829197408.0, 701980252875.0 / 199316789632.0},
          {0.0, -282668133.0 / 205662961.0, 2019193451.0 / 616988883.0, -1453857185.0 / 822651844.0},
          {0.0, 40617522.0 / 29380423.0, -110615467.0 / 29380423.0, 69997945.0 / 29380423.0}}};
  return pair;
}

template <Rotations rotations>
Residual residual(const Equations& e, Interval& step, const SchemeOptions& options) {
  return runge_kutta_step(method(), rotations, e, step, options);
}

}  // namespace

const Scheme dormand_prince = {{.name = "dormand-prince",
                                .synonym = "rk45",
                                .title = "Dormand–Prince 5(4), explicit, with dense output",
                                .source = "Dormand, Prince 1980",
                                .order = 5,
                                .velocity_at_nodes = true,
                                .needs_mass = true,
                                .own_unknowns = true},
                               carries_nothing,
                               residual<Rotations::as_coordinates>,
                               nullptr,
                               method};

const Scheme lie_dormand_prince = {{.name = "lie-dormand-prince",
                                    .title = "Dormand–Prince 5(4) on the rotation group",
                                    .source = "Dormand, Prince 1980; Munthe-Kaas 1998",
                                    .order = 5,
                                    .velocity_at_nodes = true,
                                    .needs_mass = true,
                                    .own_unknowns = true,
                                    .on_rotations = true},
                                   carries_nothing,
                                   residual<Rotations::on_group>,
                                   nullptr,
                                   method};

}  // namespace invar
