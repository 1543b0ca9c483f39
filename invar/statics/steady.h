// Coordinates along which a system may go on steadily, since nothing depends on where they are: the place of a cart,
// the angle of a hub.
//
// A constant rate along them is a state of rest for everything else (a relative equilibrium). Nothing tells the rate
// where no force resists it: then it is the one of the start. Where a drive works against friction, their balance does.
#pragma once

#include <vector>

#include "invar/statics/statics.h"

namespace invar {

struct SteadyCoordinates {
  std::vector<std::size_t> all;      // numbers of coordinates
  std::vector<std::size_t> unknown;  // those among them whose rates follow from the forces
};

// Judged at several states around this one.
SteadyCoordinates steady_coordinates(Statics& statics, const State& near);

}  // namespace invar
