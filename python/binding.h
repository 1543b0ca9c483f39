// The parts of the module `invar._invar`, each bound in a file of its own. What they bind is thin: Python code in
// python/invar gives it names, types and words.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "invar/base/error.h"
#include "invar/model/file/document.h"
#include "invar/model/problem/overrides.h"
#include "invar/record/trajectory.h"
#include "invar/task/run/prepared.h"

namespace invar::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_documents(py::module_& module);
void bind_problems(py::module_& module);
void bind_runs(py::module_& module);
void bind_simulator(py::module_& module);
void bind_swarm(py::module_& module);
void bind_sweeps(py::module_& module);
void bind_functions(py::module_& module);
void bind_expressions(py::module_& module);
void bind_command(py::module_& module);

// A step that could not be done.
class StepError : public Error {
 public:
  using Error::Error;
};

// One thread at a time may use what goes on step by step; another is told so.
class InUse {
 public:
  explicit InUse(std::atomic_flag& flag) : flag_(flag) {
    if (flag_.test_and_set()) throw InputError("simulator: another thread is using it; give each thread its own");
  }
  ~InUse() { flag_.clear(); }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  std::atomic_flag& flag_;
};

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

// Values of a model file from Python objects: numbers, strings, lists, dicts, NumPy arrays and expressions. `where`
// names the argument in messages. InputError for anything else.
model::Value to_value(const py::handle& object, const std::string& where);
py::object from_value(const model::Value& value);

// Parameters by name, in the order of the dict.
Overrides overrides_of(const py::dict& parameters);

// A copy of numbers. Lengths are given as shapes: from a bare count pybind11 before 2.12 makes wrong distances with
// NumPy 2.
// Those of a list, an array …; none if anything else is among them.
inline std::optional<Numbers> numbers_of(const py::handle& given) {
  if (!py::isinstance<Numbers>(given)) {
    const py::array any = py::array::ensure(given);
    const char kind = any ? any.dtype().kind() : 'U';
    PyErr_Clear();
    if (std::string_view("biufO").find(kind) == std::string_view::npos) return std::nullopt;
    if (kind == 'O')  // NumPy takes None for not-a-number
      for (const py::handle& item : any.attr("ravel")())
        if (item.is_none()) return std::nullopt;
  }
  Numbers array = Numbers::ensure(given);
  PyErr_Clear();
  return array ? std::optional(std::move(array)) : std::nullopt;
}

inline Numbers copied(std::span<const double> values) {
  return Numbers(std::vector<py::ssize_t>{static_cast<py::ssize_t>(values.size())}, values.data());
}

// A view on numbers that `owner` keeps alive; nobody can write to it.
py::array_t<double> view(std::span<const double> values, const std::vector<py::ssize_t>& shape,
                         const py::handle& owner);

}  // namespace invar::python
