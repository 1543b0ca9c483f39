// See reduce.h. Whether a constraint holds identically is decided at random points with the values of the parameters.
#include "invar/system/reduce.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/system/joint_tree.h"
#include "invar/system/state_function.h"

namespace invar {

namespace {

// Old symbols q, q', q'' and what they become.
struct Replacement {
  Exprs from, to;
  Expr operator()(const Expr& f) const { return substitute(f, from, to); }
};

Replacement replacement(const System& system, const Mapping& mapping) {
  Replacement r;
  Exprs image = mapping.image;
  for (int order = 0; order <= 2; ++order) {
    for (std::size_t i = 0; i < image.size(); ++i) {
      r.from.push_back(at(system.coordinates[i], order));
      r.to.push_back(image[i]);
    }
    image = ddt(image);
  }
  return r;
}

// Σ_i force_i ∂F_i/∂μ_j
Exprs projected(const Exprs& force, const SparseExprs& p) {
  Exprs reduced(static_cast<std::size_t>(p.pattern.cols), 0.0);
  for (std::size_t j = 0; j < reduced.size(); ++j)
    for (int k = p.pattern.start[j]; k < p.pattern.start[j + 1]; ++k) {
      const auto place = static_cast<std::size_t>(k);
      reduced[j] += p.value[place] * force[static_cast<std::size_t>(p.pattern.row[place])];
    }
  return reduced;
}

bool holds_identically(const System& system, const Expr& f) {
  // What is left of numbers that cancelled when the formula was built.
  constexpr double rounding = 1e-13;
  if (f.is_constant()) return std::abs(f.value()) <= rounding;
  constexpr int points = 12;
  constexpr int enough = 4;  // points inside the domain of the formula
  constexpr double cancelled =
      1e-12;  // of the largest intermediate value; chance agreement at four points is out of the question
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  StateFunction every_node(system, ordered({&f, 1}));
  int inside = 0;
  for (int k = 0; k < points; ++k) {
    State s{.t = uniform(random), .q = {}, .v = {}, .a = {}, .lambda = {}};
    for (auto* part : {&s.q, &s.v, &s.a})
      for (std::size_t i = 0; i < system.coordinates.size(); ++i) part->push_back(uniform(random));
    const std::vector<double> value = every_node(s);
    double largest = 0.0;
    for (double x : value) largest = std::max(largest, std::abs(x));
    if (!std::isfinite(value.back()) || !std::isfinite(largest)) continue;
    if (std::abs(value.back()) > cancelled * largest) return false;
    ++inside;
  }
  return inside >= enough;
}

// Places and directors of bodies are no coordinates any more, but still of interest.
void show_bodies(const System& before, const Replacement& put, System& after) {
  for (const RigidBody& body : before.bodies)
    for (std::size_t i = body.first; i < body.first + body.size(); ++i)
      after.shown.push_back({before.coordinates[i].name(), put(at(before.coordinates[i]))});
  after.bodies.clear();
  after.nodal.reset();
  after.tree.reset();
}

}  // namespace

Reduced reduce(const System& system, const Mapping& mapping) {
  expects(mapping.image.size() == system.coordinates.size(), "one image per coordinate");
  const Replacement put = replacement(system, mapping);
  Exprs mu;
  for (const Variable& x : mapping.coordinates) mu.push_back(at(x));
  const SparseExprs p = jacobian(mapping.image, mu);
  auto reduced_force = [&](Exprs force) {
    for (Expr& f : force) f = put(f);
    return projected(force, p);
  };

  Reduced result{system, {}, {}};
  System& s = result.system;
  s.coordinates = mapping.coordinates;
  s.kinetic = put(system.kinetic);
  s.potential = put(system.potential);
  s.forces = reduced_force(system.forces);
  for (Input& u : s.inputs) u.direction = reduced_force(u.direction);
  for (Quantity& y : s.outputs) y.expr = put(y.expr);
  for (Quantity& y : s.invariants) y.expr = put(y.expr);
  for (Momentum& m : s.momenta) m.expr = put(m.expr);
  for (Quantity& y : s.shown) y.expr = put(y.expr);
  show_bodies(system, put, s);
  if (mapping.tree) {
    JointTree tree = *mapping.tree;
    tree.kinetic = s.kinetic;
    tree.potential = s.potential;
    tree.other_potential = put(tree.other_potential);
    s.tree = std::make_shared<const JointTree>(std::move(tree));
  }
  s.constraints.clear();
  for (Constraint c : system.constraints) {
    c.expr = put(c.expr);
    c.tension = put(c.tension);
    result.tried.push_back(c.expr);
    if (holds_identically(s, c.expr))
      result.satisfied.push_back(c.name);
    else
      s.constraints.push_back(c);
  }
  return result;
}

}  // namespace invar
