// A time discretisation is its residual between two nodes; everything else (Newton, recording, optimal control) is
// shared.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "invar/system/equations.h"

namespace invar {

// What is known or sought at one end of a step.
struct Node {
  Expr t;
  Exprs q, v, lambda;
  Exprs carried;  // what the scheme itself hands from step to step, e.g. accelerations or the node before
};

// What some schemes know of the inside of a step: the motion at the part θ of it (dense output), and an estimate of the
// error of its end by a second method with the same stages.
struct Inside {
  Exprs q, v, lambda;
  Exprs error_q, error_v;
};

// Equations of one step, each with a name for messages.
struct Residual {
  Exprs equations;
  std::vector<std::string> names;
  std::optional<std::size_t> kinematics;  // first of the rows q1 - q0 - h·(…) = 0, if the scheme has such
  // Ends of groups of equations, each of which determines as many unknowns by itself once those before are known. None:
  // all equations are solved together.
  std::vector<std::size_t> stages;
  // Or stages that are coupled by a rule for derivatives alone: the unknowns of each, in one order; their equations
  // follow each other.
  std::vector<Exprs> coupled;
  std::optional<Inside> inside;

  void add(const std::string& name, const Expr& equation);
  void add(const std::string& name, const std::vector<std::string>& of, std::span<const Expr> equations);
};

// What an unknown of a step is; unknowns of one kind have comparable sizes.
enum class Kind { position, velocity, acceleration, multiplier, correction, input, inner };

// One step from node 0 to node 1 as a scheme sees it.
struct Interval {
  Expr h;
  Node n0, n1;                                        // n1.carried is filled by the scheme
  std::vector<std::string> coordinates, constraints;  // names
  std::function<Exprs(double fraction)> input;        // u at t0 + fraction·h
  std::function<Exprs(Kind kind, const Exprs& guess)>
      unknowns;  // further unknowns of the step, with a first guess each

  Expr part;  // θ, of what a scheme knows of the inside of its step
  Expr pace;  // time in which Baumgarte's terms remove an error, if they follow the step: h, or longer

  Expr t(double fraction) const { return n0.t + fraction * h; }
};

enum class RotationMap { exponential, cayley };

// Terms that make errors of the constraints die out where equations of motion hold them at acceleration level only
// [J. Baumgarte, Comput. Methods Appl. Mech. Eng. 1 (1972) 1]:
//
//   Φ'' + 2α Φ' + β² Φ = 0 at position level,    Ψ' + α Ψ = 0 at velocity level
//
// Numbers as large as 1/h would take the stages of a step, which lie off the constraints by O(h²), for errors, and cost
// the order. Terms that follow the step are those of its start, held: an error is then gone after two steps if
//
//   Φ'' + 3/(2h) Φ'₀ + 1/h² Φ₀ = 0,    Ψ' + 1/h Ψ₀ = 0
struct Baumgarte {
  bool follows_step = true;
  double alpha = 0.0, beta = 0.0;  // otherwise, in 1/s
};

struct SchemeOptions {
  double rho = 0.8;                            // generalized-alpha: spectral radius at infinity, 1 = no damping
  RotationMap map = RotationMap::exponential;  // of Lie-group schemes
  bool project = true;                         // explicit schemes move each node onto the constraints
  std::optional<Baumgarte> baumgarte = {};     // in explicit schemes
  bool stabilise = false;          // keep position constraints at velocity level too (Gear, Gupta, Leimkuhler)
  bool minimal_extension = false;  // at velocity and acceleration level too: index 1; for schemes with a rule
};

struct SchemeInfo {
  std::string_view name;
  std::string_view synonym = {};  // by which others know it: not accepted, but understood in messages
  std::string_view title;
  std::string_view source;
  int order;                       // of positions and velocities
  bool energy = false;             // conserved exactly where the system conserves it
  bool momentum = false;           // so are momenta of cyclic coordinates, and momentum maps quadratic in q and p
  bool symmetric = false;          // h → -h undoes a step
  bool velocity_at_nodes = false;  // position constraints hold at velocity level too
  bool rolling_at_nodes = true;    // velocity-level constraints hold at the nodes (otherwise at mid-points)
  bool needs_mass = false;         // cannot do massless coordinates
  bool open_chains = false;        // only for bodies in an open chain of joints
  bool constant_mass = false;      // only where T does not depend on q and constraints stand at position level
  bool own_unknowns = false;       // the scheme makes all unknowns itself and sets n1 to formulas of them
  bool on_rotations = false;       // moves bodies on the group of rotations
  double multipliers_at = 1.0;     // the part of a step to which λ of its end belongs
  int inverse_index = 0;  // with inputs as unknowns (servo.h): up to this index of the inverse problem; 0: not at all
};

struct DifferenceRule;
struct RungeKutta;

struct Scheme {
  SchemeInfo info;
  // Start values of what a node carries, from q, v, a, λ of the equations' symbols and the step h.
  Exprs (*start)(const Equations& e, const Expr& h);
  // The equations of a step. Sets n1.carried.
  Residual (*residual)(const Equations& e, Interval& step, const SchemeOptions& options);
  // Of schemes that are nothing but a rule for derivatives, which serves any Dae; see difference_rule.h.
  const DifferenceRule& (*rule)() = nullptr;
  // Of explicit schemes, which have `project` and `baumgarte`; see runge_kutta.h.
  const RungeKutta& (*explicit_method)() = nullptr;
};

std::span<const Scheme> schemes();
const Scheme* find_scheme(std::string_view name);

// Building blocks shared by the schemes.
Exprs mean(const Exprs& x, const Exprs& y);
Exprs difference(const Exprs& x, const Exprs& y);
Exprs scaled(const Expr& factor, const Exprs& x);
Exprs carries_nothing(const Equations& e, const Expr& h);
// Φ(t1,q1) = 0 of position constraints and the others at `point`.
void add_constraints(Residual& r, const Equations& e, const Interval& step, const Point& point);

}  // namespace invar
