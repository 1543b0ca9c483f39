// See work.h.
#include "app/results/work.h"

#include <fmt/format.h>

#include <cstdlib>

#include "invar/base/interrupt.h"
#include "invar/model/columns/column_groups.h"
#include "invar/task/table/tasks.h"

namespace invar::app {

Outcome nothing_yet(const Task& task, const Problem& problem, const RunOptions& options) {
  Outcome outcome;
  describe_model(problem, outcome.summary);
  outcome.summary.task = task.verb;
  outcome.summary.status = RunStatus::interrupted;
  outcome.summary.message = "interrupted before there were results";
  if (options.compiler) outcome.summary.machine_code.why_not = "the run was interrupted before there were results";
  return outcome;
}

std::string documentation_address() {
  const char* address = std::getenv("INVAR_DOCUMENTATION");
  return address != nullptr ? address : "";
}

Compiler user_compiler() {
  Compiler c;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    c.cache = std::string(cache) + "/invar";
  else if (const char* home = std::getenv("HOME"); home && *home)
    c.cache = std::string(home) + "/.cache/invar";
  return c;
}

Checked check_with_tasks(const Problem& problem) {
  Checked checked{about(problem, [&] { return check(problem); }), {}, {}};
  checked.words = in_words(problem, checked.verdict);
  std::string foretold;
  for (const Task* task : tasks()) {
    if (task->foretell == nullptr) continue;
    try {
      const std::string sentence = about(problem, [&] { return task->foretell(problem, checked.verdict.summary); });
      if (sentence.empty()) continue;
      foretold += fmt::format("  {}: {}\n", task->subject, sentence);
      checked.refusal.reset();
    } catch (const InputError& e) {
      checked.refusal = e;
      if (!task->others_may_do) break;
      foretold += fmt::format("  {}: {}\n", task->subject, e.what());
    }
  }
  if (!checked.refusal) checked.words += foretold;
  return checked;
}

Ran run_to_some_end(const Task& task, const Prepared& prepared, const Overrides& parameters,
                    const RunOptions& options) {
  Ran ran;
  RunOptions heeding = options;
  if (options.keep_going)
    heeding.keep_going = [&](double t) {
      const bool on = options.keep_going(t);
      if (!on) heed_interrupt();  // the task ends in order
      return on;
    };
  try {
    ran.outcome = about(prepared.problem(), [&] { return task.run(prepared, parameters, heeding); });
  } catch (const Interrupted&) {
    ran = {nothing_yet(task, with_parameters(prepared.problem(), parameters), options), true};
  }
  Summary& summary = ran.outcome.summary;
  require_finite(summary);
  summary.units = named_units(prepared.problem());
  if (summary.rows == 0) summary.rows = ran.outcome.trajectory.rows();
  return ran;
}

}  // namespace invar::app
