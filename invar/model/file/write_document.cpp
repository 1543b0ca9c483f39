// See write_document.h; the language is TOML 1.0 [toml.io/en/v1.0.0].
#include "invar/model/file/write_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "invar/base/characters.h"

namespace invar::model {
namespace {

std::string string_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (c == '\n')
      result += "\\n";
    else if (is_control(c))
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result + '"';
}

bool is_bare(std::string_view key) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !key.empty() && key.find_first_not_of(letters) == std::string_view::npos;
}

std::string key_text(const std::string& key) { return is_bare(key) ? key : string_text(key); }

// As many digits as the number needs, and a mark that it is no integer.
std::string real_text(double x) {
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string value_text(const Value& value);

std::string array_text(const Array& items) {
  std::string text;
  for (const Value& item : items) text += (text.empty() ? "" : ", ") + value_text(item);
  return "[" + text + "]";
}

std::string table_text(const Table& entries) {
  std::string text;
  for (const Entry& e : entries) text += (text.empty() ? "" : ", ") + key_text(e.key) + " = " + value_text(e.value);
  return text.empty() ? "{}" : "{ " + text + " }";
}

struct ValueText {
  std::string operator()(bool b) const { return b ? "true" : "false"; }
  std::string operator()(std::int64_t i) const { return std::to_string(i); }
  std::string operator()(double x) const { return real_text(x); }
  std::string operator()(const std::string& text) const { return string_text(text); }
  std::string operator()(const Array& items) const { return array_text(items); }
  std::string operator()(const Table& entries) const { return table_text(entries); }
};

std::string value_text(const Value& value) { return std::visit(ValueText(), value.data); }

std::string line(const Entry& e) { return key_text(e.key) + " = " + value_text(e.value) + "\n"; }

const Array* tables_in(const Value& value) {
  const Array* items = value.peek<Array>();
  const bool all = items != nullptr && !items->empty() &&
                   std::ranges::all_of(*items, [](const Value& item) { return item.peek<Table>() != nullptr; });
  return all ? items : nullptr;
}

void write_list(const std::string& heading, const Array& list, std::string& text) {
  for (const Value& item : list) {
    text += "\n[[" + heading + "]]\n";
    for (const Entry& e : *item.peek<Table>()) text += line(e);
  }
}

void write_section(const std::string& heading, const Table& entries, std::string& text) {
  text += "\n[" + heading + "]\n";
  for (const Entry& e : entries)
    if (tables_in(e.value) == nullptr) text += line(e);
  for (const Entry& e : entries)
    if (const Array* list = tables_in(e.value)) write_list(heading + "." + key_text(e.key), *list, text);
}

}  // namespace

std::string write_document(const Table& root) {
  std::string text;
  for (const Entry& e : root)
    if (tables_in(e.value) == nullptr && e.value.peek<Table>() == nullptr) text += line(e);
  for (const Entry& e : root) {
    if (const Array* list = tables_in(e.value))
      write_list(key_text(e.key), *list, text);
    else if (const Table* entries = e.value.peek<Table>())
      write_section(key_text(e.key), *entries, text);
  }
  return text;
}

}  // namespace invar::model
