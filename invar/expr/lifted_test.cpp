// A lifted Jacobian is the Jacobian, as the Schur complement of its parts.
#include "invar/expr/lifted.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "invar/tape/function.h"

namespace invar {
namespace {

Eigen::MatrixXd values_of(const SparseExprs& m, const Exprs& x, const std::vector<double>& point) {
  std::vector<double> values(m.value.size());
  Scratch scratch;
  Function(x, m.value)(point, values, scratch);
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(m.pattern.rows, m.pattern.cols);
  for (int c = 0; c < m.pattern.cols; ++c)
    for (int k = m.pattern.start[static_cast<std::size_t>(c)]; k < m.pattern.start[static_cast<std::size_t>(c) + 1];
         ++k)
      full(m.pattern.row[static_cast<std::size_t>(k)], c) = values[static_cast<std::size_t>(k)];
  return full;
}

// Forces of a pendulum of many links on each other: every one contains all angles, there and back along the chain.
struct Recursion {
  Graph graph;
  Exprs x, f;

  explicit Recursion(int n) {
    Exprs place = {0.0};
    for (int k = 0; k < n; ++k) {
      x.push_back(graph.parameter("x" + std::to_string(k)));
      place.push_back(place.back() + sin(x.back() + 0.1 * place.back()));
    }
    Expr load = 1.0;
    for (int k = n; k-- > 0;) {
      load = 0.1 * cos(load) * place[static_cast<std::size_t>(k) + 1] + 0.5 * load;
      f.push_back(load * cos(x[static_cast<std::size_t>(k)]) + x[static_cast<std::size_t>(k)] * 2.0);
    }
  }
};

TEST(Lifted, SchurComplementIsTheJacobian) {
  constexpr double round_off = 1e-12;  // of the largest entry, with as many products as links
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (const std::size_t most : {1u, 2u, 3u, 5u, 9u, 100u}) {
    const Recursion r(14);
    std::vector<double> point(r.x.size());
    for (double& value : point) value = number(random);
    const LiftedJacobian lifted = lifted_jacobian(r.f, r.x, most);
    EXPECT_EQ(lifted.parts.empty(), most == 100u);
    const Eigen::MatrixXd all = values_of(lifted.matrix, r.x, point), plain = values_of(jacobian(r.f, r.x), r.x, point);
    const Eigen::Index n = plain.rows(), w = all.rows() - n;
    const Eigen::MatrixXd schur =
        all.topLeftCorner(n, n) -
        all.topRightCorner(n, w) * all.bottomRightCorner(w, w).partialPivLu().solve(all.bottomLeftCorner(w, n));
    EXPECT_LT((w == 0 ? all - plain : schur - plain).cwiseAbs().maxCoeff(), round_off * plain.cwiseAbs().maxCoeff())
        << most;
  }
}

TEST(Lifted, EntriesGrowWithTheFormulas) {
  const Recursion shorter(100), longer(200);
  const auto entries = [](const Recursion& r) { return lifted_jacobian(r.f, r.x, 3).matrix.value.size(); };
  EXPECT_LT(entries(longer), 2.1 * static_cast<double>(entries(shorter)));
  EXPECT_EQ(jacobian(longer.f, longer.x).value.size(), 200u * 200u);
}

}  // namespace
}  // namespace invar
