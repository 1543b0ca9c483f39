// Formulas as Python objects: operators, functions, derivatives, text.
#include <pybind11/operators.h>

#include <cmath>

#include "invar/base/message.h"
#include "invar/expr/derivative.h"
#include "invar/expr/op_names.h"
#include "invar/expr/parse.h"
#include "python/binding.h"

namespace invar::python {

namespace {

// All formulas of a process share a graph, and one name is one symbol. Python's lock guards it.
struct Symbols {
  Graph graph;
  std::map<std::string, Expr, std::less<>> known = {{"t", graph.time()}};

  Expr add(const std::string& name, SymbolKind kind) {
    if (const auto found = known.find(name); found != known.end()) {
      if (found->second.kind() != kind) throw InputError(in_quotes(name) + " already is a symbol of another kind");
      return found->second;
    }
    const Expr symbol = kind == SymbolKind::variable ? at(graph.variable(name)) : graph.parameter(name);
    return known.emplace(name, checked(name, symbol)).first->second;
  }

  Expr read(const std::string& text) const {
    Scope scope;
    scope.find = [&](std::string_view name, int order) -> std::optional<Expr> {
      const auto found = known.find(name);
      if (found == known.end()) return std::nullopt;
      if (order == 0) return found->second;
      return found->second.kind() == SymbolKind::variable ? std::optional(found->second.derivative(order))
                                                          : std::nullopt;
    };
    for (const auto& [name, symbol] : known) scope.names.push_back(name);
    try {
      return parse(text, scope);
    } catch (const FormulaError& e) {
      throw InputError("formula " + in_quotes(text) + ": " + e.what());
    }
  }

