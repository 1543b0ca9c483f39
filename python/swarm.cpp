// Many simulations side by side.
#include "invar/task/simulate/swarm.h"

#include <algorithm>
#include <cmath>

#include "app/results/work.h"
#include "python/watch.h"

namespace invar::python {

namespace {

using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;

class PythonSwarm {
 public:
  PythonSwarm(const Prepared& prepared, std::size_t count)
      : swarm_(unlocked([&] { return app::about(prepared.problem(), [&] { return Swarm(prepared, count); }); })) {}

  void advance(const Rows& u, int steps, int threads) {
    const InUse use(busy_);
    expect(u, swarm_.count(), swarm_.inputs(), "u");
    const std::span<const double> values(u.data(), static_cast<std::size_t>(u.size()));
    constexpr int at_once = 64;  // steps, between which Ctrl-C is heard
    RunWatch watch(py::none(), 0.0);
    {
      const py::gil_scoped_release released;
      for (int k = 0; k < steps && !watch.stop(); k += at_once)
        swarm_.advance(values, std::min(at_once, steps - k), threads);
    }
    watch.rethrow_all();
  }

  void start(std::size_t p, const Rows& q, const Rows& v) {
    const InUse use(busy_);
    if (p >= swarm_.count()) throw InputError("swarm: there is no such simulation");
    expect(q, swarm_.coordinates(), "q");
    expect(v, swarm_.coordinates(), "v");
    const std::span places(q.data(), swarm_.coordinates()), rates(v.data(), swarm_.coordinates());
    unlocked([&] { swarm_.start(p, places, rates); });
  }

  // t, q, v of all, and which of them cannot go on.
  py::tuple state() {
    const InUse use(busy_);
    const std::size_t count = swarm_.count(), n = swarm_.coordinates();
    const auto rows = static_cast<py::ssize_t>(count), columns = static_cast<py::ssize_t>(n);
    Numbers t(std::vector<py::ssize_t>{rows}), q({rows, columns}), v({rows, columns});
    py::array_t<bool> failed(std::vector<py::ssize_t>{rows});
    for (std::size_t p = 0; p < count; ++p) {
      t.mutable_data()[p] = swarm_.t(p);
      failed.mutable_data()[p] = swarm_.failed(p);
      swarm_.state(p, {q.mutable_data() + p * n, n}, {v.mutable_data() + p * n, n});
    }
    return py::make_tuple(t, q, v, failed);
  }

  const Swarm& swarm() const { return swarm_; }

 private:
  static void expect_finite(const Rows& array, const char* what) {
    for (py::ssize_t i = 0; i < array.size(); ++i)
      if (!std::isfinite(array.data()[i])) throw InputError(std::string("swarm: ") + what + " must be finite");
  }
  static void expect(const Rows& array, std::size_t count, const char* what) {
    if (array.ndim() != 1 || static_cast<std::size_t>(array.size()) != count)
      throw InputError(std::string("swarm: ") + what + " must have shape (" + std::to_string(count) + ",)");
    expect_finite(array, what);
  }
  static void expect(const Rows& array, std::size_t rows, std::size_t columns, const char* what) {
    if (array.ndim() != 2 || static_cast<std::size_t>(array.shape(0)) != rows ||
        static_cast<std::size_t>(array.shape(1)) != columns)
      throw InputError(std::string("swarm: ") + what + " must have shape (" + std::to_string(rows) + ", " +
                       std::to_string(columns) + ")");
    expect_finite(array, what);
  }

  Swarm swarm_;
  std::atomic_flag busy_;
};

}  // namespace

void bind_swarm(py::module_& module) {
  py::class_<PythonSwarm>(module, "Swarm")
      .def(py::init<const Prepared&, std::size_t>(), py::arg("problem"), py::arg("count"))
      .def_property_readonly("in_lanes", [](const PythonSwarm& s) { return s.swarm().in_lanes(); })
      .def_property_readonly("step_size", [](const PythonSwarm& s) { return s.swarm().step_size(); })
      .def("advance", &PythonSwarm::advance, py::arg("u"), py::arg("steps"), py::arg("threads"))
      .def("start", &PythonSwarm::start, py::arg("number"), py::arg("q"), py::arg("v"))
      .def("state", &PythonSwarm::state);
}

}  // namespace invar::python
