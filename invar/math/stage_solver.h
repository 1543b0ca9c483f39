// Corrections of a step with s coupled stages from s systems of the size of one stage.
//
// Where derivatives at the stages are y'_i = Σ_j W_ij (y_j − y_0)/h, the Jacobian has the blocks
//
//   J_ij = δ_ij A_i + W_ij B_i,      A_i, B_i evaluated at stage i.
//
// With mean values A and B instead, and W = T Λ T⁻¹, J x = r becomes (A + λ_k B) y_k = (T⁻¹ r)_k, x = T y
// [J. Butcher, BIT 16 (1976) 237; E. Hairer, G. Wanner, Solving ODEs II, sec. IV.8]. Of two conjugate eigenvalues one
// is enough; its system is solved as a real one of twice the size. The corrections are not those of Newton, but
// contract, the faster the less A and B change in a step.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "invar/base/pattern.h"
#include "invar/math/linear_solver.h"
#include "invar/math/matrix.h"

namespace invar {

// Which unknowns and which equations belong to each stage, in the same order in all of them.
struct CoupledStages {
  Matrix weight;  // W
  std::vector<std::vector<std::size_t>> unknowns, equations;
};

class StageSolver {
 public:
  StageSolver(const Pattern& pattern, const CoupledStages& stages);

  StageSolver another() const;

  // `values` of the Jacobian of all stages. False if one of the systems is singular.
  bool factor(std::span<const double> values);
  void solve(std::span<double> b);

  // Operations.
  double factor_work() const;
  double solve_work() const;

 private:
  StageSolver() = default;
  struct Entry {
    std::vector<int> own, other;  // places of J_ii and of J_ij, j = i + 1 or the first, by stage; -1: zero
  };
  struct System {
    std::complex<double> eigenvalue;
    std::vector<std::complex<double>> from, to;  // the rows of T⁻¹ and the columns of T, twice for a pair
    LinearSolver solver;
    std::vector<double> values, right;

    bool is_real() const { return eigenvalue.imag() == 0.0; }
  };
  void find_entries(const Pattern& pattern);
  void find_systems();
  Pattern doubled() const;
  bool factor(System& system) const;

  CoupledStages stages_;
  Pattern pattern_;  // of A and B together
  std::vector<Entry> entries_;
  std::vector<double> a_, b_, result_;
  std::vector<System> systems_;
};

}  // namespace invar
