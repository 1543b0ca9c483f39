// The Python module `invar._invar`.
#include "python/binding.h"

PYBIND11_MODULE(_invar, module) {
  using namespace invar::python;
  module.doc() = "Constrained mechanical systems: what the package invar is built on.";
  bind_errors(module);
  bind_documents(module);
  bind_problems(module);
  bind_runs(module);
  bind_expressions(module);
  bind_functions(module);
  bind_simulator(module);
  bind_swarm(module);
  bind_sweeps(module);
  bind_command(module);
}
