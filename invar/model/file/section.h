// A cursor over a table of a file that notices what nobody asked for.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "invar/model/file/document.h"

namespace invar::model {

struct Text {
  std::string text;
  Position position;
};

// A key as it stands in the file: [[body]], [world] or "urdf"; and its place there.
std::string shown(const Entry& entry);
Position place(const Entry& entry);

class Section {
 public:
  // The document must outlive the section. `title` opens every message: `[system]` or `constraint "cable"`.
  Section(const Document& document, const Table& table, Position position, std::string title);

  // Asking for a key makes it known. `find_name` asks for one that the model chose: that of a coordinate, of an input.
  const Entry* find(std::string_view key);
  const Entry* find_name(std::string_view name);
  const Entry& require(std::string_view key);

  const std::string& string(std::string_view key);                        // required
  bool boolean(std::string_view key);                                     // required
  std::vector<Text> strings(std::string_view key);                        // required, not empty; one needs no array
  std::optional<Section> table(std::string_view key, std::string title);  // nothing if missing
  std::vector<Section> tables(std::string_view key, const std::string& title);  // [[…]], empty if missing

  // Throws for the first key that was never asked for, with the nearest one that was.
  void finish(std::string_view noun = "key") const;

  Position position() const { return position_; }
  const Table& entries() const { return *table_; }
  const std::string& title() const { return title_; }
  void set_title(std::string title) { title_ = std::move(title); }
  [[noreturn]] void fail(Position position, const std::string& message) const;

 private:
  const Entry* look_up(std::string_view key, bool is_name);
  [[noreturn]] void fail_kind(const Entry& entry, std::string_view wanted) const;

  const Document* document_;
  const Table* table_;
  Position position_;
  std::string title_;  // empty for the file itself
  std::map<std::string_view, const Entry*> index_;
  std::set<std::string, std::less<>> known_;
};

// How messages about the value of a key begin: `joint "hinge": "damping"`.
std::string where(const Section& section, std::string_view key);

}  // namespace invar::model
