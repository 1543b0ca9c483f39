// The table of schemes.
#include "invar/scheme/table.h"

#include <vector>

namespace invar {

std::span<const Scheme> schemes() {
#define INVAR_LIST(name) name,
  static const std::vector<Scheme> table = {INVAR_SCHEMES(INVAR_LIST)};
#undef INVAR_LIST
  return table;
}

const Scheme* find_scheme(std::string_view name) {
  for (const Scheme& scheme : schemes())
    if (scheme.info.name == name) return &scheme;
  return nullptr;
}

}  // namespace invar
