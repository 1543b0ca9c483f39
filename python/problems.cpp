// Models that were read: prepared problems, with what Python wants to know of them.
#include "app/results/work.h"
#include "invar/base/message.h"
#include "invar/read/read_problem.h"
#include "invar/task/table/tasks.h"
#include "python/callables.h"
#include "python/watch.h"

namespace invar::python {

namespace {

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& item : list) {
    if constexpr (requires { item.name(); })
      names.push_back(item.name());
    else
      names.push_back(item.name);
  }
  return names;
}

py::dict parameters_of(const Prepared& prepared) {
  py::dict values;
  for (const Parameter& p : prepared.problem().system.parameters) values[py::str(p.name)] = p.value;
  return values;
}

// As the command line reads it for a task: settings that no file gives are the usual ones, and all are checked.
Prepared read(const model::Document& document, const std::string& verb, const py::dict& parameters,
              const std::optional<std::string>& formulation, const py::dict& functions) {
  const Overrides overrides = overrides_of(parameters);
  Problem problem = unlocked([&] { return read_problem(document, overrides, formulation); });
  app::about(problem, [&] { return give_functions(functions, problem), 0; });
  return unlocked([&] {
    if (const Task* task = find_task(verb)) app::about(problem, [&] { return task->take({}, problem), 0; });
    return Prepared(std::move(problem));
  });
}

// Can it have these values without being read again? Wrong ones it cannot have at all, and reading says why.
bool takes(const Prepared& prepared, const py::dict& parameters) {
  try {
    const Overrides overrides = overrides_of(parameters);
    unlocked([&] { return with_parameters(prepared.problem(), overrides); });
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// The verdict in words and as JSON.
std::pair<std::string, std::string> check_model(const Prepared& prepared, const py::dict& parameters) {
  const Overrides overrides = overrides_of(parameters);
  const app::Checked checked =
      unlocked([&] { return app::check_with_tasks(with_parameters(prepared.problem(), overrides)); });
  if (checked.refusal) throw InputError(*checked.refusal);
  return {checked.words, to_json(checked.verdict.summary)};
}

}  // namespace

void bind_problems(py::module_& module) {
  const auto system = [](const Prepared& p) -> const System& { return p.problem().system; };
  py::class_<Prepared>(module, "Problem")
      .def_property_readonly("name", [](const Prepared& p) { return p.problem().name; })
      .def_property_readonly("parameters", &parameters_of)
      .def_property_readonly("coordinates", [=](const Prepared& p) { return names_of(system(p).coordinates); })
      .def_property_readonly("constraints", [=](const Prepared& p) { return names_of(system(p).constraints); })
      .def_property_readonly("inputs", [=](const Prepared& p) { return names_of(system(p).inputs); })
      .def_property_readonly("outputs", [=](const Prepared& p) { return names_of(system(p).outputs); })
      .def("with_parameters",
           [](const Prepared& p, const py::dict& values) {
             const Overrides overrides = overrides_of(values);
             return unlocked([&] { return with_parameters(p, overrides); });
           })
      .def("takes", &takes, py::arg("parameters"))
      .def("check", &check_model, py::arg("parameters"));
  module.def("read", &read, py::arg("document"), py::arg("verb"), py::arg("parameters"), py::arg("formulation"),
             py::arg("functions"));
  module.def("tasks", [] {
    std::vector<std::pair<std::string, std::string>> list;
    for (const Task* task : tasks()) list.emplace_back(task->verb, task->help);
    return list;
  });
  module.def("suggestion", &suggestion, py::arg("name"), py::arg("known"));
}

}  // namespace invar::python
