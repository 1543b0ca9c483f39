// A JSON value, so that what belongs in summary.json can be told by those who know it.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace invar {

struct JsonValue;
struct JsonEntry;
using JsonList = std::vector<JsonValue>;
using JsonObject = std::vector<JsonEntry>;  // in this order

struct JsonValue {
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, JsonList, JsonObject> data;

  JsonValue();  // null
  JsonValue(bool value);
  JsonValue(double value);
  JsonValue(const char* text);
  JsonValue(std::string_view text);
  JsonValue(std::string text);
  JsonValue(JsonList list);
  JsonValue(JsonObject object);
  template <std::signed_integral Number>
    requires(!std::same_as<Number, bool>)
  JsonValue(Number value);
  template <std::unsigned_integral Number>
    requires(!std::same_as<Number, bool>)
  JsonValue(Number value);
  template <class Value>
  JsonValue(const std::optional<Value>& value);  // null if there is none
  template <class Value>
  JsonValue(const std::vector<Value>& values);
  JsonValue(const std::complex<double>& number);  // [real, imaginary]
};

struct JsonEntry {
  std::string key;
  JsonValue value;
};

inline JsonValue::JsonValue() : data(nullptr) {}
inline JsonValue::JsonValue(bool value) : data(value) {}
inline JsonValue::JsonValue(double value) : data(value) {}
inline JsonValue::JsonValue(const char* text) : data(std::string(text)) {}
inline JsonValue::JsonValue(std::string_view text) : data(std::string(text)) {}
inline JsonValue::JsonValue(std::string text) : data(std::move(text)) {}
inline JsonValue::JsonValue(JsonList list) : data(std::move(list)) {}
inline JsonValue::JsonValue(JsonObject object) : data(std::move(object)) {}
template <std::signed_integral Number>
  requires(!std::same_as<Number, bool>)
JsonValue::JsonValue(Number value) : data(static_cast<std::int64_t>(value)) {}
template <std::unsigned_integral Number>
  requires(!std::same_as<Number, bool>)
JsonValue::JsonValue(Number value) : data(static_cast<std::uint64_t>(value)) {}
template <class Value>
JsonValue::JsonValue(const std::optional<Value>& value) : JsonValue(value ? JsonValue(*value) : JsonValue()) {}
template <class Value>
JsonValue::JsonValue(const std::vector<Value>& values) : data(JsonList(values.begin(), values.end())) {}
inline JsonValue::JsonValue(const std::complex<double>& number)
    : data(JsonList{JsonValue(number.real()), JsonValue(number.imag())}) {}

}  // namespace invar
