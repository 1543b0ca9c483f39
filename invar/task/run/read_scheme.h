// A setting that names a scheme.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "invar/model/file/section.h"
#include "invar/scheme/scheme.h"

namespace invar::model {

// Leaves the target alone if the key is missing. Whether there is such a scheme, and whether it serves, is said later.
inline void read_scheme(Section& section, std::string_view key, std::string& target, bool or_automatic = true) {
  const Entry* entry = section.find(key);
  if (entry == nullptr) return;
  std::vector<std::string> names;
  if (or_automatic) names.emplace_back("auto");
  for (const Scheme& scheme : schemes()) names.emplace_back(scheme.info.name);
  offer(entry->value, names);
  target = section.string(key);
}

}  // namespace invar::model
