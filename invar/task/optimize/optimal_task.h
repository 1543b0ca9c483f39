// An optimal control problem made ready: a system without redundant constraints, a consistent start, a goal on the
// constraints.
#pragma once

#include "invar/model/problem/problem.h"
#include "invar/program/nonlinear_program.h"
#include "invar/program/second_order.h"
#include "invar/scheme/scheme.h"
#include "invar/task/run/problem_start.h"
#include "invar/task/transcription/goal.h"
#include "invar/task/transcription/transcription.h"

namespace invar {

struct OptimalMotion;

struct OptimalTask {
  const Problem& problem;
  OptimizeSettings settings;  // without the final values that follow from others
  Start start_report;         // what had to be changed
  ProblemStart starts;
  System system;
  State start;
  const Scheme& scheme;
  Goal goal;
  std::vector<Limit> followers;           // final values that follow from others, see end_equations.h
  std::optional<JointNodes> joints = {};  // of the nodes, if the bodies form an open tree

  std::vector<double> first_node() const;  // q, v
  // A scheme with the motion of the chosen one, and fewer unknowns where there are such; and how exactly it is solved.
  struct QuickSteps {
    const Scheme& scheme;
    double tolerance;  // of Newton's method
  };
  QuickSteps quick_steps() const;
  // Node k of a motion, for steps that begin there with the inputs of the interval after it. Nothing if the equations
  // of motion cannot be solved there.
  std::optional<State> node(const OptimalMotion& found, std::size_t k) const;
};

// Where a limit is passed most, in its neighbourhood.
struct Breach {
  std::size_t limit;  // in OptimizeSettings::bounds
  std::size_t interval;
  double fraction, t;
  double amount;     // beyond the limit; what is left, if negative
  double tolerance;  // what counts as nothing, see between_nodes.h
  double size() const { return amount / tolerance; }
};

// How a motion was found.
struct Origin {
  std::string guess;             // that led to it
  int guesses = 1, saddles = 0;  // how many guesses were tried, and saddles left on the way
  std::string remark;            // what other guesses showed
  bool agreed = false;           // other guesses, perturbed ones among them, led to the same cost
};

// What a method found on one mesh. Values of row r in interval k stand at r·intervals + k.
struct OptimalMotion {
  MeshMotion motion;
  std::size_t multipliers = 0, first_input = 0;  // places in w
  Solution solution;
  std::vector<double> hamiltonian, energy_balance;  // of every interval
  std::vector<double> energy;                       // at the nodes
  std::vector<std::string> costate_names;
  std::vector<double> costates;
  std::optional<double> replay;  // difference to a simulation with the inputs, see optimal_record.h
  std::string doubt;             // why it may be none; empty if nothing is wrong
  SecondOrder second_order = SecondOrder::unknown;
  Origin origin = {};
  std::vector<Breach> peaks = {};  // of limits between the nodes, see hold_between_nodes.h
  std::size_t inner_places = 0;    // inside intervals where limits became conditions
};

inline bool solved(const OptimalMotion& m) { return m.solution.status == SolverStatus::solved; }

}  // namespace invar
