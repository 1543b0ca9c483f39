// Newton's method on a whole jet at once, for flat systems and a good predictor.
//
// With δx the correction of all derivatives, Taylor coefficient m of equation i changes by
//   δF_i[m] = Σ_p Σ_s P_p[m-s] δ(x_j^(r))[s],   p = (i, j, r) the partials ∂f_i/∂x_j^(r) as series,
// and at m = k + c_i only the derivatives x_j^(k+d_j) are new: stage after stage, the blocks of J solve for them. All
// stages together cost one evaluation of the equations in series per iteration, and one of the partials while they are
// kept.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "invar/dae/jet.h"
#include "invar/dae/jet_result.h"
#include "invar/dae/structure.h"
#include "invar/math/decompositions.h"
#include "invar/math/linear_solver.h"

namespace invar {

class JetNewton {
 public:
  // For structures without degrees of freedom: there every stage is square and consists of whole blocks.
  JetNewton(JetEvaluator& evaluator, const Offsets& offsets);

  // The jet holds derivatives 0 … d_j + extra of each unknown. Without convergence it is left as it was.
  JetResult solve(Jet& jet, int extra);

 private:
  struct Term {
    std::size_t unknown;
    int order;
    std::size_t series;  // of δ(x_j^(r))
    int place;           // of the partial's series
    double value;        // of a constant partial
  };
  // A term as an entry of J.
  struct BlockEntry {
    Eigen::Index row, column;
    const Term* term;
  };
  // Large blocks are sparse.
  struct Block {
    std::vector<int> equations, unknowns;
    int c = 0;
    std::vector<BlockEntry> entries;  // by columns
    Matrix a;
    Vector row_size, b, x;
    Eigen::PartialPivLU<Matrix> lu;
    std::optional<LinearSolver> sparse;
    std::vector<double> values;
  };
  void add_block(const std::vector<int>& equations);
  double value(const Term& term) const;
  bool factor_dense(Block& block);
  bool factor_sparse(Block& block);
  void prepare(int extra);
  bool factor();
  void correct_all();
  void correct(Block& block, int k);
  double right_hand_side(int equation, int m) const;
  double relative_change(const Jet& jet);

  JetEvaluator& evaluator_;
  const Offsets offsets_;
  std::vector<std::vector<Term>> terms_;  // by equation
  std::vector<Block> blocks_;
  std::vector<std::size_t> first_series_;  // of each unknown in delta_
  int highest_c_ = 0, highest_d_ = 0, extra_ = -1;
  std::size_t width_ = 0;
  std::vector<double> factorial_, delta_;    // δ(x_j^(r))[s] = δx_j^(r+s)/s!
  std::vector<std::vector<double>> change_;  // δx_j^(n)
  std::vector<Derivatives> before_;          // the jet at first
  std::vector<std::vector<double>> unit_;    // of x_j^(0 … d_j)
  std::vector<double> typical_;              // sizes by stage
  std::span<const double> f_, p_;
};

}  // namespace invar
