// Integration of a Dae F(t, x, x', x'') = 0 with fixed steps, by the schemes that are a rule for derivatives at the
// stages of a step (difference_rule.h).
//
// The rule is applied to x, and to v = x' where an equation contains x''; F = 0 holds at every stage with references
// and their derivatives taken at its time [E. Hairer, G. Wanner, Solving ODEs II, ch. VI, VII]. Unknowns that are never
// differentiated have no history: they belong to the end of the step. On the original equations of an inversion this is
// the direct method.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "invar/dae/extend.h"
#include "invar/dae/jet.h"
#include "invar/math/matrix.h"
#include "invar/math/newton.h"
#include "invar/scheme/dae/dae_step.h"

namespace invar {

struct DaeMotion {
  std::vector<double> t;              // the first is the start
  std::vector<std::string> unknowns;  // names of the columns
  Matrix value;                       // by node and unknown
  Matrix rate;        // first derivatives: of coordinates and of what is differentiated; NaN of all others
  Matrix step_input;  // by step and input, of schemes whose inputs belong to a step as a whole; otherwise empty
  std::vector<std::string> dummies;

  bool complete = true;  // did it reach the end? If not, the node that was sought:
  double failed_at = std::numeric_limits<double>::quiet_NaN();
  NewtonResult newton{};          // of the last step
  std::string fault;              // equation that is violated most, or the unknown that is not determined
  int iterations = 0;             // of all steps
  std::size_t unknown_count = 0;  // of one step

  std::size_t column(std::string_view unknown) const;  // InputError if there is none
};

// From t0 to t1 with steps of at most h, equal between two knots of the references, where steps end. `start` holds x
// and, where they matter, x' and x''; derivatives that it does not hold count as zero. InputError if the scheme is no
// difference rule, the times make no sense or an unknown appears with more than its second derivative.
DaeMotion integrate(const Dae& dae, const Scheme& scheme, double t0, double t1, double h, const Jet& start,
                    const DaeIntegrationOptions& options = {});

// The same for a system of reduced index, from a jet of the original one.
DaeMotion integrate(const ReducedDae& reduced, const Scheme& scheme, double t0, double t1, double h, const Jet& start,
                    const NewtonOptions& newton = {});

// From the last node of a motion on, in another reduced form of equations with the same original unknowns, which alone
// are columns of the whole; steps of two nodes go on with its last two. `near` is a jet of the original from which the
// form's own unknowns begin.
DaeMotion go_on(const DaeMotion& so_far, const ReducedDae& reduced, const Scheme& scheme, double t1, double h,
                const Jet& near, const NewtonOptions& newton = {});

// Times t0 = … = t1 of the nodes for steps of at most h that end at the knots.
std::vector<double> step_grid(const std::vector<Reference>& references, double t0, double t1, double h);

}  // namespace invar
