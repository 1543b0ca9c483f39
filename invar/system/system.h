// A mechanical system in descriptor form, as formulas:
//
//   d/dt ∂T/∂v − ∂T/∂q = −∂V/∂q + f(t,q,v) + Bᵀ(q) u − Gᵀ λ,    Φ = 0,    y = s(q),    v = q'
//
// T is at most quadratic in v. A constraint may stand at position level, Φ(t,q) with G = ∂Φ/∂q, at velocity level,
// linear in v with G = ∂Φ/∂v (rolling, prescribed speeds), or at acceleration level with G = ∂Φ/∂q''.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "invar/expr/expr.h"

namespace invar {

enum class Level { position, velocity, acceleration };

struct Constraint {
  std::string name;
  Expr expr;  // = 0
  Level level;
  Variable multiplier;
  Expr tension = 0.0;  // times λ it is the tension of a cable that must not push; 0 if it is none
};

struct Input {
  std::string name;
  Variable value;
  Exprs direction;  // generalised force per unit input, one entry per coordinate
};

// A named formula: an output, or a quantity that is claimed to be constant in time.
struct Quantity {
  std::string name;
  Expr expr;
};

struct Parameter {
  std::string name;
  Expr symbol;
  double value;
};

// A rigid body or point mass among the coordinates, for those who want to know: position first, then the directors.
struct RigidBody {
  std::string name;
  std::size_t first;  // coordinate
  int dimension;      // of the world: 2 or 3
  bool point;         // has no directors
  double mass;
  std::array<double, 9> inertia;  // about the centre of mass in body axes, by rows

  std::size_t size() const { return static_cast<std::size_t>(dimension * (point ? 1 : dimension + 1)); }
};

// A momentum that goes with a symmetry of space.
struct Momentum {
  std::string name;
  Expr expr;
  std::string why_not;  // why it changes; empty if the exact motion keeps it
};

// What a model bears only up to a limit: beyond it the run warns.
struct Watched {
  std::string subject;    // "beam \"boom\"", whose worst value is told
  Expr value;             // of q, v and λ
  double limit;           // at most
  std::string_view what;  // it says, with {} for the value
};

// What a model says about its own error, by more than a formula, from what it needs to know of a state.
struct Estimated {
  std::string subject;
  Exprs needs;  // of q, v and λ
  std::function<double(std::span<const double>)> value;
  double limit;           // beyond it the run warns
  std::string_view what;  // it says, with {} for the value
};

struct NodalMap;
struct JointTree;
class JointForms;
class EquationsMemory;  // see equations.cpp
std::shared_ptr<EquationsMemory> new_equations_memory();

struct System {
  Graph graph;
  std::vector<Variable> coordinates;
  Expr kinetic;
  Expr potential;
  Expr weight = 0.0;  // that part of it which is a load: of masses in gravity
  Exprs forces;       // generalised, one per coordinate
  std::vector<Constraint> constraints;
  std::vector<Input> inputs;
  std::vector<Quantity> outputs;
  std::vector<Quantity> invariants;  // as declared by the user
  std::vector<Parameter> parameters;
  std::vector<RigidBody> bodies;  // empty if the coordinates are not those of bodies
  std::vector<Momentum> momenta;
  std::shared_ptr<const NodalMap> nodal;  // of an open chain in redundant coordinates, see nodal.h
  std::shared_ptr<const JointTree> tree;  // of bodies in joint coordinates, see joint_tree.h
  std::shared_ptr<JointForms> joints;     // of bodies in redundant coordinates, see joint_form.h
  std::vector<Quantity> shown;            // further quantities that belong into the results
  std::vector<Watched> watched;
  std::vector<Estimated> estimated;
  // Of equations that copies of this system have derived so far.
  std::shared_ptr<EquationsMemory> equations_memory = new_equations_memory();

  void add_coordinate(const std::string& name);
  void add_constraint(const std::string& name, const Expr& expr, Level level = Level::position);
  void add_input(const std::string& name, Exprs direction);
  Expr add_parameter(const std::string& name, double value);
};

Exprs positions(const System& system);      // symbols q
Exprs velocities(const System& system);     // symbols q'
Exprs accelerations(const System& system);  // symbols q''
Exprs multipliers(const System& system);    // symbols λ
Exprs inputs(const System& system);         // symbols u
Exprs parameters(const System& system);     // symbols
std::vector<double> parameter_values(const System& system);

// Each throws an InputError that names what is wrong.
void check_kinetic(const System& system);    // at most quadratic in the velocities
void check_potential(const System& system);  // free of velocities
void check_constraint(const System& system,
                      const Constraint& c);                  // contains what its level says, linear where it must be
void check_coordinate(const System& system, std::size_t i);  // appears in some equation
void check(const System& system);                            // all of these

}  // namespace invar
