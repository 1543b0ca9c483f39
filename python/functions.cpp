// Which formulas of a model Python can ask for as functions, by name or as text.
#include <algorithm>

#include "invar/base/message.h"
#include "invar/expr/derivative.h"
#include "invar/system/equations.h"
#include "invar/system/formula_text.h"
#include "python/array_function.h"
#include "python/watch.h"

namespace invar::python {

namespace {

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

std::vector<std::string> names_of_functions() {
  std::vector<std::string> names;
  for (const NamedFormulas& n : named) names.emplace_back(n.name);
  return names;
}

Formulas formulas_called(const System& system, const std::string& what) {
  const auto found = std::ranges::find(named, what, &NamedFormulas::name);
  if (found != std::end(named)) return found->of(system, equations(system));
  for (const Quantity& y : system.outputs)
    if (y.name == what) return {{y.expr}, {}};
  try {
    return {{formula(system, what)}, {}};
  } catch (const InputError& e) {
    if (const std::string meant = suggestion(what, names_of_functions()); !meant.empty())
      throw InputError("function: there is no " + in_quotes(what) + meant);
    throw;
  }
}

// One formula, or several numbers as a list.
Formulas formulas_called(const System& system, const std::vector<std::string>& names) {
  Formulas all{{}, {names.size()}};
  for (const std::string& what : names) {
    const Formulas found = formulas_called(system, what);
    if (!found.shape.empty())
      throw InputError("function: " + in_quotes(what) + " is not a number, as all of a list must be");
    all.values.push_back(found.values.front());
  }
  return all;
}

template <class What>
ArrayFunction function_of_model(const Prepared& prepared, const What& what) {
  const Problem& problem = prepared.problem();
  const System& s = problem.system;
  std::vector<Argument> arguments = {{"t", {s.graph.time()}, true}, {"q", positions(s)},     {"v", velocities(s)},
                                     {"a", accelerations(s)},       {"lam", multipliers(s)}, {"u", inputs(s)}};
  return unlocked(
      [&] { return ArrayFunction(formulas_called(s, what), std::move(arguments), s.parameters, problem.signals); });
}

// Each symbol is an argument of its own.
ArrayFunction function_of_formulas(const Exprs& symbols, const Exprs& formulas, const Shape& shape) {
  std::vector<Argument> arguments;
  for (const Expr& x : symbols) {
    if (x.is_constant() || x.op() != Op::symbol) throw InputError("function: arguments must be symbols");
    if (std::ranges::find(symbols.begin(), symbols.end(), x) != symbols.begin() + std::ssize(arguments))
      throw InputError("function: argument " + in_quotes(symbol_name(x)) + " is given twice");
    arguments.push_back({symbol_name(x), {x}, true, true});
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
      .def(
          "differentiated",
          [](const ArrayFunction& f, const std::string& by) { return unlocked([&] { return f.differentiated(by); }); },
          py::arg("by"))
      .def(
          "c_source",
          [](const ArrayFunction& f, const std::string& name) { return unlocked([&] { return f.c_source(name); }); },
          py::arg("name"));
  module.def("function_of_model", &function_of_model<std::string>, py::arg("problem"), py::arg("what"));
  module.def("function_of_model", &function_of_model<std::vector<std::string>>, py::arg("problem"), py::arg("what"));
  module.def("function_of_formulas", &function_of_formulas, py::arg("symbols"), py::arg("formulas"), py::arg("shape"));
  module.def("named_functions", &names_of_functions);
}

}  // namespace invar::python
