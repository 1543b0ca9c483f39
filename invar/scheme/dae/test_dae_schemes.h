// The schemes that solve a Dae, for tests.
#pragma once

#include <string_view>
#include <vector>

#include "invar/scheme/choose.h"

namespace invar::test {

// Their names, in the order of the table: implicit-euler, bdf2, radau5.
inline std::vector<std::string_view> dae_schemes() {
  std::vector<std::string_view> names;
  for (const Scheme& s : schemes())
    if (s.rule != nullptr) names.push_back(s.info.name);
  return names;
}

inline const Scheme& scheme(std::string_view name) { return scheme_called(name, "integrator"); }

}  // namespace invar::test
