// The kinds of joints by the names that model files use.
#pragma once

#include <string>

#include "invar/model/mechanism/mechanism.h"

namespace invar {

std::string name_of(JointKind kind);

}  // namespace invar
