// Units that a problem brings along, so that no decision depends on whether it is written in metres or micrometres.
//
// In units s_j of the unknowns, e_i of the equations and τ of time a partial ∂f_i/∂x_j^(r) has the size e_i
// |∂f_i/∂x_j^(r)| s_j τ^-r. The natural units bring these sizes as close to one as they can, by least squares of the
// logarithms over all partials at the start and near it, together with what fixes the scale of motion: changes and
// rates of the references, loads, given coordinates and velocities, the time to be covered. Every such size changes
// with units as the partials do, so that other units of unknowns, equations and time lead to the same numbers.
#pragma once

#include <cstdint>

#include "invar/dae/dae.h"
#include "invar/dae/jet.h"

namespace invar {

// Another jet, off by random parts of up to `distance` natural units in all derivatives that the equations contain. The
// parts belong to the names of the unknowns, whatever their order.
Jet nearby(const Dae& dae, const JetEvaluator& evaluator, const NaturalUnits& units, const Jet& jet, double distance,
           std::uint64_t seed);

// For a motion over the times [0, until] from about this jet: t, coordinates and velocities.
NaturalUnits natural_units(const Dae& dae, JetEvaluator& evaluator, const Jet& start, double until);

}  // namespace invar
