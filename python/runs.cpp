// Runs: a task of a prepared problem, and what it leaves behind.
#include "app/results/results.h"
#include "app/results/work.h"
#include "invar/base/interrupt.h"
#include "invar/report/page/run_words.h"
#include "invar/task/table/tasks.h"
#include "python/finished_run.h"
#include "python/watch.h"

namespace invar::python {

namespace {

std::shared_ptr<FinishedRun> run(const Prepared& prepared, const std::string& verb, const py::dict& parameters,
                                 bool compile, const py::object& progress) {
  const Task* task = find_task(verb);
  if (task == nullptr) throw InputError("there is no task \"" + verb + "\"");
  const Overrides overrides = overrides_of(parameters);
  RunWatch watch(progress, task->tells_fraction ? 1.0 : task->end(prepared.problem()));
  RunOptions options;
  if (compile) options.compiler = app::user_compiler();
  options.keep_going = [&](double t) { return watch.keep_going(t); };
  std::shared_ptr<FinishedRun> finished;
  {
    const py::gil_scoped_release released;
    const auto ran_so_far = [&] {
      const InterruptScope scope([&] { return watch.stop(); });
      return app::run_to_some_end(*task, prepared, overrides, options);
    };
    app::Ran ran = ran_so_far();
    finished = std::make_shared<FinishedRun>(with_parameters(prepared.problem(), overrides), std::move(ran.outcome),
                                             watch.stopped());
  }
  watch.rethrow();
  return finished;
}

// Rows and columns of a table; its owner is the run that it belongs to.
py::tuple table_of(const Trajectory& table, const py::object& owner) {
  const std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(table.rows()),
                                          static_cast<py::ssize_t>(table.columns.size())};
  return py::make_tuple(table.columns, view(table.values, shape, owner));
}

py::dict tables_of(const py::object& self) {
  py::dict tables;
  for (const Outcome::Table& t : self.cast<const FinishedRun&>().outcome.tables)
    tables[py::str(t.name)] = table_of(t.rows, self);
  return tables;
}

py::dict texts_of(const FinishedRun& run) {
  py::dict texts;
  for (const Outcome::Text& t : run.outcome.texts) texts[py::str(t.name)] = t.text;
  return texts;
}

void save(const FinishedRun& run, const std::string& folder, const std::string& format,
          const std::set<std::string, std::less<>>& options, const std::vector<double>& snapshots) {
  const py::gil_scoped_release released;
  ResultFolder results(folder);
  app::ResultRows rows(results.path(), format);
  app::OutputChoice choice{options, snapshots, format};
  if (run.outcome.trajectory.rows() == 0) choice.options.insert("--no-report");
  app::write_results({run.problem, run.outcome, choice, rows}, results);
}

}  // namespace

py::array_t<double> view(std::span<const double> values, const std::vector<py::ssize_t>& shape,
                         const py::handle& owner) {
  py::array_t<double> array(shape, values.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

void bind_runs(py::module_& module) {
  RunClass type(module, "Run");
  type.def_property_readonly(
          "table", [](const py::object& self) { return table_of(self.cast<FinishedRun&>().outcome.trajectory, self); })
      .def_property_readonly("tables", &tables_of)
      .def_property_readonly("texts", &texts_of)
      .def_property_readonly("summary", [](const FinishedRun& r) { return to_json(r.outcome.summary); })
      .def_property_readonly("status", [](const FinishedRun& r) { return name_of(r.outcome.summary.status); })
      .def_readonly("interrupted", &FinishedRun::interrupted)
      .def_property_readonly("message", [](const FinishedRun& r) { return r.outcome.summary.message; })
      .def_property_readonly("words", [](const FinishedRun& r) { return run_in_words(r.outcome.summary); })
      .def("save", &save, py::arg("folder"), py::arg("format"), py::arg("options"), py::arg("snapshots"));
  bind_pictures(module, type);
  module.def("run", &run, py::arg("problem"), py::arg("verb"), py::arg("parameters"), py::arg("compile"),
             py::arg("progress"));
}

}  // namespace invar::python
