// Where columns stand in a table, found at once: for those who ask for many of them by name.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace invar {

class ColumnPlaces {
 public:
  explicit ColumnPlaces(const std::vector<std::string>& columns) {
    place_.reserve(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) place_.try_emplace(columns[i], i);
  }
  std::optional<std::size_t> find(const std::string& column) const {
    const auto found = place_.find(column);
    return found == place_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::unordered_map<std::string, std::size_t> place_;
};

}  // namespace invar
