// What a consistent start turned out to be; see start.h.
#pragma once

#include <string>
#include <vector>

#include "invar/system/state_function.h"

namespace invar {

struct Change {
  std::string name;  // coordinate, with a prime for a velocity
  double given;
  double used;
};

struct Redundancy {
  std::string constraint;
  std::vector<std::string> follows_from;  // names of other constraints; empty if its gradient vanishes
};

enum class MassKind { constant, configuration_dependent };

struct Start {
  State state;
  std::vector<Change> changes;
  std::vector<Redundancy> redundant;  // everywhere near the start: the equations without them say the same
  std::vector<Redundancy> singular;   // dependent only in the start configuration itself
  int degrees_of_freedom = 0;         // coordinates less independent constraints
  MassKind mass_kind = MassKind::constant;
  int mass_rank = 0;
  bool has_massless_motions = false;         // which neither masses nor constraints determine, see massless.h
  std::vector<std::string> negative_masses;  // coordinates whose motion has negative kinetic energy
};

}  // namespace invar
