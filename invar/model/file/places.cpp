// See places.h. Keys may hold dots themselves, so that the longest one that fits is taken.
#include "invar/model/file/places.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "invar/base/message.h"

namespace invar::model {

namespace {

// Where a place leads: a value that is there, or a table in which the rest would be a new key.
struct Way {
  Value* value = nullptr;
  Table* home = nullptr;
  std::string rest;
};

std::optional<std::size_t> item_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number - 1;
}

Value* item(Array& items, const std::string& word) {
  for (Value& value : items)
    if (auto* table = std::get_if<Table>(&value.data))
      for (const Entry& entry : *table)
        if (const auto* name = entry.value.as<std::string>(); name && entry.key == "name" && *name == word)
          return &value;
  const auto number = item_number(word);
  return number && *number < items.size() ? &items[*number] : nullptr;
}

Way walk(Value& from, const std::string& rest);

// At every dot of the rest, the last one first.
template <class Find>
Way step(const std::string& rest, const Find& find) {
  for (std::size_t dot = rest.size();; dot = rest.rfind('.', dot - 1)) {
    if (Value* next = find(rest.substr(0, dot)))
      return dot == rest.size() ? Way{next, nullptr, {}} : walk(*next, rest.substr(dot + 1));
    if (dot == 0 || rest.rfind('.', dot - 1) == std::string::npos) return {};
  }
}

Way walk_table(Table& table, const std::string& rest) {
  const Way way = step(rest, [&](const std::string& key) -> Value* {
    for (Entry& entry : table)
      if (entry.key == key) return &entry.value;
    return nullptr;
  });
  return way.value || way.home ? way : Way{nullptr, &table, rest};
}

Way walk(Value& from, const std::string& rest) {
  if (auto* table = std::get_if<Table>(&from.data)) return walk_table(*table, rest);
  if (auto* items = std::get_if<Array>(&from.data))
    return step(rest, [&](const std::string& word) { return item(*items, word); });
  return {};
}

[[noreturn]] void refuse(const Document& document, const std::string& place, const std::string& why) {
  throw InputError(display(document.file) + ": " + in_quotes(place) + ": " + why);
}

Way way_to(Document& document, const std::string& place) {
  Way way = walk_table(document.root, place);
  const bool is_free = way.home != nullptr && way.home != &document.root && way.rest.find('.') == std::string::npos;
  if (!way.value && !is_free)
    refuse(document, place, "the file has no such place; write TABLE.KEY, such as initial.x, or trajectory.1.duration");
  if (way.value && (way.value->as<Table>() || way.value->as<Array>()))
    refuse(document, place, "no number stands there, but " + std::string(kind_name(*way.value)));
  return way;
}

}  // namespace

std::vector<std::string> parameter_names(const Document& document) {
  std::vector<std::string> names;
  for (const Entry& top : document.root)
    if (const Table* table = top.value.as<Table>(); table && top.key == "parameters")
      for (const Entry& entry : *table) names.push_back(entry.key);
  return names;
}

bool is_place(const Document& document, std::string_view name) {
  return name.find('.') != name.npos && std::ranges::count(parameter_names(document), name) == 0;
}

std::optional<double> number_at(Document document, const std::string& place) {
  const Value* value = way_to(document, place).value;
  if (value == nullptr) return std::nullopt;
  if (const auto* number = value->as<double>()) return *number;
  if (const auto* whole = value->as<std::int64_t>()) return static_cast<double>(*whole);
  return std::nullopt;
}

void set_value(Document& document, const std::string& place, Value value) {
  value.position.line = 0;
  const Way way = way_to(document, place);
  if (way.value)
    *way.value = std::move(value);
  else
    way.home->push_back({way.rest, value.position, std::move(value)});
}

Value number_value(double number) {
  constexpr double largest = 9007199254740992.0;
  const Position nowhere{0, 0};
  if (std::abs(number) < largest && number == std::floor(number)) return {nowhere, static_cast<std::int64_t>(number)};
  return {nowhere, number};
}

}  // namespace invar::model
