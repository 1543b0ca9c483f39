// See reduce.h. Whether a constraint holds identically is decided at random points with the values of the parameters.
#include "invar/system/reduce.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/system/joint_tree.h"
#include "invar/system/state_function.h"
#include "invar/system/tree_energy.h"

namespace invar {

namespace {

// Old symbols q, q', q'' and what they become.
struct Replacement {
  Exprs from, to;
  Exprs operator()(const Exprs& f) const { return substitute(f, from, to); }
};

// Formulas that are to be replaced, all in one sweep.
class Formulas {
 public:
  void add(Expr& f) { places_.push_back(&f); }
  void add(Exprs& all) {
    for (Expr& f : all) add(f);
  }
  void replace(const Replacement& put) {
    const Exprs put_in = put(all());
    for (std::size_t i = 0; i < put_in.size(); ++i) *places_[i] = put_in[i];
  }
  // The highest derivative of a function of time in them.
  int highest_order() const {
    int order = 0;
    for (const Expr& s : symbols(all()))
      if (s.kind() == SymbolKind::variable) order = std::max(order, s.order());
    return order;
  }

 private:
  Exprs all() const {
    Exprs list;
    for (const Expr* f : places_) list.push_back(*f);
    return list;
  }

  std::vector<Expr*> places_;
};

Replacement replacement(const System& system, const Mapping& mapping, int highest_order) {
  Replacement r;
  Exprs image = mapping.image;
  for (int order = 0; order <= highest_order; ++order) {
    if (order > 0) image = ddt(image);
    for (std::size_t i = 0; i < image.size(); ++i) {
      r.from.push_back(at(system.coordinates[i], order));
      r.to.push_back(image[i]);
    }
  }
  return r;
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
void show_bodies(const System& before, System& after) {
  for (const RigidBody& body : before.bodies)
    for (std::size_t i = body.first; i < body.first + body.size(); ++i)
      after.shown.push_back({before.coordinates[i].name(), at(before.coordinates[i])});
  after.bodies.clear();
  after.nodal.reset();
  after.tree.reset();
  after.joints.reset();
}

Exprs rates_of(const Exprs& mu) {
  Exprs rates;
  for (const Expr& x : mu) rates.push_back(x.derivative(1));
  return rates;
}

void add_conditions(const std::vector<Condition>& conditions, System& s) {
  for (const Condition& c : conditions) {
    s.add_constraint(c.name, c.expr);
    s.kinetic += 0.5 * c.inertia * pow(ddt(c.expr), 2.0);
  }
}

// Energies along the tree, which is handed on.
void take_tree(const JointTree& given, const Exprs& mu, const Expr& other_potential, System& s) {
  JointTree tree = given;
  tree.other_potential = other_potential;
  tree.kinetic = s.kinetic;
  s.potential = tree.potential = tree_potential(tree, mu) + other_potential;
  s.tree = std::make_shared<const JointTree>(std::move(tree));
}

}  // namespace

Reduced reduce(const System& system, const Mapping& mapping) {
  expects(mapping.image.size() == system.coordinates.size(), "one image per coordinate");
  Exprs mu;
  for (const Variable& x : mapping.coordinates) mu.push_back(at(x));
  Reduced result{system, {}, {}};
  System& s = result.system;
  s.coordinates = mapping.coordinates;
  show_bodies(system, s);
  Expr other_potential = mapping.tree ? mapping.tree->other_potential : Expr(0.0);
  Formulas formulas;
  for (Expr* f : {&s.kinetic, &s.potential})
    if (!mapping.tree) formulas.add(*f);
  s.weight = 0.0;
  s.watched.clear();
  s.estimated.clear();
  formulas.add(other_potential);
  formulas.add(s.forces);
  for (Input& u : s.inputs) formulas.add(u.direction);
  for (std::vector<Quantity>* list : {&s.outputs, &s.invariants, &s.shown})
    for (Quantity& y : *list) formulas.add(y.expr);
  for (Momentum& m : s.momenta) formulas.add(m.expr);
  std::vector<Constraint> trial;
  for (const Constraint& c : system.constraints)
    if (!mapping.holding.contains(c.name)) trial.push_back(c);
  for (Constraint& c : trial) {
    formulas.add(c.expr);
    formulas.add(c.tension);
  }
  formulas.replace(replacement(system, mapping, std::min(formulas.highest_order(), 2)));

  if (mapping.tree) s.kinetic = tree_kinetic(*mapping.tree, mu, rates_of(mu));
  s.forces = pulled_back(mapping.image, mu, s.forces);
  for (Input& u : s.inputs) u.direction = pulled_back(mapping.image, mu, u.direction);
  s.constraints.clear();
  auto tried = trial.begin();
  for (const Constraint& before : system.constraints) {
    const bool known = mapping.holding.contains(before.name);
    if (!known) result.tried.push_back(tried->expr);
    if (known || holds_identically(s, tried->expr))
      result.satisfied.push_back(before.name);
    else
      s.constraints.push_back(*tried);
    if (!known) ++tried;
  }
  add_conditions(mapping.conditions, s);
  if (mapping.tree) take_tree(*mapping.tree, mu, other_potential, s);
  return result;
}

}  // namespace invar
