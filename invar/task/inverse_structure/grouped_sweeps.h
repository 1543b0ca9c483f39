// The sweeps that solve many instants of an inverse problem together, where it pays.
#pragma once

#include <memory>

#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

// For flat problems without hidden structure; nothing otherwise, or if the formulas become too long. Jets come with
// `extra` derivatives. Pivots are chosen by jets all along the path.
std::shared_ptr<GroupedSweeps> grouped_sweeps(const InverseStructure& structure, double until, int extra);

// The formulas are worth building from about so many instants on.
inline constexpr std::size_t worth_grouping = 1500;

}  // namespace invar
