// Where a problem starts: its [initial] made consistent, and the system without the constraints that follow from others
// there.
//
// This is the one place where a task gets its start. The formulas are derived once, for any values of the parameters;
// copies share them, and threads may use them together.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "invar/model/problem/problem.h"
#include "invar/system/start/start.h"

namespace invar {

// A simulation is given the inputs, and those that are not given are zero; other tasks find them themselves.
enum class StartInputs { given, open };

struct StartPoint {
  Start report;  // of the whole system
  State state;   // of the system without redundant constraints
};

class ProblemStart {
 public:
  ProblemStart(const Problem& problem, StartInputs inputs);

  const System& system() const;     // without redundant constraints
  const StartPoint& point() const;  // of the problem that it was made of
  // Where the same problem starts with other values of its parameters and of [initial]; nothing if other constraints
  // are redundant there.
  std::optional<StartPoint> point(const Problem& changed) const;
  // Another state of the system made consistent, with accelerations and multipliers of these inputs.
  State consistent(const State& given, std::span<const double> u = {}) const;

 private:
  struct Shared;
  std::shared_ptr<const Shared> shared_;
};

// The starts of a prepared problem: parts of it, see prepared.h.
struct GivenStart : ProblemStart {
  explicit GivenStart(const Problem& problem) : ProblemStart(problem, StartInputs::given) {}
};
struct OpenStart : ProblemStart {
  explicit OpenStart(const Problem& problem) : ProblemStart(problem, StartInputs::open) {}
};

}  // namespace invar
