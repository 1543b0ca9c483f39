// See tree_start.h. The recursion on numbers is that of the formulas: numbers are formulas too.
#include "invar/system/start/tree_start.h"

#include <algorithm>
#include <cmath>

#include "invar/system/articulated.h"

namespace invar {

namespace {

// What elimination leaves of the inertia of a freedom, at least; less is a matter of rank, which rounding decides.
constexpr double least_inertia = 1e-8;

Exprs as_numbers(std::span<const double> x) { return {x.begin(), x.end()}; }

// Accelerations of numbers; nothing where a freedom has hardly any inertia or a number is not finite.
std::optional<std::vector<double>> accelerations_of(const JointTree& tree, const Exprs& q,
                                                    const ArticulatedMotion& motion) {
  const Exprs terms = inertia_terms(tree, q);
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (!(motion.inertia[i].value() > least_inertia * terms[i].value())) return std::nullopt;
  std::vector<double> a;
  for (const Expr& x : motion.acceleration) a.push_back(x.value());
  if (!std::ranges::all_of(a, [](double x) { return std::isfinite(x); })) return std::nullopt;
  return a;
}

// Do all Euler parameters have the length one, and keep it?
bool has_unit_balls(const JointTree& tree, const State& s) {
  constexpr double rounding = 1e-14;
  return std::ranges::all_of(tree.balls(), [&](std::size_t first) {
    double length = 0.0, along = 0.0, speed = 0.0;
    for (std::size_t i = first; i < first + 4; ++i) {
      length += s.q[i] * s.q[i];
      along += s.q[i] * s.v[i];
      speed += std::abs(s.v[i]);
    }
    return std::abs(length - 1.0) <= rounding && std::abs(along) <= rounding * speed;
  });
}

}  // namespace

bool TreeStart::serves(const System& system) { return is_open_tree(system); }

TreeStart::TreeStart(const System& system, std::span<const Reference> references)
    : tree_(system.tree),
      constant_mass_(!depends(system.kinetic, positions(system))),
      forces_(system, tree_forces(system, equations(system)), references) {}

std::optional<Start> TreeStart::solve(const State& given, std::span<const double> u,
                                      std::span<const double> parameters) const {
  if (!has_unit_balls(*tree_, given)) return std::nullopt;
  StateFunction forces = forces_;
  forces.set_parameters(parameters);
  const std::size_t conditions = tree_->balls().size();
  State s = {given.t, given.q, given.v, {}, std::vector<double>(conditions)};
  const Exprs q = as_numbers(s.q);
  std::optional<std::vector<double>> a =
      accelerations_of(*tree_, q, articulated_motion(*tree_, q, as_numbers(s.v), as_numbers(forces(s, u))));
  if (!a) return std::nullopt;
  s.a = *std::move(a);
  Start start;
  start.state = std::move(s);
  start.mass_rank = static_cast<int>(q.size());
  start.degrees_of_freedom = static_cast<int>(q.size() - conditions);
  start.mass_kind = constant_mass_ ? MassKind::constant : MassKind::configuration_dependent;
  return start;
}

// An impulse at rest: accelerations without gravity and forces.
std::optional<std::vector<double>> led_velocities(const System& system, const State& given,
                                                  std::span<const std::optional<double>> rates) {
  if (!TreeStart::serves(system)) return std::nullopt;
  for (const std::size_t ball : system.tree->balls())
    for (std::size_t i = ball; i < ball + 4; ++i)
      if (rates[i]) return std::nullopt;
  JointTree weightless = *system.tree;
  weightless.gravity.setZero();
  LedFreedoms change(rates.size());
  for (std::size_t i = 0; i < rates.size(); ++i)
    if (rates[i]) change[i] = *rates[i] - given.v[i];
  const Exprs q = as_numbers(given.q), none(q.size(), 0.0);
  std::optional<std::vector<double>> v =
      accelerations_of(weightless, q, articulated_motion(weightless, q, none, none, change));
  if (!v) return std::nullopt;
  for (std::size_t i = 0; i < v->size(); ++i) (*v)[i] = rates[i] ? *rates[i] : given.v[i] + (*v)[i];
  return v;
}

}  // namespace invar
