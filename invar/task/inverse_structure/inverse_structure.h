// What kind of inverse problem a model and its trajectories make: index, freedom, what the references must offer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "invar/dae/array_solver.h"
#include "invar/dae/jet.h"
#include "invar/dae/structure.h"
#include "invar/dae/zero_dynamics.h"
#include "invar/model/problem/problem.h"
#include "invar/task/inverse_structure/augmented_matrix.h"
#include "invar/task/inverse_structure/continuation.h"
#include "invar/task/inverse_structure/invert_settings.h"
#include "invar/task/inverse_structure/singular_start.h"

namespace invar {

// How the inputs reach the outputs, by the rank of P = S M⁻¹ Bᵀ (accelerations of the outputs per input); undecided
// where nothing is eliminated, since P may be tiny there without being zero.
enum class Realisation { orthogonal, mixed, tangential, undecided };

struct NeededOrder {
  std::string output;
  int order;            // derivatives that must be continuous
  int given;            // derivatives that are
  std::string profile;  // in words
};

struct InverseStructure {
  Dae dae;
  Offsets formal;        // by the signature alone
  int extra_orders = 0;  // orders by which the derivative array goes beyond the signature
  bool hidden = false;   // the signature does not tell the truth: the derivative array does
  int index = 0;
  int degrees_of_freedom = 0;  // states of the internal dynamics
  std::size_t unknowns = 0;    // of the problem as it was asked; `dae` may have fewer, in joint coordinates
  Realisation realisation = Realisation::orthogonal;
  std::vector<NeededOrder> needed;
  std::vector<std::string> rough;  // what is given over time and lacks derivatives, in words, where that was accepted
  double conditioning = 0.0;       // smallest reciprocal condition of the system Jacobian met at the probes
  bool singular_start = false;
  bool by_zeros =
      false;  // nothing was eliminated: `zero` has the slow part only, index and orders are those of formulas
  SingularDegree singular_degree;              // if what was found at the start holds nowhere else
  ZeroDynamics zero;                           // the internal dynamics at rest, if there is any and a rest
  std::shared_ptr<AugmentedMatrix> augmented;  // if every output is accelerated by the inputs directly

  std::shared_ptr<JetEvaluator> evaluator;
  std::shared_ptr<ArraySolver> array;  // if the structure is hidden
  SolveJet solve;
  Jet start;  // solved, at the first instant
  Jet near;   // solved, at a regular instant: the first, or shortly after a singular one

  bool flat() const { return degrees_of_freedom == 0; }
};

// Structure that the formulas hide is found by a derivative array, unless who asks has another way to write them.
enum class HiddenStructure { analysed, refused };

// InputError that names the output, input or equation at fault if the inversion is impossible.
InverseStructure analyse_inverse(const Problem& problem, HiddenStructure hidden = HiddenStructure::analysed);

// The times of all knots within (0, until), ascending.
std::vector<double> knots_of(const Dae& dae, double until);

std::string in_words(const InverseStructure& structure);

}  // namespace invar
