// See tree_start.h. The recursion on numbers is that of the formulas: numbers are formulas too.
#include "invar/system/tree_start.h"

#include <algorithm>
#include <cmath>

#include "invar/system/articulated.h"

namespace invar {

namespace {

// What elimination leaves of the inertia of a freedom, at least; less is a matter of rank, which rounding decides.
constexpr double least_inertia = 1e-8;

Exprs as_numbers(std::span<const double> x) { return {x.begin(), x.end()}; }

}  // namespace

bool TreeStart::serves(const System& system) {
  return system.tree && system.constraints.empty() && system.tree->links.size() == system.coordinates.size() &&
         system.tree->kinetic == system.kinetic && system.tree->potential == system.potential;
}

TreeStart::TreeStart(const System& system, std::span<const Reference> references)
    : tree_(system.tree),
      constant_mass_(!depends(system.kinetic, positions(system))),
      forces_(system, tree_forces(system, equations(system)), references) {}

std::optional<Start> TreeStart::solve(const State& given, std::span<const double> u,
                                      std::span<const double> parameters) const {
  StateFunction forces = forces_;
  forces.set_parameters(parameters);
  State s = {given.t, given.q, given.v, {}, {}};
  const Exprs q = as_numbers(s.q);
  const ArticulatedMotion motion = articulated_motion(*tree_, q, as_numbers(s.v), as_numbers(forces(s, u)));
  const Exprs alone = composite_inertias(*tree_, q);
  for (std::size_t i = 0; i < alone.size(); ++i)
    if (!(motion.inertia[i].value() > least_inertia * alone[i].value())) return std::nullopt;
  for (const Expr& a : motion.acceleration) s.a.push_back(a.value());
  if (!std::ranges::all_of(s.a, [](double a) { return std::isfinite(a); })) return std::nullopt;
  Start start;
  start.state = std::move(s);
  start.degrees_of_freedom = start.mass_rank = static_cast<int>(q.size());
  start.mass_kind = constant_mass_ ? MassKind::constant : MassKind::configuration_dependent;
  return start;
}

}  // namespace invar
