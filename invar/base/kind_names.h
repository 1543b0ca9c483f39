// The names of a closed set of kinds: a table with one row per kind, in which both can be looked up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "invar/base/error.h"

namespace invar {

template <class Kind>
struct KindName {
  Kind kind;
  std::string_view name;
};

template <class Kind, std::size_t count>
std::string name_in(const KindName<Kind> (&table)[count], Kind kind) {
  const auto row = std::find_if(table, table + count, [&](const auto& r) { return r.kind == kind; });
  expects(row != table + count, "every kind has a name");
  return std::string(row->name);
}

template <class Kind, std::size_t count>
std::optional<Kind> kind_in(const KindName<Kind> (&table)[count], std::string_view name) {
  const auto row = std::find_if(table, table + count, [&](const auto& r) { return r.name == name; });
  return row == table + count ? std::nullopt : std::optional(row->kind);
}

template <class Kind, std::size_t count>
std::vector<std::string> names_in(const KindName<Kind> (&table)[count]) {
  std::vector<std::string> names;
  for (const KindName<Kind>& row : table) names.emplace_back(row.name);
  return names;
}

}  // namespace invar
