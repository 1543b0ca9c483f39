// Settings that are one of a closed set of kinds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "invar/base/kind_names.h"
#include "invar/model/file/section.h"
#include "invar/model/problem/setting_error.h"

namespace invar::model {

// One of the names in a table of kinds; leaves the target alone if the key is missing.
template <class Kind, std::size_t count>
void read_kind(Section& section, std::string_view key, const KindName<Kind> (&table)[count], Kind& target) {
  const Entry* entry = section.find(key);
  if (entry == nullptr) return;
  offer(entry->value, names_in(table));
  const std::optional<Kind> found = kind_in(table, section.string(key));
  if (!found) section.fail(entry->value.position, '"' + std::string(key) + "\" " + must_be_one_of(names_in(table)));
  target = *found;
}

}  // namespace invar::model
