// Whether the directions in which the inputs push accelerate the outputs: the augmented matrix
//
//   [ M  Zᵀ ]   Z: gradients of the constraints, and the directions of the inputs
//   [ B  0  ]   B: gradients of the constraints, and of the outputs
//
// gives accelerations, constraint forces and inputs from given accelerations of the outputs. It is regular if and only
// if the inputs can give them any acceleration [S. K. Ider, Modeling of control forces for kinematical constraints in
// the dynamics of multibody systems, eqs. 7-9]. Where it becomes singular on the way, these directions no longer serve.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "invar/base/pattern.h"
#include "invar/dae/jet.h"
#include "invar/math/matrix.h"
#include "invar/model/problem/problem.h"
#include "invar/system/state_function.h"

namespace invar {

class AugmentedMatrix {
 public:
  // Of a problem with as many outputs that have trajectories as inputs.
  explicit AugmentedMatrix(const Problem& problem);

  // In the configuration of a jet of the inverse problem.
  Matrix at(const Jet& jet);
  // The same by places: values parallel to pattern().row.
  void at(const Jet& jet, std::vector<double>& values);
  const Pattern& pattern() const { return pattern_; }

  Eigen::Index coordinates() const { return coordinates_; }
  const std::vector<std::string>& inputs() const { return inputs_; }
  const std::vector<std::string>& outputs() const { return outputs_; }

 private:
  struct Entries;
  AugmentedMatrix(const Problem& problem, Entries entries);

  Eigen::Index coordinates_;
  std::vector<std::string> inputs_, outputs_;
  Pattern pattern_;
  std::vector<std::size_t> formula_;  // of each place
  StateFunction entries_;
};

// Its reciprocal condition number (1-norm, estimated) at every jet, with rows and columns scaled so that units do not
// matter, alike for all jets, so that what vanishes at one of them is noticed. Zero if it is singular.
std::vector<double> conditioning(AugmentedMatrix& matrix, std::span<const Jet> jets);

// A reciprocal condition number that has become so much worse than the best on the way says that the inputs cease to
// serve.
inline constexpr double much_worse = 1e-3;

// `inputs "M2" and "M3" no longer accelerate outputs "tip_x" and "tip_y" independently there (…)` if the conditioning
// at the last jet is that much worse than at the best one, otherwise nothing.
std::string breakdown_in_words(AugmentedMatrix& matrix, std::span<const Jet> jets);

// InputError if the inputs push in directions that depend on each other in the configuration of the jet.
void require_independent_inputs(AugmentedMatrix& matrix, const Jet& jet);

}  // namespace invar
