// What a model file asks of the tasks: a value of settings for each task that it speaks of. Tasks define the types of
// these values, and nothing else knows them.
#pragma once

#include <algorithm>
#include <any>
#include <typeinfo>
#include <utility>
#include <vector>

namespace invar {

class TaskSettings {
 public:
  // Those that were given, or the defaults.
  template <class Settings>
  const Settings& of() const {
    static const Settings defaults{};
    const Settings* given = find<Settings>();
    return given != nullptr ? *given : defaults;
  }
  // The same to be changed: from here on they are given.
  template <class Settings>
  Settings& of() {
    if (!has<Settings>()) entries_.push_back({Settings{}, finds_inputs<Settings>()});
    return const_cast<Settings&>(*find<Settings>());
  }
  template <class Settings>
  bool has() const {
    return find<Settings>() != nullptr;
  }
  template <class Settings>
  void remove() {
    std::erase_if(entries_, [](const Entry& entry) { return entry.value.type() == typeid(Settings); });
  }

  // Is there a task that finds the inputs by itself? Its settings say so by a member `finds_inputs`.
  bool find_inputs() const {
    return std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.finds_inputs; });
  }

 private:
  struct Entry {
    std::any value;
    bool finds_inputs;
  };

  template <class Settings>
  static constexpr bool finds_inputs() {
    if constexpr (requires { Settings::finds_inputs; }) return Settings::finds_inputs;
    return false;
  }
  template <class Settings>
  const Settings* find() const {
    for (const Entry& entry : entries_)
      if (const auto* found = std::any_cast<Settings>(&entry.value)) return found;
    return nullptr;
  }

  std::vector<Entry> entries_;
};

}  // namespace invar
