// See choose.h.
#include "invar/scheme/choose.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "invar/base/error.h"
#include "invar/base/nearest.h"
#include "invar/expr/derivative.h"
#include "invar/expr/parse.h"
#include "invar/system/conserved.h"

namespace invar {

namespace {

std::optional<std::string> meant(std::string_view name, std::vector<std::string> known) {
  for (const Scheme& s : schemes()) {
    if (name == s.info.synonym) return std::string(s.info.name);
    known.emplace_back(s.info.name);
  }
  return nearest(name, known);
}

[[noreturn]] void refuse(std::string_view name, std::string_view noun, const std::vector<std::string>& also) {
  const std::optional<std::string> other = meant(name, also);
  throw InputError(fmt::format("unknown {} \"{}\"{}", noun, name,
                               other ? "; did you mean \"" + *other + "\"?" : "; see invar list"));
}

}  // namespace

const Scheme& scheme_called(std::string_view name, std::string_view noun) {
  if (const Scheme* found = find_scheme(name)) return *found;
  refuse(name, noun, {});
}

const Scheme& choose_scheme(const System& system, const std::string& name) {
  if (name == "auto") {
    const bool plain = purely_quadratic(system.kinetic, velocities(system)) &&
                       !depends(system.kinetic, Exprs{system.graph.time()}) &&
                       reference_symbols({&system.kinetic, 1}).empty();
    return *find_scheme(plain ? "energy-momentum" : "midpoint");
  }
  if (const Scheme* found = find_scheme(name)) return *found;
  refuse(name, "method", {"auto"});
}

}  // namespace invar
