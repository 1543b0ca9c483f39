// Radau IIA with three stages, order 5, on the stabilised index-2 form of Gear, Gupta and Leimkuhler:
//
//   q' = v - Gᵀμ,   dynamics with λ,   Φ = 0,   Φ̇ = 0      at every stage; the last stage is the new node
//
// so that position constraints hold at position and velocity level and q and v keep the full order
// [E. Hairer, G. Wanner, Solving ODEs II, ch. IV.5, VII.4-6].
#include <cmath>

#include "invar/scheme/difference_rule.h"
#include "invar/scheme/table.h"

namespace invar {

namespace {

const DifferenceRule& rule() {
  static const DifferenceRule radau_2a =
      collocation({(4.0 - std::sqrt(6.0)) / 10.0, (4.0 + std::sqrt(6.0)) / 10.0, 1.0});
  return radau_2a;
}

}  // namespace

const Scheme radau5 = {{.name = "radau5",
                        .title = "Radau IIA, three stages",
                        .source = "Hairer, Wanner: Solving ODEs II",
                        .order = 5,
                        .velocity_at_nodes = true},
                       carries_nothing,
                       [](const Equations& e, Interval& step, const SchemeOptions& options) {
                         return difference_residual(rule(), constraint_form(options, ConstraintForm::stabilised), e,
                                                    step);
                       },
                       rule};

}  // namespace invar
