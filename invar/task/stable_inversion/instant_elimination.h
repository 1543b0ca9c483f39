// Equations of a whole motion, solved instant after instant:
//
//   L_k x_{k-1} + D_k x_k + U_k x_{k+1} = r_k,   k = 0 … N-1,   with a border:  + B p in the last of them,  C x_0 = s
//
// Elimination from first to last, D'_k = D_k - L_k D'_{k-1}⁻¹ U_{k-1}, fills the blocks. But L and U are inertia over
// h²: only motions that are slow compared with the step are felt by the next instant, since D⁻¹U of a motion that grows
// or oscillates with s has the size 1/|2 + s²h²|. So the correction is kept as a product of few columns,
//
//   L_k D'_{k-1}⁻¹ U_{k-1} ≈ V_k W_kᵀ,   W_k = orth((L D'⁻¹ U)ᵀ Y_k),   V_k = (L D'⁻¹ U) W_k,
//
// with Y along the slow motions, which D⁻ᵀLᵀ filters out [N. Halko, P.-G. Martinsson, J. A. Tropp, SIAM Rev. 53 (2011)
// 217]. What is left out is of the square of the size above, relative to D', and iteration in the Krylov space of P⁻¹A
// removes its effect [GMRES: Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856], also where a motion near
// resonance magnifies it. Time and memory are linear in the instants and, for chains of bodies, in their number.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "invar/base/pattern.h"
#include "invar/math/decompositions.h"
#include "invar/math/klu_solver.h"
#include "invar/math/matrix.h"
#include "invar/math/straight_lu.h"

namespace invar {

class InstantElimination {
 public:
  // Blocks of `size` with the same patterns, and a border of fewer rows and columns than that.
  InstantElimination(const Pattern& pattern, int size);

  // `values` runs parallel to pattern.row. False if this way does not serve: too many motions are slow, or a block is
  // singular.
  bool factor(std::span<const double> values);
  // b becomes x with an error of this part of its size; false if iteration does not get there. The size is the mean
  // square of all unknowns but those of the border, each by its `unit` or its largest value in x.
  bool solve(std::span<double> b, const Vector& unit, double accuracy) const;

  // Of the matrix that was factored last.
  const std::vector<double>& values() const { return values_; }
  std::size_t factor_entries() const;
  Eigen::Index rank() const { return slow_.cols(); }

 private:
  // Side by side, as elimination runs through them.
  using Columns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  struct Factors {
    std::optional<StraightLu> straight;  // by operations that blocks share as long as their pivots serve
    std::optional<KluSolver> klu;        // otherwise
    Vector scale;                        // of the rows, before they are factored

    std::size_t entries() const { return klu ? klu->entries() : straight->entries(); }
  };
  // D'⁻¹ = (I + V Wᵀ) D⁻¹ with W by unknown that couples and V = D⁻¹V_k (I - WᵀD⁻¹V_k)⁻¹
  struct Block {
    Factors straight;  // of D
    Columns W, V;
    Columns border;  // D'⁻ᵀ of what the rows of the border have become here
  };

  // Of the entries of column j of block k in the rows of block k + by.
  int begin(int k, int j, int by) const;
  void find_units();
  bool factor_block(int k);
  bool factor_scaled(Factors& factors);
  void solve(const Factors& factors, Columns& b) const;
  void solve(const Factors& factors, Vector& b) const;
  void solve_transposed(const Factors& factors, Columns& b) const;
  // The slow motions at the first block; what the filter has made of them, and its gains.
  bool find_slow();
  Columns filtered(int k) const;
  // V_{k+1}, whose W is put into its block; and D' there.
  Columns find_correction(int k);
  bool take_correction(int k, Columns left);
  bool factor_border();
  template <class Rows>
  void invert(const Block& block, Rows& b) const;
  // D'⁻ᵀ of columns that are zero but for unknowns that couple, which are given.
  Columns inverted_transposed(const Block& block, Columns coupled) const;
  // For each entry of block column k in block row k + by: visit(its coupled unknown, its place in `beside`, value).
  template <class Visit>
  void for_couplings(int k, int by, Visit visit) const;
  // to += factor · (block column k in block row k + by) x with x by coupled unknown, and the same transposed, from
  // coupled rows to coupled unknowns.
  template <class Rows>
  void add_product(int k, int by, double factor, const Rows& x, Rows& to) const;
  Columns transposed_product(int k, int by, const Columns& y) const;
  // x = P⁻¹ x with the factors as they are.
  void apply(std::span<double> x) const;
  Vector product(const Vector& x) const;

  Pattern pattern_, diagonal_;  // the whole and D
  int size_, blocks_, border_;
  std::vector<int> beside_;                      // entries of a column in the block before or after it
  std::vector<int> coupled_, coupled_rows_;      // unknowns and rows that have such
  std::vector<int> beside_rows_, beside_place_;  // of these entries, by column, and where in coupled_rows_
  std::vector<double> values_;
  Vector unit_, row_unit_;  // of coupled unknowns and rows: the coupling is near one in them
  Columns slow_;            // Y at some block, in these units, by coupled row
  Columns slow_at_first_;
  std::vector<Block> block_;
  std::optional<KluSolver> klu_;          // the analysis
  std::optional<StraightLu> operations_;  // that served last
  int lists_ = 0;                         // of operations made so far
  std::vector<double> scaled_, smallest_;
  mutable std::vector<double> memory_;
  Columns at_last_, border_columns_;  // what C has become at the last block, and D'⁻¹ B there
  Eigen::PartialPivLU<Matrix> corner_;
};

}  // namespace invar
