// Formulas as functions of NumPy arrays: many points at a time in lanes, as in C++.
#include "invar/tape/function.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <thread>

#include "invar/base/message.h"
#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"
#include "invar/system/equations.h"
#include "invar/system/formula_text.h"
#include "invar/system/reference_values.h"
#include "python/binding.h"

namespace invar::python {

namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Column = py::array_t<double, py::array::forcecast>;  // at any distance
using Shape = std::vector<std::size_t>;

// A list of formulas in rows, columns …
struct Formulas {
  Exprs values;
  Shape shape;
};

Formulas list_of(const Exprs& values) { return {values, {values.size()}}; }
Formulas matrix_of(const SparseExprs& m) {
  return {dense(m), {static_cast<std::size_t>(m.pattern.rows), static_cast<std::size_t>(m.pattern.cols)}};
}

Exprs expressions_of(const std::vector<Quantity>& list) {
  Exprs values;
  for (const Quantity& y : list) values.push_back(y.expr);
  return values;
}

// Bᵀ, by rows: generalised force on each coordinate per unit of each input.
Formulas input_matrix(const System& system) {
  Formulas b{{}, {system.coordinates.size(), system.inputs.size()}};
  for (std::size_t i = 0; i < system.coordinates.size(); ++i)
    for (const Input& input : system.inputs) b.values.push_back(input.direction[i]);
  return b;
}

// f + Bᵀu − ∂V/∂q
Exprs forces(const Equations& e) {
  Exprs all;
  const Exprs slope = gradient(e.potential, e.q);
  for (std::size_t i = 0; i < e.q.size(); ++i) all.push_back(e.applied[i] - slope[i]);
  return all;
}

struct NamedFormulas {
  std::string_view name;
  Formulas (*of)(const System& system, const Equations& e);
};
// To offer another one is to add a line.
constexpr NamedFormulas named[] = {
    {"mass_matrix", [](const System&, const Equations& e) { return matrix_of(e.mass()); }},
    {"constraint_jacobian", [](const System&, const Equations& e) { return matrix_of(e.gradient); }},
    {"constraints", [](const System&, const Equations& e) { return list_of(e.constraint); }},
    {"constraint_rates", [](const System&, const Equations& e) { return list_of(e.constraint_rate); }},
    {"constraint_accelerations", [](const System&, const Equations& e) { return list_of(e.constraint_acceleration); }},
    {"forces", [](const System&, const Equations& e) { return list_of(forces(e)); }},
    {"reactions", [](const System&, const Equations& e) { return list_of(e.reaction); }},
    {"residual", [](const System&, const Equations& e) { return list_of(e.dynamics); }},
    {"momentum", [](const System&, const Equations& e) { return list_of(e.momentum); }},
    {"input_matrix", [](const System& s, const Equations&) { return input_matrix(s); }},
    {"kinetic", [](const System&, const Equations& e) { return Formulas{{e.kinetic}, {}}; }},
    {"potential", [](const System&, const Equations& e) { return Formulas{{e.potential}, {}}; }},
    {"energy", [](const System&, const Equations& e) { return Formulas{{e.energy}, {}}; }},
    {"outputs", [](const System& s, const Equations&) { return list_of(expressions_of(s.outputs)); }},
    {"output_jacobian",
     [](const System& s, const Equations& e) { return matrix_of(jacobian(expressions_of(s.outputs), e.q)); }},
};

Formulas formulas_called(const System& system, const std::string& what) {
  const auto found = std::ranges::find(named, what, &NamedFormulas::name);
  if (found != std::end(named)) return found->of(system, equations(system));
  for (const Quantity& y : system.outputs)
    if (y.name == what) return {{y.expr}, {}};
  return {{formula(system, what)}, {}};
}

// Which symbols of a system form an argument, such as q.
struct Argument {
  std::string name;
  Exprs symbols;
  bool single = false;  // a number, not a list
};

std::string symbol_name(const Expr& symbol) {
  return symbol.name() + std::string(static_cast<std::size_t>(symbol.order()), '\'');
}

class ArrayFunction {
 public:
  ArrayFunction(Formulas formulas, std::vector<Argument> arguments, std::vector<Parameter> parameters,
                std::vector<Reference> signals)
      : formulas_(std::move(formulas)),
        arguments_(std::move(arguments)),
        parameters_(std::move(parameters)),
        signals_(std::move(signals)),
        references_(formulas_.values, signals_),
        inputs_(used_inputs()),
        function_(inputs_, formulas_.values) {}

  const Shape& shape() const { return formulas_.shape; }

