// A system in which nothing is left to happen by itself: time, signals and inputs are held as they are at t = 0.
//
//   T, V, f + Bᵀu, Φ, B  at t = 0, γ = γ(0), γ' = γ'' = 0, u = u(0): the inputs become forces
#pragma once

#include <span>

#include "invar/system/reference.h"
#include "invar/system/system.h"

namespace invar {

System held(const System& system, std::span<const Reference> signals, std::span<const double> u);

// Whether anything changes by itself, so that rest in the held system is rest for an instant only.
bool changes_in_time(const System& system);

}  // namespace invar
