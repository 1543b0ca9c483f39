// Position constraints kept at velocity level too, Φ'(q₁,v₁) = 0, by a motion along their gradients [C. W. Gear, B.
// Leimkuhler, G. K. Gupta, J. Comput. Appl. Math. 12&13 (1985) 77]:
//
//   q₁ - q₀ = h (…) - h Gᵀ(q₁) μ
//
// That takes energy and momenta along. With a constant mass matrix the scheme that keeps them goes on to do so if the
// constraints Ψ = G v are treated like Φ, by discrete gradients D of both positions and velocities, as forces of the
// Hamiltonian H + Φ·λ + Ψ·μ:
//
//   M (q₁ - q₀ - h v_m) = -h D_vΨᵀ μ,    p₁ - p₀ = h (…) + h D_qΨᵀ μ
//
// Since Ψ₁ = Ψ₀ = 0, D_qΨ (q₁ - q₀) + D_vΨ (v₁ - v₀) = 0, and what μ adds to H₁ - H₀ cancels. The velocity of a
// coordinate without mass then follows from the constraints alone; one that stands in no constraint keeps its row.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "invar/scheme/step_symbols.h"
#include "invar/system/state_function.h"

namespace invar {

// Whether a scheme that keeps energy and momenta keeps them with stabilisation too: if the mass matrix is constant, and
// regular but for coordinates that have no mass at all. The formulas are derived once, for any values of the
// parameters.
class ConservingStabilisation {
 public:
  ConservingStabilisation(const System& system, const SchemeInfo& info);
  bool operator()(std::span<const double> parameters) const;

 private:
  Pattern pattern_;
  std::optional<StateFunction> mass_;  // none if the answer is no
  std::ptrdiff_t with_mass_ = 0;       // so many coordinates have any
};
bool keeps_invariants_stabilised(const System& system, const SchemeInfo& info);

// Adds the equations and unknowns. InputError if the scheme has no place for them.
void stabilise(const System& system, const Equations& e, const Scheme& scheme, StepSymbols& setup, Residual& r);

}  // namespace invar
