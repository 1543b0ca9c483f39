// The joint coordinates of a mechanism, for a system that describes it by redundant ones.
#pragma once

#include <memory>

#include "invar/model/mechanism/mechanism.h"
#include "invar/model/mechanism/minimal.h"

namespace invar {

// Of a mechanism that a system describes by these coordinates: what is left of the potential is written in them.
MinimalForm minimal_form_of(const Mechanism& mechanism, const Exprs& coordinates);

// The system is that of assemble(). Only open trees have a form that nothing but joints keeps together.
void know_joints(System& system, const std::shared_ptr<const Mechanism>& mechanism);

}  // namespace invar
