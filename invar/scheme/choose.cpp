// See choose.h.
#include "invar/scheme/choose.h"

#include <fmt/format.h>

#include "invar/base/error.h"
#include "invar/base/nearest.h"
#include "invar/expr/derivative.h"
#include "invar/expr/parse.h"
#include "invar/system/conserved.h"

namespace invar {

const Scheme& choose_scheme(const System& system, const std::string& name) {
  if (name == "auto") {
    const bool plain = purely_quadratic(system.kinetic, velocities(system)) &&
                       !depends(system.kinetic, Exprs{system.graph.time()}) &&
                       reference_symbols({&system.kinetic, 1}).empty();
    return *find_scheme(plain ? "energy-momentum" : "midpoint");
  }
  if (const Scheme* found = find_scheme(name)) return *found;
  std::vector<std::string> known = {"auto"};
  for (const Scheme& s : schemes()) known.emplace_back(s.info.name);
  const auto meant = nearest(name, known);
  throw InputError(
      fmt::format("unknown method \"{}\"{}", name, meant ? "; did you mean \"" + *meant + "\"?" : "; see invar list"));
}

}  // namespace invar
