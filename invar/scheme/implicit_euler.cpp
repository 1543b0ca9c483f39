// Implicit Euler on the index-3 equations:
//   q1 - q0 = h v1,   M(q1)(v1 - v0)/h + … = 0 at (t1,q1,v1),   Φ(t1,q1) = 0.
#include "invar/scheme/difference_rule.h"
#include "invar/scheme/table.h"

namespace invar {

namespace {

const DifferenceRule& rule() {
  static const DifferenceRule euler = collocation({1.0});
  return euler;
}

}  // namespace

const Scheme implicit_euler = {{.name = "implicit-euler",
                                .synonym = "backward-euler",
                                .title = "implicit Euler",
                                .source = "Hairer, Wanner: Solving ODEs II, ch. VII",
                                .order = 1},
                               carries_nothing,
                               [](const Equations& e, Interval& step, const SchemeOptions& options) {
                                 return difference_residual(rule(), constraint_form(options, ConstraintForm::index_3),
                                                            e, step);
                               },
                               rule};

}  // namespace invar
