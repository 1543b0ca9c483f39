// Someone who watches readers at work and is told what they ask of a file: which keys, and which kinds of values. So a
// description of model files can be made from the readers themselves (see read/key_tree.h). Nobody watches usually.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace invar::model {

struct Value;
struct Entry;

class Watcher {
 public:
  Watcher() = default;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  virtual ~Watcher() = default;

  // A key of this table; `is_name`: one that the model chose, as that of a coordinate.
  virtual void asks(const std::vector<Entry>& table, std::string_view key, bool is_name) = 0;
  virtual void misses(const std::vector<Entry>& table, std::string_view key) = 0;    // and cannot do without
  virtual void closes(const std::vector<Entry>& table) = 0;                          // takes no other keys
  virtual void looks_for(const Value& value, std::size_t kind) = 0;                  // a place in the variant of values
  virtual void chooses(const Value& value, std::span<const std::string> words) = 0;  // it must be one of these
};

inline thread_local Watcher* watcher = nullptr;  // of what this thread reads

// The words that a value may be, and no others.
inline void offer(const Value& value, std::span<const std::string> words) {
  if (watcher != nullptr) watcher->chooses(value, words);
}

}  // namespace invar::model
