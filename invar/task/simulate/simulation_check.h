// The judgement of a computed motion by what its making did not use: every number is finite; constraints hold, measured
// by the size of their own terms; energy and momenta that the system keeps were kept as well as the scheme promises,
// and energy does not come from nowhere; coordinates without mass are in balance. It decides between "done" and
// "failed".
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "invar/record/summary.h"
#include "invar/record/trajectory.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/system/conserved.h"
#include "invar/task/simulate/motion.h"

namespace invar {

// What the way in which a motion was made promises.
struct Promise {
  bool positions = true;    // constraints at position level hold at every instant
  bool velocities = false;  // their time derivatives too
  bool rolling = true;      // constraints at velocity level
  bool energy = false, momentum = false;
  double tolerance = 1e-12;  // relative, of the equations of a step
};
Promise promise_of(const SchemeInfo& info, double tolerance);

struct Judgement {
  std::string failure;  // empty if there is none
  std::vector<std::string> warnings;
};

// The first column of a row that is not finite. Reactions may be "not a number": schemes that do not compute them say
// so.
std::optional<std::string> find_not_finite(const System& system, const std::vector<std::string>& columns,
                                           std::span<const double> row);

// What it takes to judge motions of a system: the formulas are derived once; copies share them, and threads may use
// them together.
class MotionJudge {
 public:
  MotionJudge(const System& system, std::span<const Reference> signals, const std::vector<Conserved>& conserved);

  // The rows are finite; motion.system is that of the judge, with any values of the parameters.
  Judgement operator()(const Motion& motion, const Promise& promise) const;

 private:
  struct Formulas;
  std::shared_ptr<Formulas> formulas_;
};

// The same for once.
Judgement judge(const Motion& motion, const Promise& promise);

// A run that was done has failed if the judgement says so; of one that was interrupted it is a warning.
void take(Judgement judgement, Summary& summary);

}  // namespace invar
