// See array_function.h.
#include "python/array_function.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <thread>

#include "invar/base/message.h"
#include "invar/expr/derivative.h"
#include "invar/system/equations.h"
#include "python/watch.h"

namespace invar::python {

namespace {

constexpr std::size_t block = 512;  // points, so that all of them stay in the cache

void expect_points(const Column& column, std::size_t count) {
  if (column.ndim() != 1 || static_cast<std::size_t>(column.size()) != count)
    throw InputError("function: needs " + std::to_string(count) + " numbers in each column");
}

bool is_name_of_c(const std::string& name) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return !name.empty() && std::ranges::all_of(name, is_word) && !std::isdigit(static_cast<unsigned char>(name.front()));
}

}  // namespace

std::string symbol_name(const Expr& symbol) {
  return symbol.name() + std::string(static_cast<std::size_t>(symbol.order()), '\'');
}

ArrayFunction::ArrayFunction(Formulas formulas, std::vector<Argument> arguments, std::vector<Parameter> parameters,
                             std::vector<Reference> signals)
    : formulas_(std::move(formulas)),
      arguments_(std::move(arguments)),
      parameters_(std::move(parameters)),
      signals_(std::move(signals)),
      references_(formulas_.values, signals_),
      inputs_(used_inputs()),
      function_(inputs_, formulas_.values) {}

bool ArrayFunction::is_used(const Expr& symbol) const { return std::ranges::find(inputs_, symbol) != inputs_.end(); }

Exprs ArrayFunction::used_inputs() const {
  const Exprs used = invar::symbols(formulas_.values);
  const auto contains = [&](const Expr& x) { return std::ranges::find(used, x) != used.end(); };
  Exprs list;
  for (const Argument& a : arguments_) std::ranges::copy_if(a.symbols, std::back_inserter(list), contains);
  for (const Parameter& p : parameters_)
    if (contains(p.symbol)) list.push_back(p.symbol);
  list.insert(list.end(), references_.symbols().begin(), references_.symbols().end());
  return list;
}

py::list ArrayFunction::arguments() const {
  py::list list;
  for (const Argument& a : arguments_) {
    std::vector<std::size_t> needed;
    for (std::size_t i = 0; i < a.symbols.size(); ++i)
      if (is_used(a.symbols[i])) needed.push_back(i);
    const bool tells_signals = a.name == "t" && !references_.symbols().empty();
    const bool asked = a.asked || !needed.empty() || tells_signals;
    list.append(py::make_tuple(a.name, a.single ? 0 : a.symbols.size(), needed, asked));
  }
  return list;
}

py::list ArrayFunction::parameters() const {
  py::list list;
  for (const Parameter& p : parameters_)
    if (is_used(p.symbol)) list.append(py::make_tuple(p.name, p.value));
  return list;
}

std::vector<std::string> ArrayFunction::symbols() const {
  std::vector<std::string> names;
  for (const Expr& x : inputs_) names.push_back(symbol_name(x));
  return names;
}

// Numbers at equal distances in memory.
struct ArrayFunction::Points {
  const double* first = nullptr;
  py::ssize_t distance = 0;  // in bytes

  double operator[](std::size_t i) const {
    double value;
    std::memcpy(&value, reinterpret_cast<const char*>(first) + static_cast<py::ssize_t>(i) * distance, sizeof value);
    return value;
  }
};

Numbers ArrayFunction::evaluate(const std::vector<Column>& columns, const Column& times, std::size_t count,
                                int threads) const {
  if (columns.size() != given()) throw InputError("function: needs " + std::to_string(given()) + " columns of numbers");
  std::vector<Points> points;
  for (const Column& column : columns) {
    expect_points(column, count);
    points.push_back({column.data(), column.strides(0)});
  }
  Points instants;
  if (given() < inputs_.size()) {
    expect_points(times, count);
    instants = {times.data(), times.strides(0)};
  }
  Numbers out({static_cast<py::ssize_t>(count), static_cast<py::ssize_t>(formulas_.values.size())});
  double* results = out.mutable_data();
  RunWatch watch(py::none(), 0.0);
  std::optional<py::gil_scoped_release> released(std::in_place);
  const std::size_t workers = std::clamp<std::size_t>(count / block, 1, static_cast<std::size_t>(std::max(threads, 1)));
  std::vector<std::jthread> others;
  for (std::size_t k = 1; k < workers; ++k)
    others.emplace_back([&, k] {
      compute(points, instants, count * k / workers, count * (k + 1) / workers, results,
              [&] { return watch.stopped(); });
    });
  compute(points, instants, 0, count / workers, results, [&] { return watch.stop(); });
  others.clear();
  released.reset();
  watch.rethrow_all();
  return out;
}

void ArrayFunction::compute(const std::vector<Points>& points, const Points& times, std::size_t from, std::size_t to,
                            double* results, const Stop& stop) const {
  const std::size_t outputs = formulas_.values.size();
  ReferenceValues references = references_;
  std::vector<double> in(inputs_.size() * block), out(outputs * block), signals(references_.symbols().size());
  Scratch scratch;
  for (std::size_t begin = from; begin < to && !stop(); begin += block) {
    const std::size_t n = std::min(block, to - begin);
    for (std::size_t i = 0; i < points.size(); ++i)
      if (begin == from || n < block ||
          points[i].distance != 0)  // a number for all points is there from the last block
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

Numbers ArrayFunction::lanes(const Numbers& in) const {
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

ArrayFunction ArrayFunction::differentiated(const std::string& by) const {
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

std::string ArrayFunction::c_source(const std::string& name) const {
  if (!is_name_of_c(name)) throw InputError("c_source: " + in_quotes(name) + " is no name of C");
  return function_.c_source(name);
}

}  // namespace invar::python
