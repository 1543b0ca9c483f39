// Callables of Python as functions of the library: inputs over time, controllers. They may be copied and called in any
// thread, with or without Python's lock. What a callable raises passes through the run and is raised again behind it;
// of Ctrl-C it is told behind the call, so that the run keeps what was computed.
#pragma once

#include "invar/model/problem/problem.h"
#include "python/binding.h"

namespace invar::python {

// {"inputs": {NAME: f(t)}, "controller": f(t, q, v)} into the settings of a problem. InputError for an unknown input.
void give_functions(const py::dict& functions, Problem& problem);

// Numbers of Python into `values`, in this order, or by name from a dict, which leaves the others. InputError with
// `who` in front if they are no such numbers; they may be infinite.
void take_inputs(const py::handle& given, const std::vector<std::string>& names, std::span<double> values,
                 const std::string& who);

std::vector<std::string> names_of_inputs(const System& system);

}  // namespace invar::python
