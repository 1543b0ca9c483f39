// Jets from a derivative array, point by point: Newton's method on a regular square part of A_k (see
// derivative_array.h).
//
// Columns are chosen once by pivoted QR; unknowns outside are zero, which changes no determined one. Given states are
// held at their values, so that with internal dynamics the rest of the jet is a function of time and states. The choice
// is made again when its condition has become poor. Every solution is polished by one more iteration than convergence
// asks for, because what follows may differentiate it.
//
// Where nothing is free all entries of the square part are functions of time: along a path they are extrapolated from
// the last solutions, and factors are kept as long as they serve. Then an instant costs a few evaluations of the
// residuals and allocates nothing.
#pragma once

#include <vector>

#include "invar/dae/derivative_array.h"
#include "invar/dae/jet.h"
#include "invar/dae/jet_result.h"
#include "invar/math/decompositions.h"
#include "invar/math/matrix.h"

namespace invar {

// Rows of the array and the unknowns that they determine, given the states; unknowns outside are zero.
struct SquarePart {
  std::vector<Derivative> rows, unknowns, states;
};

class ArraySolver {
 public:
  // k and states as in a verdict whose status is `determined`.
  ArraySolver(const Dae& dae, const Offsets& offsets, const ArrayVerdict& verdict);

  // From a predictor at jet.t, jet.side to the solution: as many derivatives of each unknown as the array determines,
  // at least those that appear in the equations.
  JetResult solve(Jet& jet);

  // Appends derivatives to a solved jet by sliding the array: rows f_i^(p … c_i+k+p) give one more order for p = 1 …
  // orders.
  void lengthen(Jet& jet, int orders);

  // ∂y'/∂y of the internal dynamics in the states y, at a solved jet, and what rounding may have done to its entries.
  Matrix state_matrix(const Jet& jet, Matrix* error = nullptr);

  const std::vector<Derivative>& states() const { return states_; }

  // The regular square part at a solved jet; nothing in it if there is none.
  SquarePart square_part(const Jet& jet);

 private:
  bool choose_columns(const Jet& jet);
  void give_room(const Jet& jet, Jet& room) const;
  Jet with_room(const Jet& jet) const;
  bool factor(const Jet& jet, double worst_condition);
  void extrapolate(Jet& jet) const;
  void remember(const Jet& jet);
  JetResult newton(Jet& jet, double worst_condition);
  bool satisfied(const Jet& jet, JetResult& result);
  double relative_size(const Jet& jet);
  void trim(Jet& jet);
  bool solve_window(const ArrayShape& window, Jet& jet, Matrix& N);

  JetEvaluator evaluator_;
  Offsets offsets_;
  int k_;
  double tau_ = 1.0;
  std::vector<Derivative> states_;
  ArrayShape shape_;
  ArrayRoles roles_;
  ArrayScale scale_;
  std::vector<int> rows_, columns_;  // of the square part
  std::vector<bool> determined_;     // by column of the array
  std::vector<int> outside_;         // columns that are zero
  Matrix array_;
  Eigen::PartialPivLU<Matrix> lu_;
  bool factored_ = false;   // for these rows and columns, at whatever jet
  double condition_ = 0.0;  // reciprocal, when the columns were chosen

  // The last solutions, in the order of columns_.
  struct Past {
    double t;
    Vector value;
  };
  std::vector<Past> past_;

  // Of one solution.
  Jet predictor_, trial_;
  Matrix f_, square_;
  Vector residual_, right_, step_;
  std::vector<double> size_;
  std::vector<int> known_;
};

}  // namespace invar
