// The consistent start of a large system, by sparse factorisation; see start.h for what it means.
#pragma once

#include <optional>
#include <span>

#include "invar/system/equations.h"
#include "invar/system/start_result.h"

namespace invar {

// From so many coordinates and constraints together on, dense matrices take noticeable time.
inline constexpr std::size_t large_start = 300;

// Nothing if constraints are redundant or the start is singular: then dense matrices tell which, and what to do.
std::optional<Start> sparse_start(const System& system, const State& given, std::span<const double> u,
                                  std::span<const Reference> references);

// Shared with the dense way.
bool has_constant_mass(const Equations& e);
void note_changes(const System& system, const State& given, const State& used, std::vector<Change>& changes);

}  // namespace invar
