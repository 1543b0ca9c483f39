// See stable_collocation.h.
#include "invar/task/stable_inversion/stable_collocation.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <array>
#include <cmath>

#include "invar/math/decompositions.h"

namespace invar {

namespace {

constexpr int stages = collocation_stages;

struct Gauss {
  Eigen::Matrix<double, stages, stages> a;
  Eigen::Matrix<double, stages, 1> b, c;
};

// Nodes: roots of the Legendre polynomial of degree four on [0,1]; weights integrate powers 0 … 3 exactly.
Gauss gauss() {
  Gauss g;
  constexpr double inner = 0.33000947820757187, outer = 0.06943184420297371;
  g.c << outer, inner, 1.0 - inner, 1.0 - outer;
  Eigen::Matrix<double, stages, stages> powers, upper;
  Eigen::Matrix<double, 1, stages> whole;
  for (int k = 0; k < stages; ++k) {
    whole[k] = 1.0 / (k + 1);
    for (int i = 0; i < stages; ++i) {
      powers(i, k) = std::pow(g.c[i], k);
      upper(i, k) = std::pow(g.c[i], k + 1) / (k + 1);
    }
  }
  const Eigen::Matrix<double, stages, stages> inverse = powers.inverse();
  g.a = upper * inverse;
  g.b = (whole * inverse).transpose();
  return g;
}

// Derivatives that the jet does not hold yet count as zero.
double& grown_entry(Jet& jet, const Derivative& z) {
  Derivatives& x = jet.x[static_cast<std::size_t>(z.index)];
  if (x.size() <= static_cast<std::size_t>(z.order)) x.resize(static_cast<std::size_t>(z.order) + 1, 0.0);
  return x[static_cast<std::size_t>(z.order)];
}

Vector states_of(Jet jet, const std::vector<Derivative>& states) {
  Vector y(static_cast<Eigen::Index>(states.size()));
  for (std::size_t i = 0; i < states.size(); ++i) y[static_cast<Eigen::Index>(i)] = grown_entry(jet, states[i]);
  return y;
}

Vector rates_of(Jet jet, const std::vector<Derivative>& states) {
  Vector rate(static_cast<Eigen::Index>(states.size()));
  for (std::size_t i = 0; i < states.size(); ++i)
    rate[static_cast<Eigen::Index>(i)] = grown_entry(jet, {states[i].index, states[i].order + 1});
  return rate;
}

// The discretised problem: states at the nodes and rates at the stages between them.
class Collocation {
 public:
  Collocation(ArraySolver& solver, std::vector<double> t, std::vector<Jet> rests)
      : solver_(solver), states_(solver.states()), t_(std::move(t)), node_jets_(std::move(rests)), tableau_(gauss()) {
    for (const Jet& rest : node_jets_) y_.push_back(states_of(rest, states_));
    for (std::size_t n = 0; n + 1 < t_.size(); ++n) {
      rates_.emplace_back(Matrix::Zero(size(), stages));
      for (Jet& jet : stage_jets_.emplace_back()) jet = node_jets_[n];
    }
    slopes_.resize(rates_.size());
    defects_.resize(rates_.size());
  }

  // Conditions W (y - y_rest) = 0 at both ends.
  void set_ends(Matrix first, Matrix last) {
    W_first_ = std::move(first);
    W_last_ = std::move(last);
    y_first_ = y_.front();
    y_last_ = y_.back();
  }

  // F and ∂F/∂y at all stages. False if one of them has no solution.
  bool evaluate() {
    for (std::size_t n = 0; n < rates_.size(); ++n) {
      const double h = t_[n + 1] - t_[n];
      defects_[n].resize(size(), stages);
      for (int i = 0; i < stages; ++i) {
        const Vector y = y_[n] + h * rates_[n] * tableau_.a.row(i).transpose();
        Jet& jet = stage_jets_[n][static_cast<std::size_t>(i)];
        jet.t = t_[n] + tableau_.c[i] * h;
        if (!solve(jet, y)) return false;
        slopes_[n][static_cast<std::size_t>(i)] = solver_.state_matrix(jet);
        defects_[n].col(i) = rates_of(jet, states_) - rates_[n].col(i);
      }
    }
    return true;
  }

  // Newton's correction of all states and rates.
  void correct() {
    const Eigen::Index s = size(), intervals = static_cast<Eigen::Index>(rates_.size());
    std::vector<Eigen::Triplet<double>> entries;
    Vector right = Vector::Zero(s * (intervals + 1));
    std::vector<Matrix> gain;
    for (Eigen::Index n = 0; n < intervals; ++n) {
      const auto at = static_cast<std::size_t>(n);
      const double h = t_[at + 1] - t_[at];
      gain.push_back(condensed(at, h));
      Matrix step = Matrix::Identity(s, s + 1);  // (transition | inhomogeneity)
      step.col(s) = y_[at] - y_[at + 1] + h * rates_[at] * tableau_.b;
      for (int i = 0; i < stages; ++i) step += h * tableau_.b[i] * gain.back().middleRows(i * s, s);
      for (Eigen::Index i = 0; i < s; ++i) {
        const Eigen::Index row = W_first_.rows() + n * s + i;
        entries.emplace_back(row, (n + 1) * s + i, 1.0);
        for (Eigen::Index j = 0; j < s; ++j) entries.emplace_back(row, n * s + j, -step(i, j));
        right[row] = step(i, s);
      }
    }
    add_condition(W_first_, y_first_ - y_.front(), 0, 0, entries, right);
    add_condition(W_last_, y_last_ - y_.back(), right.size() - W_last_.rows(), intervals * s, entries, right);
    Eigen::SparseMatrix<double> A(right.size(), right.size());
    A.setFromTriplets(entries.begin(), entries.end());
    const Vector change = Eigen::SparseLU<Eigen::SparseMatrix<double>>(A).solve(right);
    apply(change, gain);
  }

