// A cursor over a table of a file that notices what nobody asked for.
#include "invar/model/file/section.h"

#include <utility>

#include "invar/base/message.h"
#include "invar/base/nearest.h"
#include "invar/expr/parse.h"

namespace invar::model {

std::string shown(const Entry& entry) {
  return entry.value.peek<Array>()   ? "[[" + display(entry.key) + "]]"
         : entry.value.peek<Table>() ? "[" + display(entry.key) + "]"
                                     : in_quotes(entry.key);
}

Position place(const Entry& entry) {
  return entry.value.peek<Array>() || entry.value.peek<Table>() ? entry.value.position : entry.position;
}

Section::Section(const Document& document, const Table& table, Position position, std::string title)
    : document_(&document), table_(&table), position_(position), title_(std::move(title)) {
  for (const Entry& entry : table) index_.emplace(entry.key, &entry);
}

const Entry* Section::look_up(std::string_view key, bool is_name) {
  if (watcher != nullptr) watcher->asks(*table_, key, is_name);
  const auto found = index_.find(key);
  known_.emplace(key);
  return found != index_.end() ? found->second : nullptr;
}

const Entry* Section::find(std::string_view key) { return look_up(key, false); }

const Entry* Section::find_name(std::string_view name) { return look_up(name, true); }

const Entry& Section::require(std::string_view key) {
  const Entry* entry = find(key);
  if (entry != nullptr) return *entry;
  if (watcher != nullptr) watcher->misses(*table_, key);
  for (const Entry& other : *table_)  // perhaps mistyped
    if (!known_.contains(other.key) && nearest(other.key, {std::string(key)}))
      fail(other.position, "unknown key " + in_quotes(other.key) + "; did you mean " + in_quotes(key) + "?");
  fail(position_, "missing " + in_quotes(key));
}

const std::string& Section::string(std::string_view key) {
  const Entry& entry = require(key);
  if (const auto* text = entry.value.as<std::string>()) return *text;
  fail_kind(entry, "a string");
}

bool Section::boolean(std::string_view key) {
  const Entry& entry = require(key);
  if (const auto* value = entry.value.as<bool>()) return *value;
  fail_kind(entry, "true or false");
}

std::vector<Text> Section::strings(std::string_view key) {
  const Entry& entry = require(key);
  if (const auto* single = entry.value.as<std::string>()) return {{*single, entry.value.position}};
  const auto* items = entry.value.as<Array>();
  if (items == nullptr) fail_kind(entry, "an array");
  if (items->empty()) fail(entry.value.position, in_quotes(key) + " must not be empty");
  std::vector<Text> result;
  for (const Value& item : *items) {
    const auto* text = item.as<std::string>();
    if (text == nullptr)
      fail(item.position, in_quotes(key) + " must hold strings, not " + std::string(kind_name(item)));
    result.push_back({*text, item.position});
  }
  return result;
}

std::optional<Section> Section::table(std::string_view key, std::string title) {
  const Entry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  if (const auto* inner = entry->value.as<Table>())
    return Section(*document_, *inner, entry->value.position, std::move(title));
  fail_kind(*entry, "a table");
}

std::vector<Section> Section::tables(std::string_view key, const std::string& title) {
  std::vector<Section> sections;
  const Entry* entry = find(key);
  if (entry == nullptr) return sections;
  const auto* items = entry->value.as<Array>();
  if (items == nullptr) fail_kind(*entry, "an array of tables, " + title);
  for (const Value& item : *items) {
    const auto* inner = item.as<Table>();
    if (inner == nullptr) fail_kind({entry->key, item.position, item}, "an array of tables, " + title);
    sections.emplace_back(*document_, *inner, item.position, title);
  }
  return sections;
}

void Section::finish(std::string_view noun) const {
  if (watcher != nullptr) watcher->closes(*table_);
  for (const Entry& entry : *table_) {
    if (known_.contains(entry.key)) continue;
    const std::vector<std::string> candidates(known_.begin(), known_.end());
    fail(entry.position,
         "unknown " + std::string(noun) + " " + in_quotes(entry.key) + suggestion(entry.key, candidates));
  }
}

void Section::fail(Position position, const std::string& message) const {
  model::fail(*document_, position, title_.empty() ? message : title_ + ": " + message);
}

void Section::fail_kind(const Entry& entry, std::string_view wanted) const {
  fail(entry.value.position,
       in_quotes(entry.key) + " must be " + std::string(wanted) + ", not " + std::string(kind_name(entry.value)));
}

std::string where(const Section& section, std::string_view key) { return section.title() + ": " + in_quotes(key); }

}  // namespace invar::model
