// An order of operations in which few values wait for their use at a time, for long code on machines that spill what
// their registers cannot hold.
//
// To find the best one is NP-hard, so several are made and the one is taken that is cheapest on a machine with so many
// registers that always spills the value whose next use is farthest away [L. A. Belady, IBM Systems J. 5 (1966) 78]:
//   - as they stand, and depth first with the most demanding operand first (tape_schedule.cpp);
//   - depth first, but what frees at least as many registers as it takes is done as soon as it can be;
//   - from the end: of the operations whose users all stand, the one that brings fewest new values to life.
// Numbers and inputs are read where they are needed and count for nothing; results are gone when they are found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "invar/tape/tape.h"

namespace invar {

struct OrderCost {
  std::size_t most_live = 0;          // values that wait at one time
  std::size_t stores = 0, loads = 0;  // of values that did not stay in a register
};
OrderCost cost_of_order(std::span<const TapeValue> values, std::span<const std::uint32_t> order, std::size_t registers);

// Doubles for which a thread of a GPU has registers, besides addresses and counters.
inline constexpr std::size_t gpu_registers = 110;

std::vector<std::uint32_t> order_with_few_live(std::span<const TapeValue> values,
                                               std::span<const std::uint32_t> outputs,
                                               std::size_t registers = gpu_registers);

}  // namespace invar
