// A simulation step by step: the stepper of a prepared simulation, with inputs held over each step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/results/work.h"
#include "invar/base/error.h"
#include "invar/base/message.h"
#include "invar/system/all_multipliers.h"
#include "invar/task/run/simulate_settings.h"
#include "invar/task/simulate/prepared_simulation.h"
#include "invar/task/simulate/step_advance.h"
#include "python/callables.h"
#include "python/watch.h"

namespace invar::python {

namespace {

struct Snapshot {
  Stepper::Memory node;
  std::vector<double> held;
};

class Simulator {
 public:
  explicit Simulator(const Prepared& prepared)
      : prepared_(prepared),
        ready_(prepare(prepared_)),
        settings_(prepared_.problem().settings.of<SimulateSettings>()),
        stepper_(ready_.stepper()),
        observer_(ready_.observer),
        inputs_(ready_.inputs),
        names_(names_of_inputs(system())),
        multipliers_(prepared_.problem().system, ready_.system()),
        held_(system().inputs.size()),
        row_(observer_.columns().size()) {
    if (settings_.adaptive > 0.0) throw InputError("simulator: all steps are equal; leave out \"adaptive\"");
    reset(py::none(), py::none(), 0.0);
  }

  double step_size() const { return settings_.step; }
  double t() const { return stepper_.t(); }
  Numbers q() const { return copied(stepper_.q()); }
  Numbers v() const { return copied(stepper_.v()); }
  Numbers multipliers() { return copied(multipliers_.all(stepper_.lambda())); }
  Numbers inputs() const { return copied(held_); }
  const std::vector<std::string>& columns() const { return observer_.columns(); }

  void step(const py::object& u, int count) {
    const InUse use(busy_);
    if (count < 0) throw InputError("simulator: \"count\" must not be negative");
    const bool given = !u.is_none();
    if (given) hold(u);
    const Stepper::Inputs values = [&](double t, std::span<double> out) {
      given ? void(std::ranges::copy(held_, out.begin())) : inputs_(t, out);
    };
    if (count == 1) return advance_once(values);
    RunWatch watch(py::none(), 0.0);
    {
      const py::gil_scoped_release released;
      for (int k = 0; k < count && !watch.stop(); ++k) advance_once(values);
    }
    watch.rethrow_all();
  }

  // A row of results where the simulation is now.
  Numbers row() {
    const InUse use(busy_);
    const std::vector<double> parameters = parameter_values(system());
    observer_.observe(stepper_.t(), stepper_.q(), stepper_.v(), multipliers_.all(stepper_.lambda()), held_, parameters,
                      row_);
    return copied(row_);
  }

  void reset(const py::object& q, const py::object& v, double t) {
    const InUse use(busy_);
    if (!std::isfinite(t)) throw InputError("simulator: t must be finite");
    State wanted = ready_.start.point().state;
    wanted.t = t;
    if (!q.is_none()) wanted.q = numbers(q, "q", wanted.q.size());
    if (!v.is_none()) wanted.v = numbers(v, "v", wanted.v.size());
    const bool as_given = q.is_none() && v.is_none() && t == 0.0;
    unlocked([&] {
      if (!as_given) {
        inputs_(t, held_);
        wanted = ready_.start.consistent(wanted, held_);
      }
      stepper_.start(wanted, settings_.step);
      inputs_(stepper_.t(), held_);
    });
    begin_ = stepper_.t();
    done_ = 0;
  }

  Snapshot snapshot() const {
    Snapshot s{{}, held_};
    stepper_.save(s.node);
    return s;
  }

  void restore(const Snapshot& snapshot) {
    const InUse use(busy_);
    Stepper::Memory present;
    stepper_.save(present);
    if (present.node.size() != snapshot.node.node.size() || held_.size() != snapshot.held.size())
      throw InputError("simulator: the snapshot is of another model");
    stepper_.start(ready_.start.point().state, settings_.step);  // forgets where earlier steps led
    stepper_.restore(snapshot.node);
    held_ = snapshot.held;
    begin_ = snapshot.node.t;
    done_ = 0;
  }

 private:
  static const PreparedSimulation& prepare(const Prepared& prepared) {
    return *unlocked(
        [&] { return app::about(prepared.problem(), [&] { return &prepared.part<PreparedSimulation>(); }); });
  }
  const System& system() const { return prepared_.problem().system; }

