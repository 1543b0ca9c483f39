// A consistent start: the given positions and velocities moved onto the constraints by the least change in the mass
// metric, then accelerations and multipliers from the equations of motion; and which constraints are redundant there.
//
// Coordinates without mass come to the balance that the equations of motion ask of them, see massless.h.
//
//   q: min ½ δᵀWδ, Φ(t,q+δ) = 0;   v: min ½ δᵀWδ, Φ̇(t,q,v+δ) = 0;   [M Gᵀ; G 0][a; λ] = …
//   W = M, mended where M is singular
#pragma once

#include <memory>
#include <span>

#include "invar/system/start/start_result.h"
#include "invar/system/state_function.h"
#include "invar/system/system.h"

namespace invar {

struct StartGiven {
  State state;                          // positions and velocities
  std::span<const double> u;            // none: they count as zero, but what inputs act on need not be in balance
  std::span<const double> u_rate = {};  // their change in time, zero if it is not given
};

// The formulas of a start, derived once for any start values and parameters; copies share them, and threads may use
// them together.
class ConsistentStart {
 public:
  // `references` are the given functions of time that the system contains.
  explicit ConsistentStart(const System& system, std::span<const Reference> references = {});

  // Throws InputError with the residual of every violated constraint if the start cannot be made consistent, and one
  // that names the formula if one has no finite value there.
  Start operator()(const StartGiven& given, std::span<const double> parameters) const;

 private:
  struct Formulas;
  std::shared_ptr<Formulas> formulas_;
};

// The same for once, with the parameters of the system.
Start consistent_start(const System& system, const State& given, std::span<const double> u = {},
                       std::span<const Reference> references = {}, std::span<const double> u_rate = {});

// The system without the named constraints.
System without(const System& system, const std::vector<Redundancy>& redundant);

}  // namespace invar
