// Laws of the elimination by instants: it solves what dense elimination of the whole solves, needs few columns however
// long a stiff chain is, and refuses what has too many slow motions.
#include "invar/task/stable_inversion/instant_elimination.h"

#include <gtest/gtest.h>

#include <cmath>

namespace invar {
namespace {

// A chain of masses and springs on a foundation at equidistant instants, whose last mass is told where to be and pushed
// there by an unknown force. The stiffness changes with time.
struct ChainMotion {
  int masses, instants;
  double stiffness, foundation;  // times h²/m; a border if the foundation pulls

  int size() const { return masses + 1; }
  int border() const { return foundation > 0.0 ? 1 : 0; }

  Matrix whole() const {
    const Eigen::Index n = size(), last = instants * n;
    Matrix A = Matrix::Zero(last + border(), last + border());
    for (int k = 0; k < instants; ++k) {
      const double stiff = stiffness * (1.0 + 0.3 * std::sin(0.7 * k));
      for (int i = 0; i < masses; ++i) {
        const Eigen::Index row = k * n + i;
        A(row, row) = foundation - 2.0;
        if (k > 0) A(row, row - n) = 1.0;
        if (k + 1 < instants) A(row, row + n) = 1.0;
        if (i > 0) A(row, row) += stiff;
        if (i > 0) A(row, row - 1) -= stiff;
        if (i + 1 < masses) A(row, row) += stiff;
        if (i + 1 < masses) A(row, row + 1) -= stiff;
      }
      A(k * n + masses - 1, k * n + masses) = 1.0;  // the force
      A(k * n + masses, k * n + masses - 1) = 1.0;  // the place
    }
    if (border() > 0) {
      A(last, 1) = 1.0;
      A(last - n + 1, last) = 1.0;
    }
    return A;
  }

  // With room for all entries that an instant may have, as where formulas vanish here and there.
  Pattern pattern(const Matrix& A) const {
    Pattern p;
    p.rows = p.cols = static_cast<int>(A.rows());
    const Matrix one = A.block(size(), 0, size(), 3 * size());
    for (int j = 0; j < p.cols; ++j) {
      for (int i = 0; i < p.rows; ++i) {
        const bool inside = i < instants * size() && j < instants * size();
        const int by = inside ? j / size() - i / size() : 0;
        const bool entry =
            inside ? std::abs(by) < 2 && one(i % size(), (by + 1) * size() + j % size()) != 0.0 : A(i, j) != 0.0;
        if (entry) p.row.push_back(i);
      }
      p.start.push_back(static_cast<int>(p.row.size()));
    }
    return p;
  }
};

std::vector<double> values_in(const Matrix& A, const Pattern& p) {
  std::vector<double> values;
  for (int j = 0; j < p.cols; ++j)
    for (int e = p.start[static_cast<std::size_t>(j)]; e < p.start[static_cast<std::size_t>(j) + 1]; ++e)
      values.push_back(A(p.row[static_cast<std::size_t>(e)], j));
  return values;
}

TEST(InstantElimination, SolvesWhatDenseEliminationOfTheWholeSolves) {
  for (const ChainMotion& chain : {ChainMotion{6, 9, 30.0, 0.0}, ChainMotion{12, 15, 40.0, 0.3},
                                   ChainMotion{30, 8, 500.0, 0.0}, ChainMotion{30, 12, 500.0, 0.5}}) {
    const Matrix A = chain.whole();
    const Pattern pattern = chain.pattern(A);
    InstantElimination elimination(pattern, chain.size());
    ASSERT_TRUE(elimination.factor(values_in(A, pattern)));
    Vector b(A.rows());
    for (Eigen::Index i = 0; i < b.size(); ++i) b[i] = std::sin(1.0 + 3.0 * static_cast<double>(i));
    std::vector<double> x(b.begin(), b.end());
    ASSERT_TRUE(elimination.solve(x, Vector::Zero(chain.size()), 1e-6));
    const Vector expected = A.partialPivLu().solve(b);
    // Six digits are promised, and the last refinement is better than the one that shows them.
    for (Eigen::Index i = 0; i < b.size(); ++i)
      EXPECT_NEAR(x[static_cast<std::size_t>(i)], expected[i], 1e-6 * expected.cwiseAbs().maxCoeff()) << i;
  }
}

TEST(InstantElimination, NeedsFewColumnsHoweverLongAStiffChainIs) {
  const auto eliminated = [](int masses, double stiffness) {
    const ChainMotion chain{masses, 6, stiffness, 0.0};
    const Matrix A = chain.whole();
    const Pattern pattern = chain.pattern(A);
    InstantElimination elimination(pattern, chain.size());
    EXPECT_TRUE(elimination.factor(values_in(A, pattern)));
    return std::pair(elimination.rank(), static_cast<double>(elimination.factor_entries()));
  };
  // The same rod with twice the elements: springs are twice as stiff and masses half as heavy.
  const auto [rank, entries] = eliminated(40, 400.0);
  const auto [rank_of_more, entries_of_more] = eliminated(80, 1600.0);
  EXPECT_LT(rank, 20);
  EXPECT_LE(rank_of_more, rank + 2);
  EXPECT_LT(entries_of_more, 2.3 * entries) << "twice, and what the columns near the limit add";
}

TEST(InstantElimination, RefusesWhereTooManyMotionsAreSlow) {
  const ChainMotion chain{80, 4, 0.1, 0.2};
  const Matrix A = chain.whole();
  const Pattern pattern = chain.pattern(A);
  InstantElimination elimination(pattern, chain.size());
  EXPECT_FALSE(elimination.factor(values_in(A, pattern)));
}

}  // namespace
}  // namespace invar