 private:
  // What is read back as itself is a name.
  Expr checked(const std::string& name, const Expr& symbol) const {
    Scope scope;
    scope.find = [&](std::string_view found, int order) {
      return found == name && order == 0 ? std::optional(symbol) : std::nullopt;
    };
    try {
      if (parse(name, scope) == symbol) return symbol;
    } catch (const FormulaError&) {  // told below
    }
    throw InputError(in_quotes(name) + " cannot be a name: letters, digits and _, and no name of a function");
  }
};

Symbols& symbols_of_process() {
  static auto* symbols = new Symbols;  // formulas may outlive the module
  return *symbols;
}

bool is_symbol(const Expr& f) { return !f.is_constant() && f.op() == Op::symbol; }

Expr derivative(const Expr& f, const Expr& x) {
  if (!is_symbol(x)) throw InputError("diff: give a symbol, such as a coordinate");
  return gradient(f, Exprs{x}).front();
}

Expr replaced(const Expr& f, const Exprs& old, const Exprs& by) {
  if (old.size() != by.size()) throw InputError("subs: as many formulas must come as go");
  if (!std::ranges::all_of(old, is_symbol)) throw InputError("subs: symbols can be replaced, such as coordinates");
  return substitute(f, old, by);
}

Expr replaced(const Expr& f, const py::dict& by) {
  Exprs old, fresh;
  for (const auto& [symbol, formula] : by) {
    old.push_back(py::cast<Expr>(symbol));
    fresh.push_back(py::cast<Expr>(formula));
  }
  return replaced(f, old, fresh);
}

// By rows.
std::vector<Exprs> rows_of_jacobian(const Exprs& f, const Exprs& x) {
  for (const Expr& symbol : x)
    if (!is_symbol(symbol)) throw InputError("jacobian: give symbols to differentiate by");
  const SparseExprs found = jacobian(f, x);
  std::vector<Exprs> rows(f.size());
  for (std::size_t i = 0; i < f.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) rows[i].push_back(found.at(static_cast<int>(i), static_cast<int>(j)));
  return rows;
}

// Formulas know no infinity and nothing undefined.
const Expr& finite(const Expr& f) {
  if (f.is_constant() && !std::isfinite(f.value())) throw InputError("numbers in formulas must be finite");
  return f;
}

template <typename Operation>
void bind_operation(py::class_<Expr>& expression, const std::string& name, Operation of) {
  const auto checked = [of](const Expr& a, const Expr& b) { return finite(of(finite(a), finite(b))); };
  const auto turned = [checked](const Expr& b, const Expr& a) { return checked(a, b); };
  expression.def(("__" + name + "__").c_str(), checked, py::is_operator());
  expression.def(("__r" + name + "__").c_str(), turned, py::is_operator());
}

Expr quotient(const Expr& a, const Expr& b) {
  if (b.is_constant(0.0)) throw InputError("a formula is divided by zero");
  return a / b;
}

std::string shown(const Expr& f) { return print(f, 10000); }

std::string formula_text(const Expr& f) {
  std::string text = print(f);
  if (text.ends_with("…")) throw InputError("the formula is too long to be written out");
  return text;
}

}  // namespace

void bind_expressions(py::module_& module) {
  py::class_<Expr> expression(module, "Expression",
                              "A formula: operators, functions such as invar.sin (or numpy.sin), `x.dt` for d/dt, "
                              "`f.diff(x)`, `f.subs({x: y})`,\n"
                              "`f.symbols`; `str(f)` is its text. It never changes.");
  bind_operation(expression, "add", [](const Expr& a, const Expr& b) { return a + b; });
  bind_operation(expression, "sub", [](const Expr& a, const Expr& b) { return a - b; });
  bind_operation(expression, "mul", [](const Expr& a, const Expr& b) { return a * b; });
  bind_operation(expression, "truediv", &quotient);
  bind_operation(expression, "pow", [](const Expr& a, const Expr& b) { return pow(a, b); });
  expression.def(py::init<double>())
      .def(-py::self)
      .def("__pos__", [](const Expr& a) { return a; })
      .def("__abs__", [](const Expr& a) { return abs(a); })
      .def(
          "__eq__", [](const Expr& a, const Expr& b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const Expr& a) { return py::hash(py::str(shown(a))); })
      .def("__bool__", [](const Expr&) -> bool { throw py::type_error("a formula is neither true nor false"); })
      .def("__float__",
           [](const Expr& a) {
             if (!a.is_constant()) throw py::type_error("the formula contains symbols: " + shown(a));
             return a.value();
           })
      .def("__str__", &shown)
      .def("__repr__", &shown)
      .def("to_formula", &formula_text)
      .def("__copy__", [](const Expr& a) { return a; })
      .def("__deepcopy__", [](const Expr& a, const py::dict&) { return a; })
      .def("diff", &derivative, py::arg("x"))
      .def("diff", [](const Expr& a, const std::string& x) { return derivative(a, symbols_of_process().read(x)); })
      .def_property_readonly("dt", [](const Expr& a) { return ddt(a); })
      .def_property_readonly("symbols", [](const Expr& a) { return symbols(Exprs{a}); })
      .def("subs", py::overload_cast<const Expr&, const py::dict&>(&replaced), py::arg("by"))
      .def("subs", py::overload_cast<const Expr&, const Exprs&, const Exprs&>(&replaced), py::arg("old"),
           py::arg("new"));
  py::implicitly_convertible<double, Expr>();
  py::implicitly_convertible<int, Expr>();
  for (const OpName& function : op_names) {
    if (function.arguments != 1) continue;
    const auto apply_to = [op = function.op](const Expr& a) { return finite(apply(op, finite(a))); };
    module.def(function.name.data(), apply_to);
    expression.def(function.name.data(), apply_to);  // so that numpy.sin() knows it
  }
  module.def("atan2", [](const Expr& y, const Expr& x) { return atan2(y, x); });
  const auto symbol = [](SymbolKind kind) {
    return [kind](const std::string& name) { return symbols_of_process().add(name, kind); };
  };
  module.def("coordinate", symbol(SymbolKind::variable));
  module.def("parameter", symbol(SymbolKind::parameter));
  module.def("time", [] { return symbols_of_process().graph.time(); });
  module.def("formula", [](const std::string& text) { return symbols_of_process().read(text); });
  module.def("jacobian", &rows_of_jacobian, py::arg("formulas"), py::arg("symbols"));
}

}  // namespace invar::python
