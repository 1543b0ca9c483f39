// In how many parts (newton_parts.h) the correction of an iteration is cheapest on a GPU, whose threads wait for memory
// much more than for arithmetic.
#pragma once

#include <span>
#include <vector>

#include "invar/device/newton_parts.h"
#include "invar/scheme/steps/step_formulas.h"

namespace invar {

// With pivots that suit the formulas at `place`. One part where all values stay in registers.
std::vector<NewtonPart> correction_parts(const StepFormulas& formulas, std::span<const double> place, double most);

// What parts take: operations; values that are stored and loaded since registers do not hold them; arguments that are
// read, once in each part.
struct PartsCost {
  std::size_t operations = 0, stores = 0, loads = 0, arguments = 0;
};
PartsCost cost_of_parts(std::span<const NewtonPart> parts);

}  // namespace invar