  // Names of the arguments that the formulas contain, and for each how many numbers it has and which of them are
  // needed; they are the first columns that evaluate() takes, in this order, then come parameters.
  py::list arguments() const {
    py::list list;
    for (const Argument& a : arguments_) {
      std::vector<std::size_t> needed;
      for (std::size_t i = 0; i < a.symbols.size(); ++i)
        if (is_used(a.symbols[i])) needed.push_back(i);
      const bool given = !needed.empty() || (a.single && !references_.symbols().empty());
      if (given) list.append(py::make_tuple(a.name, a.single ? 0 : a.symbols.size(), needed));
    }
    return list;
  }

  py::list parameters() const {
    py::list list;
    for (const Parameter& p : parameters_)
      if (is_used(p.symbol)) list.append(py::make_tuple(p.name, p.value));
    return list;
  }

  std::vector<std::string> symbols() const {
    std::vector<std::string> names;
    for (const Expr& x : inputs_) names.push_back(symbol_name(x));
    return names;
  }

  // Each column has the values of one symbol at all points, at any distance from each other; those of signals follow
  // from the times. The numbers of a point stand together in the result.
  Numbers evaluate(const std::vector<Column>& columns, const Column& times, std::size_t count, int threads) const {
    const std::size_t given = inputs_.size() - references_.symbols().size();
    if (columns.size() != given) throw InputError("function: needs " + std::to_string(given) + " columns of numbers");
    for (const Column& column : columns) expect_points(column, count);
    if (given < inputs_.size()) expect_points(times, count);
    Numbers out({static_cast<py::ssize_t>(count), static_cast<py::ssize_t>(formulas_.values.size())});
    std::vector<Points> points;
    for (const Column& column : columns) points.push_back({column.data(), column.strides(0)});
    const Points instants = given < inputs_.size() ? Points{times.data(), times.strides(0)} : Points{};
    double* results = out.mutable_data();
    const py::gil_scoped_release released;
    const std::size_t workers =
        std::clamp<std::size_t>(count / block, 1, static_cast<std::size_t>(std::max(threads, 1)));
    std::vector<std::jthread> others;
    for (std::size_t k = 1; k < workers; ++k)
      others.emplace_back(
          [&, k] { compute(points, instants, count * k / workers, count * (k + 1) / workers, results); });
    compute(points, instants, 0, count / workers, results);
    return out;
  }

  // As in C++: in has a row for each symbol and a column for each point, out a row for each formula.
  Numbers lanes(const Numbers& in) const {
    if (in.ndim() != 2 || static_cast<std::size_t>(in.shape(0)) != inputs_.size())
      throw InputError("function: needs " + std::to_string(inputs_.size()) + " rows of numbers");
    const auto count = static_cast<std::size_t>(in.shape(1));
    Numbers out({static_cast<py::ssize_t>(formulas_.values.size()), in.shape(1)});
    const std::span<double> results(out.mutable_data(), formulas_.values.size() * count);
    const std::span<const double> points(in.data(), inputs_.size() * count);
    const py::gil_scoped_release released;
    Scratch scratch;
    function_.lanes(count, points, results, scratch);
    return out;
  }

  // ∂/∂x of all formulas, x being a symbol, a parameter or an argument; its numbers come last in the shape.
  ArrayFunction differentiated(const std::string& by) const {
    Exprs symbols;
    Shape shape = formulas_.shape;
    for (const Argument& a : arguments_) {
      if (a.name == by) symbols = a.symbols;
      if (a.name == by && !a.single) shape.push_back(a.symbols.size());
      for (const Expr& x : a.symbols)
        if (symbols.empty() && symbol_name(x) == by) symbols = {x};
    }
    for (const Parameter& p : parameters_)
      if (symbols.empty() && p.name == by) symbols = {p.symbol};
    if (symbols.empty()) throw InputError("jacobian: there is no argument, symbol or parameter " + in_quotes(by));
    return {{dense(jacobian(formulas_.values, symbols)), shape}, arguments_, parameters_, signals_};
  }

  std::string c_source(const std::string& name) const {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    if (name.empty() || !std::ranges::all_of(name, is_word) || std::isdigit(static_cast<unsigned char>(name.front())))
      throw InputError("c_source: " + in_quotes(name) + " is no name of C");
    return function_.c_source(name);
  }

 private:
  bool is_used(const Expr& symbol) const { return std::ranges::find(inputs_, symbol) != inputs_.end(); }

