// See callables.h.
#include "python/callables.h"

#include <algorithm>
#include <memory>

#include "invar/base/message.h"
#include "invar/task/control/controller.h"
#include "invar/task/run/simulate_settings.h"

namespace invar::python {

namespace {

class Callable {
 public:
  explicit Callable(py::object function)
      : function_(new py::object(std::move(function)), [](const py::object* f) {
          if (!Py_IsInitialized()) return;  // the process ends, and what it leaves is gone with it
          const py::gil_scoped_acquire lock;
          delete f;
        }) {}

  // With Python's lock held.
  template <class... Arguments>
  py::object operator()(const Arguments&... arguments) const {
    try {
      return (*function_)(arguments...);
    } catch (py::error_already_set& e) {
      if (!e.matches(PyExc_KeyboardInterrupt)) throw;
    }
    py::object result = (*function_)(arguments...);  // Ctrl-C can come at any place; a second one ends the run here
    PyErr_SetInterrupt();
    return result;
  }

 private:
  std::shared_ptr<const py::object> function_;
};

double number_of(const py::handle& result, const std::string& who) {
  const double x = PyFloat_AsDouble(result.ptr());
  if (x != -1.0 || !PyErr_Occurred()) return x;
  PyErr_Clear();
  throw InputError(who + " must be a number, not " + std::string(py::str(py::type::of(result).attr("__name__"))));
}

InputSignal signal_of(const std::string& input, const py::object& function) {
  const Callable call(function);
  return {input, {}, {}, {}, [call, who = "input " + in_quotes(input) + ": what its function returns"](double t) {
            const py::gil_scoped_acquire lock;
            return number_of(call(t), who);
          }};
}

ControlLaw law_of(const py::object& function, const std::vector<std::string>& inputs) {
  const Callable call(function);
  return [call, inputs](const Sample& x, std::span<double> u) {
    const py::gil_scoped_acquire lock;
    take_inputs(call(x.t, copied(x.q), copied(x.v)), inputs, u, "controller: what it returns");
  };
}

}  // namespace

std::vector<std::string> names_of_inputs(const System& system) {
  std::vector<std::string> names;
  for (const Input& input : system.inputs) names.push_back(input.name);
  return names;
}

void take_inputs(const py::handle& given, const std::vector<std::string>& names, std::span<double> values,
                 const std::string& who) {
  if (py::isinstance<py::dict>(given)) {
    for (const auto& [name, value] : py::reinterpret_borrow<py::dict>(given)) {
      const std::string key = py::str(name);
      const auto place = std::ranges::find(names, key);
      if (place == names.end()) throw InputError(who + ": unknown input " + in_quotes(key) + suggestion(key, names));
      values[static_cast<std::size_t>(place - names.begin())] = number_of(value, who + ": " + in_quotes(key));
    }
    return;
  }
  const std::optional<Numbers> array = numbers_of(given);
  if (!array) throw InputError(who + " must be numbers");
  const bool alone = array->ndim() == 0 && names.size() == 1;
  if (!alone && (array->ndim() != 1 || static_cast<std::size_t>(array->size()) != names.size()))
    throw InputError(who + " must have shape (" + std::to_string(names.size()) + ",)");
  std::copy_n(array->data(), array->size(), values.begin());
}

void give_functions(const py::dict& functions, Problem& problem) {
  const std::vector<std::string> names = names_of_inputs(problem.system);
  if (functions.contains("inputs")) {
    std::vector<InputSignal>& signals = problem.settings.of<SimulateSettings>().inputs;
    for (const auto& [name, function] : functions["inputs"].cast<py::dict>()) {
      const std::string key = py::str(name);
      if (std::ranges::find(names, key) == names.end())
        throw InputError("[simulate]: inputs: unknown input " + in_quotes(key) + suggestion(key, names));
      signals.push_back(signal_of(key, py::reinterpret_borrow<py::object>(function)));
    }
  }
  if (functions.contains("controller"))
    problem.settings.of<ControlSettings>().law = law_of(functions["controller"], names);
}

}  // namespace invar::python
