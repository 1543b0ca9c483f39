// Sweeps: designs, runs of their cases, what follows from their results.
#include <algorithm>

#include "app/results/work.h"
#include "invar/report/sweep/sweep_page.h"
#include "invar/sample/design.h"
#include "invar/sample/sensitivity.h"
#include "invar/sample/statistics.h"
#include "invar/sweep/device_cases.h"
#include "invar/sweep/run_cases.h"
#include "invar/task/table/tasks.h"
#include "python/watch.h"

namespace invar::python {

namespace {

using Matrix = py::array_t<double, py::array::c_style | py::array::forcecast>;
using GivenFactor = std::pair<std::vector<std::string>, std::vector<py::object>>;

std::span<const double> numbers_of(const Numbers& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

Factor factor_of(const GivenFactor& given) {
  Factor factor = {given.first, {}};
  for (std::size_t k = 0; k < given.second.size(); ++k) {
    const py::object& values = given.second[k];
    try {
      factor.values.push_back(py::isinstance<py::str>(values) ? ValueSet::read(values.cast<std::string>())
                                                              : ValueSet::list(values.cast<std::vector<double>>()));
    } catch (const InputError& e) {
      throw InputError("sweep: " + given.first[k] + ": " + e.what());
    }
  }
  return factor;
}

// Names, those that are drawn, the values of all cases, and the design in words.
py::tuple design(const std::vector<GivenFactor>& given, const std::string& sampling, std::uint64_t samples,
                 std::uint64_t seed) {
  std::vector<Factor> factors;
  std::vector<std::string> drawn;
  for (const GivenFactor& one : given) {
    factors.push_back(factor_of(one));
    if (factors.back().values.front().is_drawn()) drawn.push_back(factors.back().names.front());
  }
  const auto made = [&] {
    try {
      return Design(std::move(factors), sampling_named(sampling), samples, seed);
    } catch (const InputError& e) {
      throw InputError(std::string("sweep: ") + e.what());
    }
  }();
  const std::size_t columns = made.names().size();
  Matrix values({static_cast<py::ssize_t>(made.size()), static_cast<py::ssize_t>(columns)});
  for (std::uint64_t k = 0; k < made.size(); ++k) made.set_case(k, {values.mutable_data() + k * columns, columns});
  return py::make_tuple(made.names(), drawn, values, made.words());
}

// Cases as they stand in the rows of a table.
Design listed(const std::vector<std::string>& names, const Matrix& values) {
  Factor table = {names, {}};
  const auto rows = static_cast<std::size_t>(values.shape(0)), columns = static_cast<std::size_t>(values.shape(1));
  for (std::size_t c = 0; c < columns; ++c) {
    std::vector<double> list(rows);
    for (std::size_t k = 0; k < rows; ++k) list[k] = values.data()[k * columns + c];
    table.values.push_back(ValueSet::list(std::move(list)));
  }
  return Design({std::move(table)}, Sampling::random, 0, 0);
}

py::tuple result_of(const CaseRecord& record) {
  py::list names, series;
  Numbers numbers(std::vector<py::ssize_t>{static_cast<py::ssize_t>(record.numbers.size())});
  for (std::size_t k = 0; k < record.numbers.size(); ++k) {
    names.append(record.numbers[k].name);
    numbers.mutable_data()[k] = record.numbers[k].value;
  }
  for (const NamedSeries& s : record.series) series.append(py::make_tuple(s.name, copied(s.values)));
  return py::make_tuple(std::string(name_of(record.status)), record.reason, names, numbers, series);
}

// The results of the rows of `values`, in their order; their runs share threads and whatever was derived.
py::list run_rows(const model::Document& document, const std::string& verb, const py::dict& parameters,
                  const std::optional<std::string>& formulation, const std::vector<std::string>& names,
                  const Matrix& values, const std::vector<std::string>& record, double limit, const std::string& device,
                  std::size_t threads, const py::object& progress) {
  if (values.ndim() != 2 || static_cast<std::size_t>(values.shape(1)) != names.size())
    throw InputError("sweep: each case needs a value of every quantity");
  const Task* task = find_task(verb);
  if (task == nullptr) throw InputError("sweep: there is no task " + verb);
  SweepSettings settings;
  settings.task = verb;
  settings.record = record;
  settings.limit = limit;
  settings.device = device;
  if (const auto error = find_error(settings)) throw InputError("sweep: " + error->setting + " " + error->rule);
  const SweptModel model = {document, overrides_of(parameters), formulation, {}};
  const auto rows = static_cast<std::size_t>(values.shape(0));
  std::vector<CaseRecord> records(rows);
  RunWatch watch(progress, static_cast<double>(std::max<std::size_t>(1, rows)));
  if (rows > 0) {
    const Design cases = listed(names, values);
    const py::gil_scoped_release released;
    const CaseRunner runner(model, *task, names, {values.data(), names.size()}, RecordingChoice(settings.recorded()));
    CaseQueue queue(rows, {}, std::vector<bool>(rows));
    std::size_t ended = 0;
    CaseWork work = {.runner = runner, .design = cases};
    work.limits = {limit, [&] { return watch.stop(); }};
    work.threads = std::max<std::size_t>(1, threads);
    work.deliver = [&](const CaseRecord& found) {
      records[found.number] = found;
      watch.keep_going(static_cast<double>(++ended));
    };
    if (const auto batches = DeviceCases::choose(runner, settings, cases, work.threads))
      batches->run(work, queue);
    else
      run_cases(work, queue);
  }
  watch.rethrow_all();
  py::list results;
  for (const CaseRecord& found : records) results.append(result_of(found));
  return results;
}

SweepTable swept_table(const py::dict& given) {
  SweepTable table;
  const auto matrix = [&](const char* key) {
    const auto array = given[key].cast<Numbers>();
    return std::vector<double>(array.data(), array.data() + array.size());
  };
  table.varied = given["varied"].cast<std::vector<std::string>>();
  table.figures = given["figures"].cast<std::vector<std::string>>();
  table.values = matrix("values");
  table.numbers = matrix("numbers");
  for (const auto& word : given["status"].cast<std::vector<std::string>>())
    for (const CaseStatus status : {CaseStatus::done, CaseStatus::failed, CaseStatus::stopped})
      if (name_of(status) == word) table.status.push_back(status);
  table.reasons = given["reasons"].cast<std::vector<std::string>>();
  table.name = given["name"].cast<std::string>();
  table.task = given["task"].cast<std::string>();
  table.summary = given["summary"].cast<std::string>();
  table.model = given["model"].cast<std::string>();
  table.version = program_version();
  return table;
}

std::string page_of_sweep(const py::dict& given, const std::string& folder) {
  SweepTable table = swept_table(given);
  std::map<std::string, std::vector<std::vector<double>>> series;
  for (const auto& [name, rows] : given["series"].cast<std::map<std::string, std::vector<Numbers>>>()) {
    table.series.push_back(name);
    for (const Numbers& row : rows) series[name].emplace_back(row.data(), row.data() + row.size());
  }
  return unlocked(
      [&] { return sweep_page({table, folder, [&](const std::string& name) { return series.at(name); }, {}}); });
}

void write_csv(const py::dict& given, const std::string& path) {
  const SweepTable table = swept_table(given);
  SweepCsv file(path, table);
  for (std::size_t k = 0; k < table.cases(); ++k)
    file.add(table.values_of(k), table.status[k], table.reasons[k], table.figures_of(k));
  file.finish();
}

py::list indices(const Numbers& results, std::size_t drawn, double confidence) {
  if (drawn == 0 || results.size() % static_cast<py::ssize_t>(drawn + 2) != 0)
    throw InputError("sensitivity: these are no results of whole base samples");
  SensitivityOptions options;
  options.confidence = confidence;
  const SensitivityResult found = sobol_indices(numbers_of(results), drawn, options);
  const auto triple = [](const SensitivityIndex& i) { return py::make_tuple(i.value, i.low, i.high); };
  py::list list;
  for (const Sensitivity& s : found.of) list.append(py::make_tuple(triple(s.first_order), triple(s.total)));
  return list;
}

}  // namespace

void bind_sweeps(py::module_& module) {
  module.def("design", &design, py::arg("factors"), py::arg("sampling"), py::arg("samples"), py::arg("seed"));
  module.def("run_rows", &run_rows, py::arg("document"), py::arg("verb"), py::arg("parameters"), py::arg("formulation"),
             py::arg("names"), py::arg("values"), py::arg("record"), py::arg("limit"), py::arg("device"),
             py::arg("threads"), py::arg("progress"));
  module.def("sweep_page", &page_of_sweep, py::arg("table"), py::arg("folder"));
  module.def("write_sweep_csv", &write_csv, py::arg("table"), py::arg("path"));
  module.def("sobol_indices", &indices, py::arg("results"), py::arg("drawn"), py::arg("confidence"));
  module.def("pearson",
             [](const Numbers& x, const Numbers& y) { return pearson_correlation(numbers_of(x), numbers_of(y)); });
  module.def("spearman",
             [](const Numbers& x, const Numbers& y) { return spearman_correlation(numbers_of(x), numbers_of(y)); });
}

}  // namespace invar::python
