// Index reduction by projection [W. Blajer, K. Kołodziejczyk, Multibody Syst. Dyn. 11 (2004) 343; 25 (2011)
// 131; Y. Yang, KIT 2017, sec. 4.2]: the dynamics split into a part along the prescribed directions, where
// accelerations are known, and a part along D, which spans what the outputs leave free.
//
//   F = M q'' + k(t,q,q',λ,u),   c'' = C q'' + ξ  (outputs),   Φ'' = G q'' + ζ  (constraints)
//   redundant:   C D = 0,  n - m̃ columns   Dᵀ F = 0,   C M⁻¹ k = ξ,                              c = 0,  Φ = 0
//   dependent:   [C; G] D = 0              Dᵀ F = 0,   C M⁻¹ k = ξ,  G M⁻¹ k = ζ,                c = 0,  Φ = 0
//                with q', q'' of a coordinate that is itself an output taken from its reference
//
// Minimal coordinates have no Φ, and the two agree. Neither D nor M⁻¹ is formed. With A = C or [C; G], Dᵀ F = 0 for
// every such D says that F is a combination of the rows of A, and M⁻¹ k is minus the acceleration a that the forces
// give:
//
//   F(q'') = Aᵀ μ,    F(a) = 0,    c''(a) = 0  (and Φ''(a) = 0),    c = 0,    Φ = 0
//
// with unknowns q, λ, u, a, μ. In continuous time a = q'' and μ = 0. The index falls from 5 to 3.
//
// Of the accelerations a, the redundant form needs those that C meets, and those joined to them by the mass matrix:
// only this part of M must be regular. So coordinates without mass, such as the angles that augment a body's directors,
// and inertia that acts on differences of coordinates only, are no obstacle as long as no output is made of them. The
// dependent form needs M to be regular on the motions that the constraints permit, since Φ''(a) = 0 holds the rest.
#pragma once

#include "invar/dae/extend.h"

namespace invar {

enum class ProjectionForm { redundant, dependent };

// Dependent if there are constraints and M is regular, or is not in the part that outputs meet; otherwise redundant.
ProjectionForm projection_form(const Dae& dae, const Jet& at);

// Accelerations a are the dummies. InputError if the mass matrix at `at` is singular where it must not be or an output
// contains more than coordinates and their derivatives up to the second; `dependent` names outputs and constraints with
// the same gradient.
ReducedDae project(const Dae& dae, ProjectionForm form, const Jet& at);

}  // namespace invar