  // Those that the formulas contain, by arguments, then parameters, then signals.
  Exprs used_inputs() const {
    const Exprs used = symbols_in(formulas_.values);
    const auto contains = [&](const Expr& x) { return std::ranges::find(used, x) != used.end(); };
    Exprs list;
    for (const Argument& a : arguments_) std::ranges::copy_if(a.symbols, std::back_inserter(list), contains);
    for (const Parameter& p : parameters_)
      if (contains(p.symbol)) list.push_back(p.symbol);
    list.insert(list.end(), references_.symbols().begin(), references_.symbols().end());
    return list;
  }
  static Exprs symbols_in(const Exprs& f) { return invar::symbols(f); }

  static constexpr std::size_t block = 512;  // points, so that all of them stay in the cache

  // Numbers at equal distances in memory.
  struct Points {
    const double* first = nullptr;
    py::ssize_t distance = 0;  // in bytes
    double operator[](std::size_t i) const {
      double value;
      std::memcpy(&value, reinterpret_cast<const char*>(first) + static_cast<py::ssize_t>(i) * distance, sizeof value);
      return value;
    }
  };

  static void expect_points(const Column& column, std::size_t count) {
    if (column.ndim() != 1 || static_cast<std::size_t>(column.size()) != count)
      throw InputError("function: needs " + std::to_string(count) + " numbers in each column");
  }

  void compute(const std::vector<Points>& points, const Points& times, std::size_t from, std::size_t to,
               double* results) const {
    const std::size_t outputs = formulas_.values.size();
    ReferenceValues references = references_;
    std::vector<double> in(inputs_.size() * block), out(outputs * block), signals(inputs_.size() - points.size());
    Scratch scratch;
    for (std::size_t begin = from; begin < to; begin += block) {
      const std::size_t n = std::min(block, to - begin);
      for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t p = 0; p < n; ++p) in[i * n + p] = points[i][begin + p];
      for (std::size_t p = 0; p < n && !signals.empty(); ++p) {
        references(times[begin + p], signals);
        for (std::size_t k = 0; k < signals.size(); ++k) in[(points.size() + k) * n + p] = signals[k];
      }
      function_.lanes(n, std::span(in).first(inputs_.size() * n), std::span(out).first(outputs * n), scratch);
      for (std::size_t o = 0; o < outputs; ++o)
        for (std::size_t p = 0; p < n; ++p) results[(begin + p) * outputs + o] = out[o * n + p];
    }
  }

  Formulas formulas_;
  std::vector<Argument> arguments_;
  std::vector<Parameter> parameters_;
  std::vector<Reference> signals_;
  ReferenceValues references_;
  Exprs inputs_;
  Function function_;
};

ArrayFunction function_of_model(const Prepared& prepared, const std::string& what) {
  const Problem& problem = prepared.problem();
  const System& s = problem.system;
  std::vector<Argument> arguments = {{"t", {s.graph.time()}, true}, {"q", positions(s)},     {"v", velocities(s)},
                                     {"a", accelerations(s)},       {"lam", multipliers(s)}, {"u", inputs(s)}};
  const py::gil_scoped_release released;
  return {formulas_called(s, what), std::move(arguments), s.parameters, problem.signals};
}

// Each symbol is an argument of its own.
ArrayFunction function_of_formulas(const Exprs& symbols, const Exprs& formulas, const Shape& shape) {
  std::vector<Argument> arguments;
  for (const Expr& x : symbols) {
    if (x.is_constant() || x.op() != Op::symbol) throw InputError("function: arguments must be symbols");
    arguments.push_back({symbol_name(x), {x}, true});
  }
  return {{formulas, shape}, std::move(arguments), {}, {}};
}

}  // namespace

void bind_functions(py::module_& module) {
  py::class_<ArrayFunction>(module, "ArrayFunction")
      .def_property_readonly("shape", &ArrayFunction::shape)
      .def_property_readonly("arguments", &ArrayFunction::arguments)
      .def_property_readonly("parameters", &ArrayFunction::parameters)
      .def_property_readonly("symbols", &ArrayFunction::symbols)
      .def("evaluate", &ArrayFunction::evaluate, py::arg("columns"), py::arg("times"), py::arg("count"),
           py::arg("threads"))
      .def("lanes", &ArrayFunction::lanes, py::arg("points"))
      .def("differentiated", &ArrayFunction::differentiated, py::arg("by"))
      .def("c_source", &ArrayFunction::c_source, py::arg("name"));
  module.def("function_of_model", &function_of_model, py::arg("problem"), py::arg("what"));
  module.def("function_of_formulas", &function_of_formulas, py::arg("symbols"), py::arg("formulas"), py::arg("shape"));
  module.def("named_functions", [] {
    std::vector<std::string> names;
    for (const NamedFormulas& n : named) names.emplace_back(n.name);
    return names;
  });
}

}  // namespace invar::python