  double change() const { return change_; }

  // The jets at the nodes; empty if one has no solution.
  std::vector<Jet> node_jets() {
    for (std::size_t n = 0; n < t_.size(); ++n) {
      Jet& jet = node_jets_[n];
      if (n < stage_jets_.size()) jet = stage_jets_[n].front();
      jet.t = t_[n];
      jet.side = Side::right;
      if (!solve(jet, y_[n])) return {};
    }
    return node_jets_;
  }

 private:
  Eigen::Index size() const { return static_cast<Eigen::Index>(states_.size()); }

  bool solve(Jet& jet, const Vector& y) {
    for (std::size_t i = 0; i < states_.size(); ++i) grown_entry(jet, states_[i]) = y[static_cast<Eigen::Index>(i)];
    return solver_.solve(jet).status == JetResult::Status::converged;
  }

  // Changes of the four rates of an interval as (factor on the change at its first node | constant).
  Matrix condensed(std::size_t n, double h) const {
    const Eigen::Index s = size();
    Matrix left = Matrix::Identity(stages * s, stages * s), right(stages * s, s + 1);
    for (int i = 0; i < stages; ++i) {
      const Matrix& slope = slopes_[n][static_cast<std::size_t>(i)];
      for (int j = 0; j < stages; ++j) left.block(i * s, j * s, s, s) -= h * tableau_.a(i, j) * slope;
      right.block(i * s, 0, s, s) = slope;
      right.block(i * s, s, s, 1) = defects_[n].col(i);
    }
    return left.partialPivLu().solve(right);
  }

  static void add_condition(const Matrix& W, const Vector& gap, Eigen::Index row, Eigen::Index column,
                            std::vector<Eigen::Triplet<double>>& entries, Vector& right) {
    for (Eigen::Index i = 0; i < W.rows(); ++i) {
      for (Eigen::Index j = 0; j < W.cols(); ++j) entries.emplace_back(row + i, column + j, W(i, j));
      right[row + i] = W.row(i).dot(gap);
    }
  }

  void apply(const Vector& change, const std::vector<Matrix>& gain) {
    const Eigen::Index s = size();
    double largest = 1e-30;
    for (std::size_t n = 0; n < y_.size(); ++n) {
      const Vector here = change.segment(static_cast<Eigen::Index>(n) * s, s);
      y_[n] += here;
      largest = std::max(largest, y_[n].cwiseAbs().maxCoeff());
      if (n == rates_.size()) break;
      for (int i = 0; i < stages; ++i)
        rates_[n].col(i) += gain[n].block(i * s, 0, s, s) * here + gain[n].block(i * s, s, s, 1);
    }
    change_ = change.cwiseAbs().maxCoeff() / largest;
  }

  ArraySolver& solver_;
  std::vector<Derivative> states_;
  std::vector<double> t_;
  std::vector<Jet> node_jets_;
  Gauss tableau_;
  std::vector<Vector> y_;                            // by node
  std::vector<Matrix> rates_, defects_;              // by interval, a column per stage
  std::vector<std::array<Matrix, stages>> slopes_;   // ∂F/∂y
  std::vector<std::array<Jet, stages>> stage_jets_;  // predictors of the next evaluation
  Matrix W_first_, W_last_;
  Vector y_first_, y_last_;
  double change_ = 0.0;
};

}  // namespace

// An iteration of its own, not math/newton.h: every evaluation solves the jets of all stages and begins with those
// found last, so that no step can be taken back.
CollocatedMotion collocate(ArraySolver& solver, const std::vector<double>& t, std::vector<Jet> guess,
                           const Matrix& W_first, const Matrix& W_last) {
  constexpr int max_iterations = 30, patience = 8;
  constexpr double converged = 1e-11, near = 0.1;  // what is still so far off by then does not converge
  // Corrections that no longer shrink are rounding: fast directions enlarge it.
  constexpr double rounding = 1e-8, shrinks = 0.5;
  Collocation problem(solver, t, std::move(guess));
  problem.set_ends(W_first, W_last);
  CollocatedMotion motion;
  while (motion.iterations < max_iterations && problem.evaluate()) {
    problem.correct();
    ++motion.iterations;
    const double before = motion.error;
    motion.error = problem.change();
    if (!std::isfinite(motion.error) || (motion.iterations >= patience && motion.error > near)) break;
    const bool stays = motion.iterations > 1 && motion.error < rounding && motion.error > shrinks * before;
    if (motion.error > converged && !stays) continue;
    motion.jets = problem.node_jets();
    break;
  }
  return motion;
}

}  // namespace invar