  static std::vector<double> numbers(const py::object& given, const char* what, std::size_t count) {
    const std::optional<Numbers> array = numbers_of(given);
    if (!array) throw InputError(std::string("simulator: ") + what + " must be numbers");
    if (array->ndim() != 1 || static_cast<std::size_t>(array->size()) != count)
      throw InputError(std::string("simulator: ") + what + " must have shape (" + std::to_string(count) + ",)");
    std::vector<double> values(array->data(), array->data() + array->size());
    for (const double x : values)
      if (!std::isfinite(x)) throw InputError(std::string("simulator: ") + what + " must be finite");
    return values;
  }

  void hold(const py::object& u) {
    wanted_ = held_;
    take_inputs(u, names_, wanted_, "simulator: u");
    for (const double x : wanted_)
      if (!std::isfinite(x)) throw InputError("simulator: u must be finite");
    held_ = wanted_;
  }

  void advance_once(const Stepper::Inputs& values) {
    const double next = begin_ + static_cast<double>(done_ + 1) * settings_.step;
    const Advance done = advance(stepper_, next - stepper_.t(), values, memory_, summary_);
    if (!done.done) throw StepError(failure_in_words(stepper_, done, settings_.step));
    const auto is_finite = [](double x) { return std::isfinite(x); };
    if (!std::ranges::all_of(stepper_.q(), is_finite) || !std::ranges::all_of(stepper_.v(), is_finite)) {
      stepper_.restore(memory_);
      throw StepError("the motion has diverged, or a formula has no value there; try a smaller step");
    }
    stepper_.set_t(next);
    ++done_;
    values(next, held_);
  }

  const Prepared prepared_;
  const PreparedSimulation& ready_;
  const SimulateSettings& settings_;
  Stepper stepper_;
  Stepper::Memory memory_;
  Observer observer_;
  InputValues inputs_;
  const std::vector<std::string> names_;  // of inputs
  AllMultipliers multipliers_;
  Summary summary_;
  std::vector<double> held_, wanted_, row_;
  double begin_ = 0.0;
  std::int64_t done_ = 0;
  std::atomic_flag busy_;
};

}  // namespace

void bind_simulator(py::module_& module) {
  py::class_<Snapshot>(module, "Snapshot")
      .def_property_readonly("t", [](const Snapshot& s) { return s.node.t; })
      .def("__repr__", [](const Snapshot& s) { return fmt::format("<Snapshot at t = {:g} s>", s.node.t); })
      .def(
          py::pickle([](const Snapshot& s) { return py::make_tuple(s.node.t, s.node.has_lambda, s.node.node, s.held); },
                     [](const py::tuple& t) {
                       return Snapshot{{t[0].cast<double>(), t[1].cast<bool>(), t[2].cast<std::vector<double>>()},
                                       t[3].cast<std::vector<double>>()};
                     }));
  py::class_<Simulator>(module, "Simulator")
      .def(py::init<const Prepared&>(), py::arg("problem"))
      .def_property_readonly("step_size", &Simulator::step_size, "The step, in seconds.")
      .def_property_readonly("t", &Simulator::t, "The time.")
      .def_property_readonly("q", &Simulator::q, "The coordinates, as a copy.")
      .def_property_readonly("v", &Simulator::v, "The velocities, as a copy.")
      .def_property_readonly("multipliers", &Simulator::multipliers, "Of the constraints, as a copy.")
      .def_property_readonly("inputs", &Simulator::inputs, "The inputs that were held over the last step.")
      .def_property_readonly("columns", &Simulator::columns, "Names of the numbers that row() and observe() give.")
      .def(
          "step", &Simulator::step, py::arg("u") = py::none(), py::arg("count") = 1,
          "Goes on by `count` steps with the inputs `u` held: numbers in the order of model.inputs, or a dict of some\n"
          "of them. Without `u` the inputs are those of [simulate]. A step that fails raises NumericsError.")
      .def("row", &Simulator::row, "The numbers of all `columns` at this instant.")
      .def(
          "reset", &Simulator::reset, py::arg("q") = py::none(), py::arg("v") = py::none(), py::arg("t") = 0.0,
          "Begins again at the start of the model, or at other values, which are made consistent with the constraints.")
      .def("snapshot", &Simulator::snapshot, "Remembers where the simulation is; can be pickled.")
      .def("restore", &Simulator::restore, py::arg("snapshot"),
           "Returns to a snapshot, also of another simulator of the same model and settings.");
}

}  // namespace invar::python
