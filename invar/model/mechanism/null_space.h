// Velocities that the joints of an open chain allow, as formulas that also hold between two configurations.
//
// Along the tree, with twists (v, ω) of the bodies and vectors of the mean configuration: a joint passes on its point's
// velocity and ω, and adds what it is free to do. A hinge adds its axis n, as its first body carries it; a slide adds
// the direction that is orthogonal to both sides of the guide, which is n only while directors are orthonormal
// (contravariant n)
// [P. Betsch, S. Leyendecker 2006; R. Siebert 2012, ch. 4, with the prismatic pair corrected].
#pragma once

#include <memory>

#include "invar/model/mechanism/assembly.h"
#include "invar/system/nodal.h"

namespace invar {

// The null space is full, which limits the length of chains for which it is worth having.
inline constexpr std::size_t most_in_a_reduced_chain = 60;

// Nothing if there are loops, cables, gears, screws, or prescribed motions.
std::shared_ptr<const NodalMap> nodal_map(const Mechanism& mechanism, const Assembly& assembly);

}  // namespace invar
