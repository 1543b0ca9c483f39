// Everything of a simulation that follows from formulas: start, step, observer, checks. Made once, used by many runs,
// in any thread.
//
// A run copies what has numbers of its own (stepper, observer, inputs) and sets its parameters; nothing here changes
// any more.
#pragma once

#include <optional>

#include "invar/record/observer.h"
#include "invar/scheme/stabilise.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/task/check/verdict.h"
#include "invar/task/run/inputs.h"
#include "invar/task/run/problem_start.h"
#include "invar/task/simulate/simulation_check.h"
#include "invar/task/simulate/singular_path.h"

namespace invar {

class PreparedSimulation {
 public:
  // InputError if the problem is wrong.
  explicit PreparedSimulation(const Problem& problem);

  const Scheme& scheme;
  const GivenStart start;
  const StartReport report;
  const InputValues inputs;
  const Observer observer;
  const MotionJudge judge;
  const SingularSearch singular;

  const System& system() const { return start.system(); }  // without redundant constraints
  const Stepper& stepper() const { return stepper_; }
  // Does stabilisation keep energy and momenta, with these values of the parameters?
  bool is_conserving(const Problem& changed) const;
  // Do the equations of the step hold for these values too? Stabilisation takes others where the mass matrix loses its
  // rank.
  bool fits(const Problem& changed) const { return is_conserving(changed) == conserving_; }

 private:
  std::optional<ConservingStabilisation> stabilisation_;  // if the step is stabilised
  bool conserving_;
  Stepper stepper_;
};

}  // namespace invar
