// The equations of a mechanism, and what in them belongs to which of its parts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "invar/model/mechanism/frame.h"

namespace invar {

// A named coordinate and the constraint that ties it to the bodies.
struct Augmentation {
  Variable coordinate;
  std::size_t constraint;  // place in the system
  bool massless;           // nothing but this constraint gives it a motion
};

struct Assembly {
  System system;
  std::vector<double> q0, v0;
  std::vector<Frame> frames;  // of the bodies
  std::vector<Augmentation> augmented;
  Expr other_potential = 0.0;                                      // what is left of the potential without gravity
  std::map<std::string, std::vector<std::string>> constraints_of;  // by joint, cable or body
  Exprs decided;  // formulas whose parameters decide by their values what is conserved
};

}  // namespace invar
