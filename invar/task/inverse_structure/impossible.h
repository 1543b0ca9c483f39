// Why an inverse problem has no solution, in words that name the outputs at fault.
//
// Structurally: an output that no chain of masses, forces and constraints joins to an input is out of its reach; and
// equations that contain fewer unknowns than they are (the overdetermined part of Dulmage and Mendelsohn) make outputs
// depend on each other. Where formulas hide that, rows of the derivative array are linearly dependent: with P the
// projection onto the left null space of the array, outputs belong together if P joins their rows, and an output that P
// joins to no other follows a motion of its own.
#pragma once

#include <string>
#include <vector>

#include "invar/dae/derivative_array.h"
#include "invar/dae/jet.h"
#include "invar/dae/structure.h"

namespace invar {

// `"a"`, `"a" and "b"`, `"a", "b" and "c"`.
std::string listed(const std::vector<std::string>& names);

// InputError if there is an output that no input can influence, whatever the numbers.
void require_influence(const Dae& dae, const Signature& signature);

// For offsets that are not regular.
[[noreturn]] void refuse_structure(const Dae& dae, const Signature& signature, const Offsets& offsets);

// For a verdict that is `inconsistent` or `not_invertible`, at the jet at which it was found.
[[noreturn]] void refuse_array(const Dae& dae, const Offsets& offsets, const ArrayVerdict& verdict,
                               JetEvaluator& evaluator, const Jet& jet);

}  // namespace invar
