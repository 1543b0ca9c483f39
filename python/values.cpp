// Values of model files from Python objects and back.
#include <cmath>

#include "invar/base/error.h"
#include "invar/base/message.h"
#include "python/binding.h"

namespace invar::python {

namespace {

using model::Position;
using model::Value;

constexpr Position given = {0, 0};   // by the program, not in the file
constexpr std::size_t deepest = 32;  // as in files

[[noreturn]] void fail(const std::string& where, const std::string& rule) { throw InputError(where + ": " + rule); }

Value value_of(const py::handle& object, const std::string& where, std::size_t depth);

// A symbol stands for its name: {x: 1.0, x.dt: 0.0}.
std::string name_of(const py::handle& key, const std::string& where) {
  if (py::isinstance<py::str>(key)) return key.cast<std::string>();
  if (py::hasattr(key, "to_formula")) return key.attr("to_formula")().cast<std::string>();
  fail(where, "names must be strings, not " + std::string(py::repr(key)));
}

// Of a list of parts, the one that is meant.
std::string place_of(const py::handle& item, const std::string& where) {
  if (!py::isinstance<py::dict>(item)) return where;
  const auto part = py::reinterpret_borrow<py::dict>(item);
  return part.contains("name") ? where + " " + std::string(py::repr(part["name"])) : where;
}

model::Table table_of(const py::handle& mapping, const std::string& where, std::size_t depth) {
  model::Table table;
  for (const py::handle& item : mapping.attr("items")()) {
    const auto pair = py::reinterpret_borrow<py::tuple>(item);
    const std::string key = name_of(pair[0], where);
    if (pair[1].is_none()) continue;
    table.push_back({key, given, value_of(pair[1], where + ": " + in_quotes(key), depth + 1)});
  }
  return table;
}

model::Array array_of(const py::handle& items, const std::string& where, std::size_t depth) {
  model::Array array;
  for (const py::handle& item : items) array.push_back(value_of(item, place_of(item, where), depth + 1));
  return array;
}

double finite(double x, const std::string& where) {
  if (!std::isfinite(x)) fail(where, std::string("numbers must be finite, not ") + (x != x ? "nan" : "inf"));
  return x;
}

std::int64_t whole(const py::handle& number, const std::string& where) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) fail(where, "the number is too large");
  return value;
}

Value value_of(const py::handle& object, const std::string& where, std::size_t depth) {
  if (depth > deepest) fail(where, "nested too deeply");
  if (py::isinstance<py::bool_>(object)) return {given, object.cast<bool>()};
  if (py::isinstance<py::int_>(object)) return {given, whole(object, where)};
  if (py::isinstance<py::float_>(object)) return {given, finite(object.cast<double>(), where)};
  if (py::isinstance<py::str>(object)) return {given, object.cast<std::string>()};
  if (py::hasattr(object, "items")) return {given, table_of(object, where, depth)};
  if (py::hasattr(object, "tolist")) return value_of(object.attr("tolist")(), where, depth + 1);  // of NumPy
  if (py::hasattr(object, "to_formula")) return {given, object.attr("to_formula")().cast<std::string>()};
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object))
    return {given, array_of(object, where, depth)};
  fail(where, "must be a number, a string, a list or a dict, not " + std::string(py::repr(py::type::of(object))));
}

struct FromValue {
  py::object operator()(bool b) const { return py::bool_(b); }
  py::object operator()(std::int64_t i) const { return py::int_(i); }
  py::object operator()(double x) const { return py::float_(x); }
  py::object operator()(const std::string& text) const { return py::str(text); }
  py::object operator()(const model::Array& items) const {
    py::list list;
    for (const Value& item : items) list.append(from_value(item));
    return list;
  }
  py::object operator()(const model::Table& entries) const {
    py::dict dict;
    for (const model::Entry& e : entries) dict[py::str(e.key)] = from_value(e.value);
    return dict;
  }
};

}  // namespace

Value to_value(const py::handle& object, const std::string& where) { return value_of(object, where, 0); }

py::object from_value(const Value& value) { return std::visit(FromValue(), value.data); }

Overrides overrides_of(const py::dict& parameters) {
  Overrides overrides;
  for (const auto& [name, number] : parameters) {
    const auto key = py::cast<std::string>(name);
    const Value value = to_value(number, "parameter " + in_quotes(key));
    if (const auto* x = value.as<double>())
      overrides.emplace_back(key, *x);
    else if (const auto* i = value.as<std::int64_t>())
      overrides.emplace_back(key, static_cast<double>(*i));
    else
      throw InputError("parameter " + in_quotes(key) + " must be a number, not " + std::string(kind_name(value)));
  }
  return overrides;
}

}  // namespace invar::python
