// What Python draws itself: groups, units and references of columns, the things that move; and runs in one page.
#include "invar/model/columns/column_groups.h"
#include "invar/record/observer.h"
#include "invar/report/page/page.h"
#include "invar/report/rows/energy_balance.h"
#include "invar/report/scene/make_scene.h"
#include "invar/report/scene/view.h"
#include "python/finished_run.h"
#include "python/watch.h"

namespace invar::python {

namespace {

std::map<std::string, std::string> units_of(const FinishedRun& run) {
  const ColumnGroups groups(run.problem);
  std::map<std::string, std::string> units = {{"t", "s"}};
  for (const std::string& column : run.outcome.trajectory.columns)
    if (const std::string unit = groups.unit_of(column); !unit.empty()) units[column] = unit;
  return units;
}

// Of the columns that the report shows.
std::map<std::string, std::string> groups_of(const FinishedRun& run) {
  const ColumnGroups groups(run.problem);
  std::map<std::string, std::string> found;
  for (const std::string& column : run.outcome.trajectory.columns)
    if (const auto group = groups.shown(column)) found[column] = *group;
  return found;
}

Numbers array_of(const std::vector<double>& values, std::vector<py::ssize_t> shape) {
  return Numbers(shape, values.data());
}

// What outputs shall follow, at the instants of the table.
py::dict references_of(const FinishedRun& run) {
  py::dict found;
  const std::vector<double> time = run.outcome.trajectory.column("t");
  for (const std::string& column : run.outcome.trajectory.columns)
    if (const TimeFunction* path = path_of(run.problem, column))
      found[py::str(column)] = array_of(values_at(*path, time), {static_cast<py::ssize_t>(time.size())});
  return found;
}

py::dict dict_of(const SceneItem& item, int dimension) {
  static constexpr const char* kinds[] = {"body",  "point", "line",  "spring", "circle",
                                          "joint", "arrow", "trace", "member"};
  static constexpr const char* shapes[] = {"none", "box", "cylinder", "sphere", "mesh"};
  const auto count = static_cast<py::ssize_t>(item.count);
  const auto frames = static_cast<py::ssize_t>(item.places.size()) / (count * dimension);
  py::dict found;
  found["kind"] = kinds[static_cast<std::size_t>(item.kind)];
  found["name"] = item.name;
  found["role"] = item.role;
  found["places"] = array_of(item.places, {frames, count, dimension});
  found["details"] = array_of(item.details, {static_cast<py::ssize_t>(item.details.size())});
  found["shape"] = shapes[static_cast<std::size_t>(item.shape.kind)];
  found["size"] = array_of(item.shape.size, {static_cast<py::ssize_t>(item.shape.size.size())});
  if (item.shape.kind == invar::Shape::Kind::mesh) {
    found["vertices"] = std::vector<double>(item.shape.mesh->vertices.begin(), item.shape.mesh->vertices.end());
    found["triangles"] = item.shape.mesh->triangles;
  }
  return found;
}

// The things that move, and the plane in which they are seen: `view` takes a place to it.
py::dict dict_of(const Scene& scene) {
  const View view(scene);
  std::vector<double> plane;
  for (Eigen::Index row = 0; row < 2; ++row)
    for (int axis = 0; axis < scene.dimension; ++axis) plane.push_back(view(Vector3::Unit(axis))(row));
  py::list items;
  for (const SceneItem& item : scene.items) items.append(dict_of(item, scene.dimension));
  py::dict found;
  found["time"] = array_of(scene.time, {static_cast<py::ssize_t>(scene.time.size())});
  found["view"] = array_of(plane, {2, scene.dimension});
  found["note"] = scene.note;
  found["held"] = scene.held;
  found["items"] = items;
  return found;
}

py::dict scene_of(const FinishedRun& run, std::size_t most) {
  return dict_of(unlocked(
      [&] { return make_scene(run.problem, run.outcome.trajectory, {.times = {}, .recorded = 0, .most = most}); }));
}

py::dict scene_of_state(const Prepared& prepared, double t, const Numbers& q, const Numbers& v, const Numbers& u) {
  const Problem& problem = prepared.problem();
  const System& system = problem.system;
  if (static_cast<std::size_t>(q.size()) != system.coordinates.size() || v.size() != q.size() ||
      static_cast<std::size_t>(u.size()) != system.inputs.size())
    throw InputError("picture: the state is that of another model");
  const auto list = [](const Numbers& x) { return std::span(x.data(), static_cast<std::size_t>(x.size())); };
  const std::span places = list(q), rates = list(v), inputs = list(u);
  return dict_of(unlocked([&] {
    Observer observer(system, problem.signals);
    Trajectory motion{observer.columns(), {}};
    const std::vector<double> lambda(system.constraints.size());
    observer.observe(t, places, rates, lambda, inputs, parameter_values(system), motion.append());
    return make_scene(problem, motion);
  }));
}

std::string page_of(const FinishedRun& run) {
  const Outcome& o = run.outcome;
  return report_page({run.problem, o.summary, o.trajectory, o.table("costates"), run.problem.text});
}

std::string page_of_several(const std::vector<std::pair<std::string, std::shared_ptr<FinishedRun>>>& runs) {
  return unlocked([&] {
    std::vector<StoredRun> stored;
    for (const auto& [name, run] : runs)
      stored.push_back({name, to_json(run->outcome.summary), run->outcome.trajectory, page_of(*run)});
    return comparison_page(stored);
  });
}

}  // namespace

void bind_pictures(py::module_& module, RunClass& run) {
  run.def_property_readonly("units", &units_of)
      .def_property_readonly("groups", &groups_of)
      .def_property_readonly("references", &references_of)
      .def_property_readonly("holds_inputs", [](const FinishedRun& r) { return holds_inputs(r.outcome.summary); })
      .def("scene", &scene_of, py::arg("most"))
      .def("page", [](const FinishedRun& r) { return unlocked([&] { return page_of(r); }); });
  module.def("scene_of_state", &scene_of_state, py::arg("problem"), py::arg("t"), py::arg("q"), py::arg("v"),
             py::arg("u"));
  module.def("comparison_page", &page_of_several, py::arg("runs"));
}

}  // namespace invar::python
