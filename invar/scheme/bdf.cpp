// Backward differentiation with variable steps, on the index-3 equations. Over one step it is implicit Euler,
//   q1 - q0 = h v1,   M(q1)(v1 - v0)/h + … = 0 at (t1,q1,v1),   Φ(t1,q1) = 0.
#include "invar/scheme/difference_rule.h"
#include "invar/scheme/table.h"

namespace invar {

namespace {

const DifferenceRule& one_step_rule() {
  static const DifferenceRule euler = collocation({1.0});
  return euler;
}

const DifferenceRule& two_step_rule() {
  static const DifferenceRule two_steps = backward_differentiation();
  return two_steps;
}

template <const DifferenceRule& (*rule)()>
Residual backward_residual(const Equations& e, Interval& step, const SchemeOptions& options) {
  return difference_residual(rule(), constraint_form(options, ConstraintForm::index_3), e, step);
}

}  // namespace

const Scheme implicit_euler = {{.name = "implicit-euler",
                                .synonym = "backward-euler",
                                .title = "implicit Euler",
                                .source = "Hairer, Wanner: Solving ODEs II, ch. VII",
                                .order = 1},
                               carries_nothing,
                               backward_residual<one_step_rule>,
                               one_step_rule};

const Scheme bdf2 = {{.name = "bdf2",
                      .title = "two-step backward differentiation",
                      .source = "Hairer, Nørsett, Wanner: Solving ODEs I, ch. III.5",
                      .order = 2},
                     node_before,
                     backward_residual<two_step_rule>,
                     two_step_rule};

}  // namespace invar
