// A run as Python holds it.
#pragma once

#include "invar/task/run/task.h"
#include "python/binding.h"

namespace invar::python {

struct FinishedRun {
  Problem problem;  // with the parameters of this run
  Outcome outcome;
  bool interrupted;  // by Ctrl-C, be it in the last moment
};
using RunClass = py::class_<FinishedRun, std::shared_ptr<FinishedRun>>;

// How runs are shown: curves as the report has them, what moves, several in one page.
void bind_pictures(py::module_& module, RunClass& run);

}  // namespace invar::python
