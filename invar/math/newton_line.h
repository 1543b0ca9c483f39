// One whole Newton iteration as a function: residual, Jacobian, elimination in a fixed order of pivots, correction, and
// what tells whether that can be trusted.
//
//   J c = −r,    s_i = Σ_j |J_ij| (|x_j| + |c_j|),    e_i = Σ_j J_ij c_j + r_i,    loss = Σ_k w_k / |u_kk|
//
// u_kk are the pivots, w_k the size of their columns where the order was chosen, in units of their rows there: the
// loss is the number of digits, as a power of ten, that the worst of them costs. e_i is what the correction leaves of
// the linear equations. All entries that the Jacobian is known to have as numbers are numbers here, too, so that the
// elimination is shorter than that of a matrix of the same pattern.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "invar/base/pattern.h"
#include "invar/tape/function.h"

namespace invar {

// Numbers of a place, in the order of the outputs.
struct NewtonLine {
  explicit NewtonLine(std::span<const double> out)
      : residual(out.first((out.size() - 1) / 4)),
        size(out.subspan(residual.size(), residual.size())),
        correction(out.subspan(2 * residual.size(), residual.size())),
        rest(out.subspan(3 * residual.size(), residual.size())),
        loss(out.back()) {}

  std::span<const double> residual, size, correction, rest;
  double loss;

  // Does the elimination serve, and are its equations solved to this part of their terms? Rows that are made of noise
  // count as large as `typical`.
  bool serves(double tolerance, std::span<const double> typical) const;
};

// `residual` gives the residual and then the values of the Jacobian in the places of the pattern; the unknowns are its
// inputs from `first_unknown` on. The pivots suit the Jacobian at `in`. Nothing if it is singular there, or if the
// elimination takes more than `most` operations.
std::optional<Function> newton_line(const Function& residual, const Pattern& pattern, std::size_t first_unknown,
                                    std::span<const double> in, double most);

// The parts of a whole iteration, for machines on which arithmetic is cheap and values that wait for their use are
// dear.
//
// The correction c of all unknowns and then the loss.
std::optional<Function> newton_correction(const Function& residual, const Pattern& pattern, std::size_t first_unknown,
                                          std::span<const double> in, double most);
// Row by row r_i, s_i, t_i = Σ_j |J_ij| g_j and e_i, of the arguments of `residual`, then c, then the typical sizes g
// of the unknowns.
Function newton_sizes(const Function& residual, const Pattern& pattern, std::size_t first_unknown);

// The same for equations that are solved again and again: made after many solutions, with pivots that suit the last of
// them, and made anew where it has ceased to serve. When that happens depends on the solutions alone, so that they are
// the same bits whether there is a compiler or not.
class LearnedLine {
 public:
  // `after` so many solutions.
  LearnedLine(const Function& residual, const Pattern& pattern, std::size_t first_unknown, int after)
      : residual_(residual), pattern_(pattern), first_(first_unknown), after_(after) {}

  bool is_known() const { return line_.has_value(); }
  // At x, which becomes part of `in`.
  NewtonLine at(std::span<double> in, std::span<const double> x);
  // The sizes of the rows where the line was made.
  std::span<const double> typical_rows() const { return typical_rows_; }
  // After a solution at `in`, which the line has found or not; `typical` are sizes of the unknowns.
  void learn(std::span<const double> in, std::span<const double> typical, bool served);
  void forget();
  // From now on as machine code.
  void compile(const Compiler& compiler);

 private:
  Function residual_;
  Pattern pattern_;
  std::size_t first_;
  int after_;
  std::optional<Function> line_;
  std::optional<Compiler> compiler_;
  int solutions_ = 0, lines_ = 0;  // since the last line, and made so far
  int served_ = 0, failed_ = 0;    // of this line
  std::vector<double> out_, typical_rows_;
  Scratch scratch_;
};

}  // namespace invar
