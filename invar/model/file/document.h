// A TOML file as a tree of values that know where they stand.
//
// What only this folder needs to know lives in invar::model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "invar/model/file/watcher.h"

namespace invar::model {

// Line 0: not in the file, but given by a program in place of what the file says.
struct Position {
  int line = 1;    // from 1
  int column = 1;  // from 1, in characters
};

struct Value;
struct Entry;
using Array = std::vector<Value>;
using Table = std::vector<Entry>;  // in the order of the file

struct Value {
  Position position;
  std::variant<bool, std::int64_t, double, std::string, Array, Table> data;

  // Who asks for it may be watched: a reader that looks for a kind of value takes it, as a rule.
  template <class T>
  const T* as() const {
    if (watcher != nullptr) watcher->looks_for(*this, kind<T>());
    return std::get_if<T>(&data);
  }
  template <class T>
  const T* peek() const {  // unwatched
    return std::get_if<T>(&data);
  }
  template <class T>
  static std::size_t kind() {
    static const std::size_t place = decltype(data)(T()).index();
    return place;
  }
};

struct Entry {
  std::string key;
  Position position;  // of the key
  Value value;
};

struct Document {
  std::string file;  // for messages
  std::string text;
  Table root;
  bool may_read_outside = false;  // data files that are not below its folder
};

// Both throw an InputError `file:line:column: reason`. Numbers are finite, tables are nested moderately.
Document parse_document(std::string text, std::string file);
Document read_document(const std::string& path);

// The place of byte `offset` of a string, if the string stands in the file letter by letter (without escapes).
std::optional<Position> position_inside(const Document& document, const Value& string, std::size_t offset);

// Replaces `key` in the table called `table` at the top, which is made if there is none.
void set(Document& document, std::string_view table, Entry entry);

// "a string", "a table" …
std::string_view kind_name(const Value& value);

[[noreturn]] void fail(const Document& document, Position position, const std::string& message);

}  // namespace invar::model
