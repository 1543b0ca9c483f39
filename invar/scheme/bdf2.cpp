// Two-step backward differentiation with variable steps, on the index-3 equations.
#include "invar/scheme/difference_rule.h"
#include "invar/scheme/table.h"

namespace invar {

namespace {

const DifferenceRule& rule() {
  static const DifferenceRule two_steps = backward_differentiation();
  return two_steps;
}

}  // namespace

const Scheme bdf2 = {{.name = "bdf2",
                      .title = "two-step backward differentiation",
                      .source = "Hairer, Nørsett, Wanner: Solving ODEs I, ch. III.5",
                      .order = 2},
                     node_before,
                     [](const Equations& e, Interval& step, const SchemeOptions& options) {
                       return difference_residual(rule(), constraint_form(options, ConstraintForm::index_3), e, step);
                     },
                     rule};

}  // namespace invar
