// What kind of point an optimal control problem ended at, and how it was found, in words.
#pragma once

#include <string>

#include "invar/record/summary.h"

namespace invar {

std::string nature(const Summary::Optimization& o);
std::string way_found(
    const Summary::Optimization& o);  // empty if the first guess led straight there and no other was tried

}  // namespace invar
