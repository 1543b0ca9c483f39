// Formulas as a function of NumPy arrays: many points at a time in lanes, as in C++.
#pragma once

#include <functional>

#include "invar/system/reference_values.h"
#include "invar/system/system.h"
#include "invar/tape/function.h"
#include "python/binding.h"

namespace invar::python {

using Column = py::array_t<double, py::array::forcecast>;  // at any distance from each other
using Shape = std::vector<std::size_t>;

// Formulas in rows, columns …
struct Formulas {
  Exprs values;
  Shape shape;
};

// Symbols that form an argument, such as q.
struct Argument {
  std::string name;
  Exprs symbols;
  bool single = false;  // a number, not a list
  bool asked = false;   // for by every call, whatever the formulas contain
};

// With the primes of its derivative.
std::string symbol_name(const Expr& symbol);

class ArrayFunction {
 public:
  ArrayFunction(Formulas formulas, std::vector<Argument> arguments, std::vector<Parameter> parameters,
                std::vector<Reference> signals);

  const Shape& shape() const { return formulas_.shape; }
  // Names of the arguments, and for each how many numbers it has, which of them the formulas contain, and whether a
  // call needs it. What the formulas contain are the first columns that evaluate() takes, in this order, then come
  // parameters.
  py::list arguments() const;
  py::list parameters() const;
  std::vector<std::string> symbols() const;

  // Each column has the values of one symbol at all points, at any distance from each other; those of signals follow
  // from the times. The numbers of a point stand together in the result.
  Numbers evaluate(const std::vector<Column>& columns, const Column& times, std::size_t count, int threads) const;
  // As in C++: in has a row for each symbol and a column for each point, out a row for each formula.
  Numbers lanes(const Numbers& in) const;

  // ∂/∂x of all formulas, x being a symbol, a parameter or an argument; its numbers come last in the shape.
  ArrayFunction differentiated(const std::string& by) const;
  std::string c_source(const std::string& name) const;

 private:
  struct Points;
  using Stop = std::function<bool()>;  // asked between blocks of points

  bool is_used(const Expr& symbol) const;
  Exprs used_inputs() const;
  std::size_t given() const { return inputs_.size() - references_.symbols().size(); }
  void compute(const std::vector<Points>& points, const Points& times, std::size_t from, std::size_t to,
               double* results, const Stop& stop) const;

  Formulas formulas_;
  std::vector<Argument> arguments_;
  std::vector<Parameter> parameters_;
  std::vector<Reference> signals_;
  ReferenceValues references_;
  Exprs inputs_;  // that the formulas contain, by arguments, then parameters, then signals
  Function function_;
};

}  // namespace invar::python
