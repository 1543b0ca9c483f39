// Runs one case of a sweep after the other, in any thread: what a case gives depends on its values alone.
//
// Where a task can run with other values without deriving anything (Task::run_alike), all cases share one prepared
// problem. What is varied at a place of the file, such as initial.x, becomes a parameter of that problem. All other
// cases are read anew, each with formulas of its own.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "invar/model/file/document.h"
#include "invar/sweep/case_record.h"
#include "invar/task/run/task.h"

namespace invar {

// A model as the command line or a program wants it.
struct SweptModel {
  model::Document document;
  Overrides overrides;                     // --set
  std::optional<std::string> formulation;  // in place of the file's
  GivenSettings given;                     // likewise
};

class CaseRunner {
 public:
  // `names` are those of the values that cases have; `first` are those of case 0. InputError if a name is neither a
  // parameter nor a place of the file.
  CaseRunner(SweptModel model, const Task& task, std::vector<std::string> names, std::span<const double> first,
             RecordingChoice choice);

  // The model with these values, as `invar TASK MODEL --set …` reads it.
  Problem read(std::span<const double> values) const;

  // Is one prepared problem enough?
  bool shares() const { return prepared_.has_value(); }
  const RecordingChoice& choice() const { return choice_; }

  // For those who run many cases at once, whatever the task: one problem, with parameters that stand for the names.
  struct Shared {
    Prepared prepared;
    std::vector<std::string> parameters;
  };
  // Nothing if numbers of the model were computed from what is varied, or if it cannot be prepared as it stands: its
  // cases may be good.
  std::optional<Shared> share(std::span<const double> first) const;

  struct Limits {
    double seconds = 0.0;        // that the run may take; 0: any
    std::function<bool()> stop;  // is asked now and then: shall the sweep end?
  };
  // Nothing if the sweep has to end. UnknownColumn if a column is to be recorded that there is not.
  std::optional<CaseRecord> run(std::uint64_t number, std::span<const double> values, const Limits& limits) const;

 private:
  Overrides with(const std::vector<std::string>& names, std::span<const double> values) const;
  Outcome outcome(std::span<const double> values, const RunOptions& options, Recording& recording) const;

  const SweptModel model_;
  const Task& task_;
  const std::vector<std::string> names_;
  const RecordingChoice choice_;
  std::vector<std::string> parameters_;  // that stand for the names in what is shared
  std::optional<Prepared> prepared_;
};

}  // namespace invar
