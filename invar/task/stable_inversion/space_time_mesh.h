// The equations of a whole motion on equidistant instants and Newton's method for them; see space_time.h.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "invar/dae/dae.h"
#include "invar/dae/jet.h"
#include "invar/dae/structure.h"
#include "invar/math/linear_solver.h"
#include "invar/math/matrix.h"
#include "invar/task/stable_inversion/free_oscillations.h"
#include "invar/task/stable_inversion/instant_elimination.h"

namespace invar {

// By instant (row) and unknown (column).
using InstantValues = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// How a motion is closed at its first and last instant: positions given there but for oscillations that are free at the
// end, or the last is the first again.
enum class MotionEnds { fixed, periodic };

// What changes of unknowns, or of their rates, are measured by: their largest values. One that stays near zero among
// others of its kind (the place of a hub) is noise.
Eigen::RowVectorXd units_of(const Dae& dae, const JetEvaluator& evaluator, const Eigen::RowVectorXd& largest);

class SpaceTimeMesh {
 public:
  struct Span {
    double first, h;
    Eigen::Index intervals;
    MotionEnds ends = MotionEnds::fixed;
  };
  struct Iteration {
    bool converged;
    int iterations;
  };

  // `start` is any state, in which the references are looked at; no oscillations are free where ends are periodic.
  SpaceTimeMesh(JetEvaluator& evaluator, const Dae& dae, const Offsets& offsets, const Span& span, const Jet& start,
                EndShapes free = {});

  // As many other shapes, for other rests.
  void set_free(EndShapes free) { free_ = std::move(free); }
  std::size_t free_count() const { return oscillations(); }

  // Solves for all rows of x but fixed ends, of which the last moves along the free oscillations, by Newton's method. A
  // step is taken as far as the next one, with the same matrix, is shorter, so that units play no role [P. Deuflhard,
  // Newton Methods for Nonlinear Problems, 2004, sec. 3.3]; math/newton.h looks at residuals instead, which are of no
  // use with stiff springs beside soft ones. With `part` < 1 the references go only this part of their way,
  // γ(t₀) + part (γ(t) - γ(t₀)). Accuracy is that of the unknowns in the mean square, relative to their largest
  // values.
  static constexpr double accurate = 1e-9;
  // With an accuracy of the result; no result is further away than `farthest`, measured likewise.
  struct Goal {
    double accuracy = accurate, farthest = std::numeric_limits<double>::infinity();
  };
  Iteration solve(double part, InstantValues& x, const Goal& goal);

  // The unknowns at instant k with their differences; at fixed ends without velocity, where what is not a coordinate is
  // that of rest.
  void jet_at(const InstantValues& x, Eigen::Index k, Jet& jet) const;

  double step() const { return span_.h; }

  // Of the factors of the last Newton matrix.
  std::size_t factor_entries() const {
    return by_instants_ ? by_instants_->factor_entries() : whole_->factor_entries();
  }

 private:
  // Where the partial ∂f_i/∂x_j^(r) of an instant stands in the columns of x_j one instant earlier, there, and one
  // later.
  struct Place {
    std::size_t unknown;
    int order;
    std::array<int, 3> offset;  // within the rows of that instant; -1 if the column has none
  };
  // Rows of one column, by the instant that they belong to: that of the column, or one beside it.
  struct Column {
    std::vector<int> same, beside;
  };

  void find_places();
  void make_pattern();
  void find_way(const Jet& start);
  void find_residual(const InstantValues& x, std::span<double> r);
  void residual_at(const InstantValues& x, int k, std::span<double> r);
  void fill(const InstantValues& x, std::span<double> r, std::span<double> jac);
  bool factor(std::span<const double> jac);
  bool factor_scaled(std::span<const double> values);
  bool solve_scaled(std::vector<double>& b, const Vector& unit);
  // Of the free oscillations, which come last, they are one.
  double row_scale(std::size_t row) const { return row < at(instants_) * size_ ? equation_scale_[row % size_] : 1.0; }
  double column_scale(std::size_t column) const {
    return column < at(instants_) * size_ ? unknown_scale_[column % size_] : 1.0;
  }
  // b becomes the solution with the matrix that was factored last, about as accurate as a Newton step needs to be with
  // unknowns of these sizes.
  bool solve_linear(std::vector<double>& b, Vector unit);
  Eigen::RowVectorXd units(const Eigen::RowVectorXd& largest) const { return units_of(dae_, evaluator_, largest); }
  InstantValues moved(const InstantValues& x, const std::vector<double>& step, double length) const;
  // The rows and columns of the free oscillations; `by_last` are the partials of the last equations by what follows.
  void free_residual(const InstantValues& x, std::span<double> r) const;
  void fill_free(const Matrix& by_last, std::span<double> jac) const;
  std::size_t oscillations() const { return at(static_cast<int>(free_.count())); }
  // The unknown instant `by` after instant k, both counted from the first unknown one; -1 if it is fixed.
  int neighbour(int k, int by) const;
  // Of the rows of instant k + by in column (k, j).
  int& begin(int k, std::size_t j, int by) { return begin_[3 * (at(k) * size_ + j) + at(by + 1)]; }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  JetEvaluator& evaluator_;
  const Dae& dae_;
  std::vector<int> row_;  // of each equation: that of its partner, so that the diagonal has no structural zero
  Span span_;
  int first_unknown_, instants_;  // the instants that are sought
  double part_ = 1.0;
  EndShapes free_;
  std::vector<int> free_rows_;    // of the last instant, which contain the instant after it
  std::vector<int> start_place_;  // by unknown: of the rows of free oscillations in its column of the first instant
  InstantValues way_;  // by sought instant and equation: how much the references of the equation have moved by then
  std::size_t size_;
  std::vector<double> unknown_scale_, equation_scale_;  // natural units, by unknown and by row
  std::vector<Column> columns_;
  std::vector<Place> places_;
  std::vector<int> begin_;
  Pattern pattern_;
  std::optional<InstantElimination> by_instants_;  // as long as it serves
  std::optional<LinearSolver> whole_;              // otherwise
  Jet jet_;
};

}  // namespace invar
