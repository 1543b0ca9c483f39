// A consistent start: the given positions and velocities moved onto the constraints by the least change in the mass
// metric, then accelerations and multipliers from the equations of motion; and which constraints are redundant there.
//
// Coordinates without mass come to the balance that the equations of motion ask of them, see massless.h.
//
//   q: min ½ δᵀWδ, Φ(t,q+δ) = 0;   v: min ½ δᵀWδ, Φ̇(t,q,v+δ) = 0;   [M Gᵀ; G 0][a; λ] = …;    W = M, mended where M is singular
#pragma once

#include <span>
#include <string>
#include <vector>

#include "invar/system/state_function.h"
#include "invar/system/system.h"

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
  std::vector<std::string> negative_masses;  // coordinates whose motion has negative kinetic energy
};

// Throws InputError with the residual of every violated constraint if the start cannot be made consistent, and one that names the formula if one
// has no finite value there. `references` are the given functions of time that the system contains. Inputs of which nothing is said count as zero,
// but what they act on need not be in balance. `u_rate` is their change in time, zero if it is not given.
Start consistent_start(const System& system, const State& given, std::span<const double> u = {},
                       std::span<const Reference> references = {}, std::span<const double> u_rate = {});

// The system without the named constraints.
System without(const System& system, const std::vector<Redundancy>& redundant);

}  // namespace invar
