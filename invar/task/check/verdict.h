// The verdict on a problem before it is solved: size, freedom, structure, what must be conserved, what is doubtful.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "invar/base/error.h"
#include "invar/model/problem/problem.h"
#include "invar/record/summary.h"
#include "invar/system/conserved.h"
#include "invar/system/start/start.h"
#include "invar/task/run/prepared.h"

namespace invar {

struct Verdict {
  Summary summary;  // task "check": counts, structure, start, warnings
  Start start;
  std::vector<Conserved> conserved;
};

// Throws InputError if the problem is wrong.
Verdict check(const Problem& problem);
Verdict check(const Prepared& prepared);

// The same in sentences, one per line, without the warnings.
std::string in_words(const Problem& problem, const Verdict& verdict);

// What a model is called, its parameters and how large it is.
void describe_model(const Problem& problem, Summary& summary);
// What the start tells about a problem, besides: degrees of freedom, structure, changes, warnings. The formulas are
// derived once; copies share them, and threads may use them together.
class StartReport {
 public:
  explicit StartReport(const Problem& problem);
  // InputError if some formula has no finite value there.
  void expect_finite(const Problem& problem, const Start& start) const;
  void describe(const Problem& problem, const Start& start, Summary& summary) const;

 private:
  struct Formulas;
  std::shared_ptr<const Formulas> formulas_;
};
// The same for once.
void describe_start(const Problem& problem, const Start& start, Summary& summary);
// What is doubtful about a model for tasks that do not begin at its start: nothing about the constraints there.
std::vector<std::string> model_warnings(const Prepared& prepared);
// What ought to stay constant.
void describe_conserved(const Problem& problem, const std::vector<Conserved>& conserved, Summary& summary);

}  // namespace invar
