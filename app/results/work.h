// What is done with a model, whoever asks for it: the command line, or Python.
#pragma once

#include <optional>
#include <string>

#include "invar/base/error.h"
#include "invar/record/file.h"
#include "invar/task/check/verdict.h"
#include "invar/task/run/task.h"

namespace invar::app {

// Where the pages of the documentation stand, for the links of reports: $INVAR_DOCUMENTATION, or nothing.
std::string documentation_address();

// Machine code is kept in the user's own cache folder.
Compiler user_compiler();

// The result of work on a problem, with the file at fault in front of what it says about the model.
template <class Work>
auto about(const Problem& problem, const Work& work) {
  try {
    return work();
  } catch (const FileError&) {  // nothing is wrong with the model
    throw;
  } catch (const InputError& e) {
    throw InputError(problem.file + ": " + e.what());
  }
}

// A verdict with what the tasks have to say before they run.
struct Checked {
  Verdict verdict;
  std::string words;                  // a fact in each line
  std::optional<InputError> refusal;  // of a task that the model asks for
};
Checked check_with_tasks(const Problem& problem);

// What a run that has come to nothing yet says of itself.
Outcome nothing_yet(const Task& task, const Problem& problem, const RunOptions& options);

// A task that ran to some end. A task that was stopped before it had any rows leaves what the model was, and why there
// is nothing.
struct Ran {
  Outcome outcome;
  bool without_rows = false;
};
Ran run_to_some_end(const Task& task, const Prepared& prepared, const Overrides& parameters, const RunOptions& options);

}  // namespace invar::app
