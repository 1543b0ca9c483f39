// A TOML file as a tree of values, by way of toml++, which only this file knows.
#ifndef TOML_HEADER_ONLY
#define TOML_HEADER_ONLY 1
#endif
#ifndef TOML_ASSERT
#define TOML_ASSERT(x) static_cast<void>(0)  // a malformed file is an error message, never an abort
#endif
#define TOML_EXCEPTIONS 1
#define TOML_MAX_NESTED_VALUES 32
#include "invar/model/file/document.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "invar/base/error.h"
#include "invar/base/message.h"
#include "invar/model/file/prescan.h"
#include "invar/record/file.h"

namespace invar::model {
namespace {

constexpr std::size_t largest_file = std::size_t{16} << 20;
constexpr int most_key_parts = 32;

Position from(const toml::source_position& p) { return {static_cast<int>(p.line), static_cast<int>(p.column)}; }

std::size_t without_mark(std::string_view text) { return text.substr(0, 3) == "\xef\xbb\xbf" ? 3 : 0; }

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

Position advance(Position p, std::string_view over) {
  for (const char c : over) {
    if (c == '\n')
      p = {p.line + 1, 1};
    else if (begins_character(c))
      ++p.column;
  }
  return p;
}

// The byte at a position; the size of the text if there is none.
std::size_t offset_of(std::string_view text, Position p) {
  std::size_t i = without_mark(text);
  for (int line = 1; line < p.line; ++line) {
    i = text.find('\n', i);
    if (i == std::string_view::npos) return text.size();
    ++i;
  }
  for (int column = 1; column < p.column && i < text.size(); ++column)
    for (++i; i < text.size() && !begins_character(text[i]);) ++i;
  return i;
}

Value convert(const Document& document, const toml::node& node);

Table convert_table(const Document& document, const toml::table& table) {
  Table result;
  result.reserve(table.size());
  for (auto&& [key, node] : table)
    result.push_back({std::string(key.str()), from(key.source().begin), convert(document, node)});
  std::stable_sort(result.begin(), result.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.position.line, a.position.column) < std::pair(b.position.line, b.position.column);
  });
  return result;
}

double finite(const Document& document, Position position, double x) {
  if (!std::isfinite(x))
    fail(document, position, std::string("numbers must be finite, not ") + (x != x ? "nan" : "inf"));
  return x;
}

// Recursive: toml++ and find_trouble() limit the depth.
Value convert(const Document& document, const toml::node& node) {
  Value value{from(node.source().begin), {}};
  if (const auto* b = node.as_boolean())
    value.data = b->get();
  else if (const auto* i = node.as_integer())
    value.data = i->get();
  else if (const auto* x = node.as_floating_point())
    value.data = finite(document, value.position, x->get());
  else if (const auto* s = node.as_string())
    value.data = s->get();
  else if (const auto* table = node.as_table())
    value.data = convert_table(document, *table);
  else if (const auto* array = node.as_array()) {
    Array& items = value.data.emplace<Array>();
    items.reserve(array->size());
    for (const toml::node& item : *array) items.push_back(convert(document, item));
  } else {
    fail(document, value.position, "a model file has no dates and times");
  }
  return value;
}

std::string reason(const toml::parse_error& error) {
  constexpr std::string_view opening = "Error while parsing ";
  std::string_view text = error.description();
  if (text.substr(0, opening.size()) == opening) text.remove_prefix(opening.size());
  return "not valid TOML: " + display(text);
}

}  // namespace

Document parse_document(std::string text, std::string file) {
  Document document{std::move(file), std::move(text), {}, false};
  const std::string_view view = document.text;
  if (view.size() > largest_file) throw InputError(display(document.file) + ": larger than 16 MB");
  if (const auto trouble = find_trouble(view, most_key_parts)) {
    const std::size_t first = without_mark(view);
    fail(document, advance({}, view.substr(first, trouble->offset - first)), trouble->reason);
  }
  try {
    document.root = convert_table(document, toml::parse(view));
  } catch (const toml::parse_error& error) {
    fail(document, from(error.source().begin), reason(error));
  }
  return document;
}

Document read_document(const std::string& path) { return parse_document(read_text(path, largest_file), path); }

std::optional<Position> position_inside(const Document& document, const Value& string, std::size_t offset) {
  if (string.position.line == 0) return std::nullopt;
  const std::string& content = *string.as<std::string>();
  const std::string_view text = document.text;
  std::size_t i = offset_of(text, string.position);
  if (i >= text.size() || offset > content.size()) return std::nullopt;
  const std::string triple(3, text[i]);
  const bool is_long = text.substr(i, 3) == triple;
  i += is_long ? 3 : 1;
  if (is_long && text.substr(i, 1) == "\n") ++i;  // TOML drops a line break there
  if (text.substr(i, content.size()) != content) return std::nullopt;
  const std::size_t begin = offset_of(text, string.position);
  return advance(string.position, text.substr(begin, i + offset - begin));
}

void set(Document& document, std::string_view table, Entry entry) {
  const auto called = [](std::string_view key) { return [key](const Entry& e) { return e.key == key; }; };
  auto home = std::ranges::find_if(document.root, called(table));
  if (home == document.root.end())
    home = document.root.insert(home, Entry{std::string(table), entry.position, {entry.position, Table()}});
  auto* entries = std::get_if<Table>(&home->value.data);
  if (entries == nullptr) fail(document, home->value.position, in_quotes(table) + " must be a table");
  const auto place = std::ranges::find_if(*entries, called(entry.key));
  if (place == entries->end())
    entries->push_back(std::move(entry));
  else
    *place = std::move(entry);
}

std::string_view kind_name(const Value& value) {
  constexpr std::string_view names[] = {"a boolean", "an integer", "a number", "a string", "an array", "a table"};
  return names[value.data.index()];
}

void fail(const Document& document, Position position, const std::string& message) {
  const std::string place =
      position.line == 0 ? "" : std::to_string(position.line) + ":" + std::to_string(position.column) + ":";
  throw InputError(display(document.file) + ":" + place + " " + message);
}

}  // namespace invar::model
