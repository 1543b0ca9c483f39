// How a place of rest is looked for, and what it can be.
#pragma once

namespace invar {

enum class RestMethod {
  automatic,  // Newton's method, and if that fails the minimum; of large systems first the load path
  newton,     // the equilibrium that Newton's method leads to, stable or not
  path,       // where the equilibria lead to while the forces at the start are let go, see load_path.h
  minimum,    // downhill from the start, also from an unstable equilibrium, to a minimum of the potential
};

enum class StabilityKind {
  asymptotic,   // every small motion dies out
  stable,       // small motions stay small
  first_order,  // no small motion grows to first order; terms of higher order decide
  indifferent,  // along some directions no force brings it back
  unstable,
  not_judged,  // of a large system, in which forces have no potential
};

}  // namespace invar
